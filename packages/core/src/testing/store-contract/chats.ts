import assert from "node:assert/strict";
import type { Store } from "../../ports/store.ts";
import { contactRow, promptRow } from "../rows.ts";
import type { StoreCase, StoreSubject } from "./case.ts";

/** A store and another handle on it, where it can be opened twice; else the same one. */
async function openTwice({ open, reopen }: StoreSubject): Promise<readonly [Store, Store]> {
  const store = await open();
  return [store, reopen === null ? store : await reopen(store)];
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** What a prompt was, who wrote, and what a platform keeps. */
export const chats: readonly StoreCase[] = [
  {
    name: "STORE-42 a prompt is read back whole, by its token and by the platform's id of its message",
    async run({ open }) {
      const store = await open();
      const asked = promptRow("t-1", { version: 3, aliases: ["555-0101", 'q"7\\', "né 😀"] });
      const sent = promptRow("t-2", { providerMessageId: "m-2", status: "sent", aliases: [] });
      const elsewhere = promptRow("t-3", { account: "other shop", providerMessageId: "m-2" });
      for (const prompt of [asked, sent, elsewhere]) await store.putPrompt(prompt);
      assert.deepEqual(await Promise.all(["t-1", "t-2", "t-3"].map((token) => store.findPrompt(token))), [
        asked,
        sent,
        elsewhere,
      ]);
      assert.equal(await store.findPrompt("t-4"), undefined);
      assert.deepEqual(await store.findPromptByMessage("shop", "m-2"), sent);
      assert.deepEqual(await store.findPromptByMessage("other shop", "m-2"), elsewhere);
      assert.equal(await store.findPromptByMessage("shop", "m-1"), undefined);
    },
  },
  {
    name: "STORE-42 the prompts of a write are listed in the order in which they were put, and no other's",
    async run({ open }) {
      const store = await open();
      const tokens = ["t-c", "t-a", "t-d", "t-b"];
      for (const [n, token] of tokens.entries()) {
        await store.putPrompt(promptRow(token, { version: 4 - n }));
        await store.putPrompt(promptRow(`other ${token}`, { writeId: "wr_2" }));
      }
      // What is said of one later does not move it.
      await store.notePrompt("t-c", { providerMessageId: "m-1", aliases: [] });
      await store.movePrompt("t-c", "asked", "sent");
      const listed = await store.listPrompts("wr_1");
      assert.deepEqual(
        listed.map(({ token }) => token),
        tokens,
      );
      assert.deepEqual(listed[1], promptRow("t-a", { version: 3 }));
      assert.deepEqual(await store.listPrompts("wr_3"), []);
    },
  },
  {
    name: "STORE-42 of many who put a prompt under one token at once one does, and the others are rejected",
    async run(subject) {
      const [store, other] = await openTwice(subject);
      const rows = numbers(10).map((n) => promptRow("t-1", { writeId: `wr_${n}` }));
      const put = await Promise.allSettled(
        rows.map((row, n) => (n % 2 === 0 ? store : other).putPrompt(row)),
      );
      const winners = rows.filter((_, n) => put[n]?.status === "fulfilled");
      assert.equal(winners.length, 1);
      for (const result of put) {
        if (result.status === "rejected") assert.equal(result.reason.name, "IntegrityError");
      }
      assert.deepEqual(await store.findPrompt("t-1"), winners[0]);
      const lists = await Promise.all(rows.map(({ writeId }) => store.listPrompts(writeId)));
      assert.deepEqual(lists.flat(), winners);
    },
  },
  {
    name: "STORE-43 what a platform says of a prompt is added to it: the message's id, and each new id of the receiver once",
    async run({ open }) {
      const store = await open();
      await store.putPrompt(promptRow("t-1"));
      await store.putPrompt(promptRow("t-2"));
      await store.notePrompt("t-1", { providerMessageId: "m-1", aliases: ["u-9", "555-0101", "u-9"] });
      assert.deepEqual(
        await store.findPrompt("t-1"),
        promptRow("t-1", { providerMessageId: "m-1", aliases: ["555-0101", "u-9"] }),
      );
      await store.notePrompt("t-1", { providerMessageId: "m-2", aliases: ["u-5"] });
      const known = promptRow("t-1", { providerMessageId: "m-2", aliases: ["555-0101", "u-9", "u-5"] });
      assert.deepEqual(await store.findPromptByMessage("shop", "m-2"), known);
      assert.equal(await store.findPromptByMessage("shop", "m-1"), undefined);
      assert.deepEqual(await store.findPrompt("t-2"), promptRow("t-2"));
      await store.notePrompt("t-gone", { providerMessageId: "m-3", aliases: ["u-7"] });
      assert.equal(await store.findPrompt("t-gone"), undefined);
      assert.equal(await store.findPromptByMessage("shop", "m-3"), undefined);
    },
  },
  {
    name: "STORE-43 of what many say of a prompt at once nothing is lost",
    async run(subject) {
      const [store, other] = await openTwice(subject);
      await store.putPrompt(promptRow("t-1"));
      await Promise.all(
        numbers(10).map((n) =>
          (n % 2 === 0 ? store : other).notePrompt("t-1", { providerMessageId: "m-1", aliases: [`u-${n}`] }),
        ),
      );
      const aliases = (await store.findPrompt("t-1"))?.aliases ?? [];
      assert.deepEqual([...aliases].sort(), ["555-0101", ...numbers(10).map((n) => `u-${n}`)]);
    },
  },
  {
    name: "STORE-43 a prompt moves from the status it has, and from no other",
    async run({ open }) {
      const store = await open();
      await store.putPrompt(promptRow("t-1"));
      await store.putPrompt(promptRow("t-2"));
      assert.equal(await store.movePrompt("t-1", "sent", "delivered"), false);
      assert.deepEqual(await store.findPrompt("t-1"), promptRow("t-1"));
      assert.equal(await store.movePrompt("t-1", "asked", "sent"), true);
      assert.equal(await store.movePrompt("t-1", "sent", "read"), true);
      assert.equal(await store.movePrompt("t-1", "asked", "failed"), false);
      assert.equal(await store.movePrompt("t-gone", "asked", "sent"), false);
      assert.deepEqual(await store.listPrompts("wr_1"), [
        promptRow("t-1", { status: "read" }),
        promptRow("t-2"),
      ]);
    },
  },
  {
    name: "STORE-43 of many who move a prompt from one status at once exactly one does",
    async run(subject) {
      const [store, other] = await openTwice(subject);
      await store.putPrompt(promptRow("t-1"));
      const goals = numbers(20).map((n) => (n % 3 === 0 ? "sent" : "failed"));
      const moved = await Promise.all(
        goals.map((to, n) => (n % 2 === 0 ? store : other).movePrompt("t-1", "asked", to)),
      );
      assert.deepEqual(moved.filter(Boolean), [true]);
      assert.equal((await store.findPrompt("t-1"))?.status, goals[moved.indexOf(true)]);
    },
  },
  {
    name: "STORE-44 a contact is known under each of its ids, per account, and replaced by what is said later",
    async run({ open }) {
      const store = await open();
      const phone = contactRow("555-0101");
      const user = contactRow("u-1", { userId: "u-1" });
      const elsewhere = contactRow("555-0101", { account: "other shop", lastInboundAt: 7 });
      await store.putContacts([phone, user, elsewhere]);
      await store.putContacts([]);
      const find = () =>
        Promise.all([
          store.findContact("shop", "555-0101"),
          store.findContact("shop", "u-1"),
          store.findContact("other shop", "555-0101"),
          store.findContact("other shop", "u-1"),
        ]);
      assert.deepEqual(await find(), [phone, user, elsewhere, undefined]);
      const later = { ...phone, userId: "u-1", lastInboundAt: 1_001 };
      await store.putContacts([later]);
      assert.deepEqual(await find(), [later, user, elsewhere, undefined]);
      await store.putContacts([{ ...phone, userId: null, lastInboundAt: 1_002 }]);
      assert.deepEqual(await store.findContact("shop", "555-0101"), { ...phone, lastInboundAt: 1_002 });
    },
  },
  {
    name: "STORE-44 the contacts of one person are listed, those of the account and no other",
    async run({ open }) {
      const store = await open();
      const phone = contactRow("555-0101", { userId: "u-1" });
      const user = contactRow("u-1", { userId: "u-1" });
      const elsewhere = contactRow("u-1", { account: "other shop", userId: "u-1" });
      const others = [contactRow("555-0102", { userId: "u-2" }), contactRow("555-0103")];
      await store.putContacts([phone, user, elsewhere, ...others]);
      const listed = await store.listContacts("shop", "u-1");
      assert.deepEqual(new Set(listed), new Set([phone, user]));
      assert.deepEqual(await store.listContacts("other shop", "u-1"), [elsewhere]);
      assert.deepEqual(await store.listContacts("shop", "u-3"), []);
    },
  },
  {
    name: "STORE-44 the time when a contact last wrote never goes back, also within one call",
    async run({ open }) {
      const store = await open();
      await store.putContacts([contactRow("555-0101", { lastInboundAt: 5_000 })]);
      await store.putContacts([contactRow("555-0101", { userId: "u-1", lastInboundAt: 4_999 })]);
      assert.deepEqual(
        await store.findContact("shop", "555-0101"),
        contactRow("555-0101", { userId: "u-1", lastInboundAt: 5_000 }),
      );
      await store.putContacts([
        contactRow("555-0102", { userId: "u-2", lastInboundAt: 9_000 }),
        contactRow("555-0102", { userId: "u-3", lastInboundAt: 8_000 }),
      ]);
      assert.deepEqual(
        await store.findContact("shop", "555-0102"),
        contactRow("555-0102", { userId: "u-3", lastInboundAt: 9_000 }),
      );
    },
  },
  {
    name: "STORE-44 many who put the same contacts at once in opposite orders all go on, and the latest time stays",
    async run(subject) {
      const [store, other] = await openTwice(subject);
      const addresses = numbers(8).map((n) => `555-010${n}`);
      await Promise.all(
        numbers(20).map((n) => {
          // The latest of them is not the last one asked.
          const lastInboundAt = 1_000 + ((n * 7) % 20);
          const rows = addresses.map((address) => contactRow(address, { lastInboundAt }));
          return n % 2 === 0 ? store.putContacts(rows) : other.putContacts([...rows].reverse());
        }),
      );
      assert.deepEqual(
        await Promise.all(addresses.map((address) => store.findContact("shop", address))),
        addresses.map((address) => contactRow(address, { lastInboundAt: 1_019 })),
      );
    },
  },
  {
    name: "STORE-45 a content's id is found by account and hash, and the one kept last counts",
    async run(subject) {
      const [store, other] = await openTwice(subject);
      assert.equal(await store.findContent("shop", "h-1"), undefined);
      await store.keepContent("shop", "h-1", "content-1");
      await store.keepContent("shop", "h-2", "content-2");
      await store.keepContent("other shop", "h-1", "content-3");
      const find = () =>
        Promise.all([
          other.findContent("shop", "h-1"),
          other.findContent("shop", "h-2"),
          other.findContent("other shop", "h-1"),
          other.findContent("other shop", "h-2"),
        ]);
      assert.deepEqual(await find(), ["content-1", "content-2", "content-3", undefined]);
      await other.keepContent("shop", "h-1", "content-4");
      assert.deepEqual(await find(), ["content-4", "content-2", "content-3", undefined]);
    },
  },
];
