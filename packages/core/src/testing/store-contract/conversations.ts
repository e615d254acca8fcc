import assert from "node:assert/strict";
import { appendOf, conversationRow } from "../rows.ts";
import { appendAll, appended, type StoreCase } from "./case.ts";

const ana = { channel: "whatsapp", address: "+1 555-0101" };
const ben = { channel: "whatsapp", address: "+1 555-0102" };

export const conversations: readonly StoreCase[] = [
  {
    name: "STORE-7 a conversation's row is read back whole, and replaced whole",
    async run({ open }) {
      const store = await open();
      const full = conversationRow("c-1", {
        epoch: 2,
        customerRef: "cu_1",
        level: "high",
        authenticatedAt: 1_796_000_000_000,
        ...ana,
        locale: "de-AT",
        timeZone: "Europe/Vienna",
      });
      await appendAll(store, [appendOf({ conversations: [full] })]);
      assert.deepEqual(await store.readConversation("c-1"), { conversation: full, openWriteId: null });
      assert.deepEqual(await store.findConversationByAddress("whatsapp", "+1 555-0101"), full);
      const bare = conversationRow("c-1", { epoch: 3 });
      await appendAll(store, [appendOf({ conversations: [full, bare] })]);
      assert.deepEqual(await store.readConversation("c-1"), { conversation: bare, openWriteId: null });
      assert.equal(await store.findConversationByAddress("whatsapp", "+1 555-0101"), undefined);
    },
  },
  {
    name: "STORE-7 an address belongs to one conversation, per channel",
    async run({ open }) {
      const store = await open();
      const first = conversationRow("c-1", ana);
      await appendAll(store, [appendOf({ conversations: [first] })]);
      const second = appendOf({ conversations: [conversationRow("c-2", ana)] });
      assert.deepEqual(await store.append(second), { kind: "conflict", on: "address" });
      const elsewhere = conversationRow("c-2", { ...ana, channel: "twilio" });
      const renewed = { ...first, epoch: 1 };
      await appendAll(store, [
        appendOf({ conversations: [elsewhere] }),
        appendOf({ conversations: [renewed] }),
      ]);
      assert.deepEqual(await store.findConversationByAddress("whatsapp", ana.address), renewed);
      assert.deepEqual(await store.findConversationByAddress("twilio", ana.address), elsewhere);
      assert.equal(await store.findConversationByAddress("messenger", ana.address), undefined);
    },
  },
  {
    name: "STORE-7 conversations without an address are never in each other's way",
    async run({ open }) {
      const store = await open();
      await appendAll(store, [
        appendOf({ conversations: [conversationRow("c-1"), conversationRow("c-2")] }),
        appendOf({ conversations: [conversationRow("c-3", { channel: "whatsapp" })] }),
        appendOf({ conversations: [conversationRow("c-4", { channel: "whatsapp" })] }),
      ]);
    },
  },
  {
    name: "STORE-7 an address moves to another conversation when the append takes it from the first before",
    async run({ open }) {
      const store = await open();
      await appendAll(store, [appendOf({ conversations: [conversationRow("c-1", ana)] })]);
      const giveUp = conversationRow("c-1", { epoch: 1 });
      const take = conversationRow("c-2", ana);
      assert.deepEqual(await store.append(appendOf({ conversations: [take, giveUp] })), {
        kind: "conflict",
        on: "address",
      });
      assert.deepEqual(await store.append(appendOf({ conversations: [giveUp, take] })), appended);
      assert.deepEqual(await store.findConversationByAddress(ana.channel, ana.address), take);
      assert.deepEqual((await store.readConversation("c-1")).conversation, giveUp);
    },
  },
  {
    name: "STORE-7 two conversations swap their addresses in one append only by way of none",
    async run({ open }) {
      const store = await open();
      await appendAll(store, [
        appendOf({ conversations: [conversationRow("c-1", ana), conversationRow("c-2", ben)] }),
      ]);
      const swapped = [conversationRow("c-1", ben), conversationRow("c-2", ana)];
      assert.deepEqual(await store.append(appendOf({ conversations: swapped })), {
        kind: "conflict",
        on: "address",
      });
      assert.deepEqual(
        await store.append(appendOf({ conversations: [conversationRow("c-2"), ...swapped] })),
        appended,
      );
      assert.deepEqual((await store.findConversationByAddress(ana.channel, ana.address))?.id, "c-2");
      assert.deepEqual((await store.findConversationByAddress(ben.channel, ben.address))?.id, "c-1");
    },
  },
  {
    name: "STORE-8 a customer id keeps its first ref, however many ask at once",
    async run({ open }) {
      const store = await open();
      const refs = await Promise.all(
        Array.from({ length: 50 }, (_, n) => store.customerRefOf("customer-1", `cu_${n}`)),
      );
      const ref = refs[0] ?? "";
      assert.deepEqual(new Set(refs), new Set([ref]));
      assert.match(ref, /^cu_\d+$/);
      assert.equal(await store.customerRefOf("customer-1", "cu_late"), ref);
      assert.equal(await store.customerRefOf("customer-2", "cu_other"), "cu_other");
      assert.equal(await store.findCustomerId(ref), "customer-1");
      assert.equal(await store.findCustomerId("cu_other"), "customer-2");
      assert.equal(await store.findCustomerId("cu_late"), undefined);
    },
  },
];
