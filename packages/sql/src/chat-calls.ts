import type { Store } from "@countersign/core";

/** What a store is called for by chats alone. */
export type ChatCalls = Pick<
  Store,
  | "receive"
  | "putPrompt"
  | "findPrompt"
  | "findPromptByMessage"
  | "listPrompts"
  | "notePrompt"
  | "movePrompt"
  | "putContacts"
  | "findContact"
  | "listContacts"
  | "findContent"
  | "keepContent"
>;
