import { IntegrityError } from "../base/errors.ts";
import type { ChatStore } from "../ports/chat-store.ts";
import type { PromptRow } from "../ports/store.ts";
import { type MemoryTables, pair, putDelivery, recordChanges } from "./tables.ts";

/** What chats need: messages that came in, prompts that went out, who wrote, and contents that a platform has. */
export function memoryChats(tables: MemoryTables, ask: <T>(work: () => T) => Promise<T>): ChatStore {
  function prompts(matches: (row: PromptRow) => boolean): readonly PromptRow[] {
    return [...tables.prompts.values()].filter(matches);
  }

  return {
    receive: (message, delivery) =>
      ask(() => {
        const key = pair(message.account, message.messageId);
        if (tables.inbox.has(key)) return false;
        if (delivery !== null) putDelivery(tables, recordChanges(), delivery);
        tables.inbox.set(key, { ...message });
        return true;
      }),
    purgeInbox: ({ receivedBefore, limit }) =>
      ask(() => {
        const old = [...tables.inbox].filter(([, row]) => row.receivedAt < receivedBefore).slice(0, limit);
        for (const [at] of old) tables.inbox.delete(at);
        return old.length;
      }),
    putPrompt: (prompt) =>
      ask(() => {
        if (tables.prompts.has(prompt.token)) {
          throw new IntegrityError(
            `a prompt of write ${prompt.writeId} has a token that exists already; give each prompt its own`,
          );
        }
        tables.prompts.set(prompt.token, { ...prompt, aliases: [...prompt.aliases] });
      }),
    findPrompt: (token) => ask(() => tables.prompts.get(token)),
    findPromptByMessage: (account, providerMessageId) =>
      ask(() =>
        prompts((row) => row.account === account && row.providerMessageId === providerMessageId).at(-1),
      ),
    listPrompts: (writeId) => ask(() => prompts((row) => row.writeId === writeId)),
    notePrompt: (token, { providerMessageId, aliases }) =>
      ask(() => {
        const row = tables.prompts.get(token);
        if (row === undefined) return;
        const known = [...new Set([...row.aliases, ...aliases])];
        tables.prompts.set(token, { ...row, providerMessageId, aliases: known });
      }),
    movePrompt: (token, from, to) =>
      ask(() => {
        const row = tables.prompts.get(token);
        if (row?.status !== from) return false;
        tables.prompts.set(token, { ...row, status: to });
        return true;
      }),
    putContacts: (contacts) =>
      ask(() => {
        for (const row of contacts) {
          const at = pair(row.account, row.address);
          const known = tables.contacts.get(at)?.lastInboundAt ?? row.lastInboundAt;
          tables.contacts.set(at, { ...row, lastInboundAt: Math.max(known, row.lastInboundAt) });
        }
      }),
    findContact: (account, address) => ask(() => tables.contacts.get(pair(account, address))),
    listContacts: (account, userId) =>
      ask(() =>
        [...tables.contacts.values()].filter((row) => row.account === account && row.userId === userId),
      ),
    findContent: (account, hash) => ask(() => tables.contents.get(pair(account, hash))),
    keepContent: (account, hash, contentId) =>
      ask(() => {
        tables.contents.set(pair(account, hash), contentId);
      }),
  };
}
