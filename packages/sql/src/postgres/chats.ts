import type { ChatStore } from "@countersign/core";
import { findContact, listContacts, putContacts } from "./contacts.ts";
import { findContent, keepContent } from "./contents.ts";
import type { Database } from "./database.ts";
import {
  findPrompt,
  findPromptByMessage,
  listPrompts,
  movePrompt,
  notePrompt,
  putPrompt,
} from "./prompts.ts";
import { receive } from "./receive.ts";

/** Binds a call to the database that is there once it is asked. */
function bind<Args extends readonly unknown[], T>(
  database: () => Promise<Database>,
  call: (database: Database, ...args: Args) => Promise<T>,
): (...args: Args) => Promise<T> {
  return async (...args) => call(await database(), ...args);
}

/** What a store is called for by chats. */
export function chatCalls(database: () => Promise<Database>): Omit<ChatStore, "purgeInbox"> {
  return {
    receive: bind(database, receive),
    putPrompt: bind(database, putPrompt),
    findPrompt: bind(database, findPrompt),
    findPromptByMessage: bind(database, findPromptByMessage),
    listPrompts: bind(database, listPrompts),
    notePrompt: bind(database, notePrompt),
    movePrompt: bind(database, movePrompt),
    putContacts: bind(database, putContacts),
    findContact: bind(database, findContact),
    listContacts: bind(database, listContacts),
    findContent: bind(database, findContent),
    keepContent: bind(database, keepContent),
  };
}
