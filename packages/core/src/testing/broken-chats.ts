import { setImmediate } from "node:timers/promises";
import type { ContactRow, PromptRow, Store } from "../ports/store.ts";
import { type BrokenStore, broken } from "./broken-store.ts";
import { appendOf } from "./rows.ts";

function keepsTheDeliveryAfterTheMessage(store: Store): Partial<Store> {
  return {
    async receive(message, delivery) {
      const kept = await store.receive(message, null);
      if (kept && delivery !== null) await store.append(appendOf({ deliveries: [delivery] }));
      return kept;
    },
  };
}

/** Keeps the receiver's ids beside the prompts, and makes of what it knew and what is said what `after` makes of them. */
function keepsIdsBeside(
  after: (known: readonly string[], said: readonly string[]) => Promise<readonly string[]>,
): (store: Store) => Partial<Store> {
  return (store) => {
    const ids = new Map<string, readonly string[]>();
    return {
      async notePrompt(token, said) {
        const known = ids.get(token) ?? (await store.findPrompt(token))?.aliases;
        await store.notePrompt(token, said);
        if (known !== undefined) ids.set(token, await after(known, said.aliases));
      },
      async findPrompt(token) {
        const row = await store.findPrompt(token);
        return row === undefined ? undefined : { ...row, aliases: ids.get(token) ?? row.aliases };
      },
    };
  };
}

/** Keeps contacts by itself, each as `after` makes it of the one that was known. */
function keepsContactsBeside(
  after: (known: ContactRow | undefined, said: ContactRow) => Promise<ContactRow>,
): () => Partial<Store> {
  return () => {
    const rows = new Map<string, ContactRow>();
    const at = (account: string, address: string): string => JSON.stringify([account, address]);
    return {
      async putContacts(contacts) {
        for (const row of contacts) {
          const key = at(row.account, row.address);
          rows.set(key, await after(rows.get(key), row));
        }
      },
      findContact: async (account, address) => rows.get(at(account, address)),
    };
  };
}

function latestTime(known: ContactRow | undefined, said: ContactRow): ContactRow {
  return { ...said, lastInboundAt: Math.max(known?.lastInboundAt ?? 0, said.lastInboundAt) };
}

function keepsPromptsForEver(store: Store): Partial<Store> {
  const rows = new Map<string, PromptRow>();
  return {
    async putPrompt(prompt) {
      await store.putPrompt(prompt);
      rows.set(prompt.token, prompt);
    },
    findPrompt: async (token) => (await store.findPrompt(token)) ?? rows.get(token),
  };
}

/** Stores that break what they promise of chats. */
export const brokenChats: readonly BrokenStore[] = [
  broken(
    "adds a delivery however often the message comes",
    "STORE-39 of many who hand over one incoming message at once one keeps it, with one delivery, which is that one's",
    (store) => ({
      async receive(message, delivery) {
        if (delivery !== null) await store.append(appendOf({ deliveries: [delivery] }));
        return store.receive(message, null);
      },
    }),
  ),
  broken(
    "forgets what is to be done about an incoming message",
    "STORE-39 a message that comes again adds no delivery, whatever it is, and one without a delivery adds none",
    (store) => ({ receive: (message) => store.receive(message, null) }),
  ),
  broken(
    "keeps an incoming message before its delivery",
    "STORE-39 a message whose delivery cannot be kept is rejected and not kept either",
    keepsTheDeliveryAfterTheMessage,
  ),
  broken(
    "hands a delivery back with its old body",
    "STORE-40 a delivery that is handed back keeps its body, or has the new one from then on",
    (store) => ({ retryDelivery: (id, dueAt) => store.retryDelivery(id, dueAt) }),
  ),
  broken(
    "deletes an incoming message a millisecond too early",
    "STORE-41 incoming messages received before a time are deleted, few at a time, and no others",
    (store) => ({
      purgeInbox: ({ receivedBefore, limit }) =>
        store.purgeInbox({ receivedBefore: receivedBefore + 1, limit }),
    }),
  ),
  broken(
    "loses the ids of a prompt's receiver",
    "STORE-42 a prompt is read back whole, by its token and by the platform's id of its message",
    (store) => ({ putPrompt: (prompt) => store.putPrompt({ ...prompt, aliases: [] }) }),
  ),
  broken(
    "lists prompts by their tokens",
    "STORE-42 the prompts of a write are listed in the order in which they were put, and no other's",
    (store) => ({
      listPrompts: async (writeId) =>
        [...(await store.listPrompts(writeId))].sort((a, b) => a.token.localeCompare(b.token)),
    }),
  ),
  broken(
    "takes another prompt's token for its own",
    "STORE-42 of many who put a prompt under one token at once one does, and the others are rejected",
    (store) => ({ putPrompt: (prompt) => store.putPrompt(prompt).catch(() => undefined) }),
  ),
  broken(
    "forgets the ids that a prompt's receiver had before",
    "STORE-43 what a platform says of a prompt is added to it: the message's id, and each new id of the receiver once",
    keepsIdsBeside(async (_known, said) => said),
  ),
  broken(
    "adds what is said of a prompt to what it read before",
    "STORE-43 of what many say of a prompt at once nothing is lost",
    keepsIdsBeside(async (known, said) => {
      await setImmediate();
      return [...new Set([...known, ...said])];
    }),
  ),
  broken(
    "moves a prompt whatever its status is",
    "STORE-43 a prompt moves from the status it has, and from no other",
    (store) => ({
      async movePrompt(token, _from, to) {
        const row = await store.findPrompt(token);
        return row !== undefined && store.movePrompt(token, row.status, to);
      },
    }),
  ),
  broken(
    "lets two move a prompt",
    "STORE-43 of many who move a prompt from one status at once exactly one does",
    (store) => ({ movePrompt: async (token, from, to) => (await store.movePrompt(token, from, to)) || true }),
  ),
  broken(
    "knows a contact of one account at every other",
    "STORE-44 a contact is known under each of its ids, per account, and replaced by what is said later",
    (store) => ({
      putContacts: (contacts) => store.putContacts(contacts.map((row) => ({ ...row, account: "shop" }))),
      findContact: (_account, address) => store.findContact("shop", address),
    }),
  ),
  broken(
    "lists a person's contacts of every account",
    "STORE-44 the contacts of one person are listed, those of the account and no other",
    (store) => ({
      listContacts: async (account, userId) => [
        ...(await store.listContacts(account, userId)),
        ...(await store.listContacts("other shop", userId)),
      ],
    }),
  ),
  broken(
    "lets the time when a contact last wrote go back",
    "STORE-44 the time when a contact last wrote never goes back, also within one call",
    keepsContactsBeside(async (_known, said) => said),
  ),
  broken(
    "compares a contact's time with what it read before",
    "STORE-44 many who put the same contacts at once in opposite orders all go on, and the latest time stays",
    keepsContactsBeside(async (known, said) => {
      await setImmediate();
      return latestTime(known, said);
    }),
  ),
  broken(
    "keeps the first id of a content",
    "STORE-45 a content's id is found by account and hash, and the one kept last counts",
    (store) => ({
      async keepContent(account, hash, contentId) {
        if ((await store.findContent(account, hash)) === undefined)
          await store.keepContent(account, hash, contentId);
      },
    }),
  ),
  broken(
    "keeps the prompts of an erased customer",
    "STORE-33 the prompts of an erased customer's writes go, and no other's",
    keepsPromptsForEver,
  ),
  broken(
    "keeps what names an erased customer, wrapped so that nobody finds it",
    "STORE-33 what came in and names an erased customer only by another of their ids goes too, and nobody else's",
    (store) => ({
      receive: (message, delivery) =>
        store.receive(message, delivery && { ...delivery, body: JSON.stringify(delivery.body) }),
      takeDeliveries: async (take) =>
        (await store.takeDeliveries(take)).map((row) => {
          const body: unknown = JSON.parse(row.body);
          return typeof body === "string" ? { ...row, body } : row;
        }),
    }),
  ),
  broken(
    "keeps the contacts of an erased customer",
    "STORE-33 who has an address that went with an erased customer is known under no id any more, and others are",
    keepsContactsBeside(async (known, said) => latestTime(known, said)),
  ),
];
