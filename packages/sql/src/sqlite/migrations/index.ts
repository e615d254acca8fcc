import { initial } from "./0001-initial.ts";
import { chats } from "./0002-chats.ts";

/** One step from a schema to the next. Published steps never change; a change is a new one. */
export type Migration = { readonly version: number; readonly name: string; readonly sql: string };

/** Numbered from 1 without gaps. Texts in modules rather than .sql files, so that bundlers take them along. */
export const migrations: readonly [Migration, ...Migration[]] = [
  { version: 1, name: "initial", sql: initial },
  { version: 2, name: "chats", sql: chats },
];
