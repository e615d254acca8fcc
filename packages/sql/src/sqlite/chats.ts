import type { ChatStore } from "@countersign/core";
import type { Database } from "better-sqlite3";
import { type Contacts, prepareContacts } from "./contacts.ts";
import type { GroupCommit } from "./group-commit.ts";
import { type Prompts, preparePrompts } from "./prompts.ts";
import { prepareReceive } from "./receive.ts";

/** The statements of chats. */
export type Chats = {
  readonly receive: ReturnType<typeof prepareReceive>;
  readonly prompts: Prompts;
  readonly contacts: Contacts;
};

export function prepareChats(db: Database): Chats {
  return { receive: prepareReceive(db), prompts: preparePrompts(db), contacts: prepareContacts(db) };
}

type Connected = { readonly commits: GroupCommit; readonly chats: Chats };

/** What a store is called for by chats; each write with those that come at the same time. */
export function chatCalls(connected: () => Connected | Promise<Connected>): Omit<ChatStore, "purgeInbox"> {
  async function read<T>(work: (chats: Chats) => T): Promise<T> {
    return work((await connected()).chats);
  }

  async function commit<T>(work: (chats: Chats) => T): Promise<T> {
    const { commits, chats } = await connected();
    return commits.ask(() => work(chats));
  }

  return {
    receive(message, delivery) {
      // One webhook waits for nothing, and a hundred of them come one by one.
      const keep = ({ commits, chats }: Connected): Promise<boolean> =>
        commits.askTogether(() => chats.receive(message, delivery));
      const now = connected();
      // They come so often that each promise less is felt.
      return now instanceof Promise ? now.then(keep) : keep(now);
    },
    putPrompt: (prompt) => commit(({ prompts }) => prompts.put(prompt)),
    findPrompt: (token) => read(({ prompts }) => prompts.find(token)),
    findPromptByMessage: (account, messageId) =>
      read(({ prompts }) => prompts.findByMessage(account, messageId)),
    listPrompts: (writeId) => read(({ prompts }) => prompts.list(writeId)),
    notePrompt: (token, said) => commit(({ prompts }) => prompts.note(token, said)),
    movePrompt: (token, from, to) => commit(({ prompts }) => prompts.move(token, from, to)),
    async putContacts(rows) {
      if (rows.length > 0) await commit(({ contacts }) => contacts.put(rows));
    },
    findContact: (account, address) => read(({ contacts }) => contacts.find(account, address)),
    listContacts: (account, userId) => read(({ contacts }) => contacts.list(account, userId)),
    findContent: (account, hash) => read(({ contacts }) => contacts.findContent(account, hash)),
    keepContent: (account, hash, contentId) =>
      commit(({ contacts }) => contacts.keepContent(account, hash, contentId)),
  };
}
