export { loadMessages, messageLocales } from "./load.ts";
export type { Messages, Plural } from "./messages.ts";
