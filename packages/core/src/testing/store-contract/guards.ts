import assert from "node:assert/strict";
import type { ConversationRow } from "../../ports/store.ts";
import { appendOf, conversationRow } from "../rows.ts";
import { appendAll, appended, type StoreCase } from "./case.ts";

const lost = { kind: "conflict", on: "epoch" } as const;

const standing = conversationRow("c-1", {
  epoch: 1,
  customerRef: "cu_1",
  level: "standard",
  authenticatedAt: 500,
  channel: "whatsapp",
  address: "555-0101",
  locale: "en",
  timeZone: "UTC",
});

const others: readonly Partial<ConversationRow>[] = [
  { customerRef: "cu_2" },
  { level: "high" },
  { level: null },
  { authenticatedAt: 501 },
  { channel: "twilio" },
  { address: "555-0102" },
  { locale: "de" },
  { locale: null },
  { timeZone: "Europe/Vienna" },
];

export const guards: readonly StoreCase[] = [
  {
    name: "STORE-32 an append that names a conversation's row is bound to all of it, also where it names none",
    async run({ open }) {
      const store = await open();
      const bound = (row: ConversationRow | null, epoch = row?.epoch ?? 0) =>
        appendOf({
          guards: [{ conversationId: "c-1", epoch, row }],
          conversations: [conversationRow("c-other")],
        });
      assert.deepEqual(await store.append(bound(conversationRow("c-1"))), lost);
      await appendAll(store, [bound(null), appendOf({ conversations: [standing] })]);
      for (const other of others)
        assert.deepEqual(await store.append(bound({ ...standing, ...other })), lost);
      assert.deepEqual(await store.append(bound(null, 1)), lost);
      assert.deepEqual(await store.append(bound(standing)), appended);
    },
  },
  {
    name: "STORE-32 of two changes at once that are bound to the same row exactly one is appended",
    async run({ open }) {
      const store = await open();
      await appendAll(store, [appendOf({ conversations: [standing] })]);
      const change = (parts: Partial<ConversationRow>) =>
        store.append(
          appendOf({
            guards: [{ conversationId: "c-1", epoch: 1, row: standing }],
            conversations: [{ ...standing, ...parts }],
          }),
        );
      const answers = await Promise.all([change({ locale: "de" }), change({ level: "high" })]);
      assert.deepEqual(answers, [appended, lost]);
      assert.deepEqual((await store.readConversation("c-1")).conversation, { ...standing, locale: "de" });
    },
  },
  {
    name: "STORE-32 an append that names a customer is bound to there being one",
    async run({ open }) {
      const store = await open();
      await store.customerRefOf("customer-1", "cu_1");
      const bound = (customerRef: string) =>
        appendOf({ guards: [{ conversationId: "c-1", epoch: 0, customerRef }] });
      assert.deepEqual(await store.append(bound("cu_2")), lost);
      assert.deepEqual(await store.append(bound("cu_1")), appended);
    },
  },
];
