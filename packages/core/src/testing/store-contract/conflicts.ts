import assert from "node:assert/strict";
import type { Append, Store } from "../../ports/store.ts";
import { appendOf, conversationRow, deliveryRow, keyRow, nextStep, proposal } from "../rows.ts";
import { appendAll, appended, look, type StoreCase } from "./case.ts";

const standing = proposal("wr_old", "c-1", { dueAt: 8_000 });
const settled = proposal("wr_settled", "c-1", { state: "applied", open: false });

/** What stands before each conflict. */
async function openWithRows(open: () => Promise<Store>): Promise<Store> {
  const store = await open();
  await appendAll(store, [
    appendOf({
      conversations: [
        conversationRow("c-1", { epoch: 3, channel: "whatsapp", address: "+1 555-0101" }),
        conversationRow("c-2", { epoch: 1 }),
      ],
      writes: [settled, standing],
      key: keyRow("k-old"),
      deliveries: [deliveryRow("d-old", { dueAt: 7_000 })],
    }),
  ]);
  return store;
}

const ids = {
  writes: ["wr_old", "wr_new", "wr_settled"],
  conversations: ["c-1", "c-2", "c-new"],
  keys: ["k-old", "k-new"],
};

/** Touches every table and conflicts with nothing. */
const harmless: Append = appendOf({
  guards: [{ conversationId: "c-1", epoch: 3 }],
  conversations: [
    conversationRow("c-2", { epoch: 2, customerRef: "cu_2", channel: "whatsapp", address: "+1 555-0102" }),
    conversationRow("c-new", { epoch: 1 }),
  ],
  writes: [
    proposal("wr_new", "c-new", { dueAt: 10 }),
    nextStep(standing.row, { state: "running", dueAt: 20 }),
  ],
  key: keyRow("k-new"),
  deliveries: [deliveryRow("d-new", { dueAt: 5 })],
});

const conflicting: readonly { readonly on: string; readonly append: Append }[] = [
  { on: "epoch", append: { ...harmless, guards: [...harmless.guards, { conversationId: "c-2", epoch: 2 }] } },
  { on: "key", append: { ...harmless, key: keyRow("k-old") } },
  {
    on: "address",
    append: {
      ...harmless,
      conversations: [
        ...harmless.conversations,
        conversationRow("c-new", { channel: "whatsapp", address: "+1 555-0101" }),
      ],
    },
  },
  {
    on: "address",
    append: {
      ...harmless,
      conversations: [
        ...harmless.conversations,
        conversationRow("c-new", { channel: "whatsapp", address: "+1 555-0102" }),
      ],
    },
  },
  { on: "seq", append: { ...harmless, writes: [...harmless.writes, proposal("wr_settled", "c-1")] } },
  { on: "open", append: { ...harmless, writes: [...harmless.writes, proposal("wr_other", "c-1")] } },
  { on: "open", append: { ...harmless, writes: [...harmless.writes, proposal("wr_other", "c-new")] } },
];

export const conflicts: readonly StoreCase[] = [
  ...conflicting.map(({ on, append }, index) => ({
    name: `STORE-5 a conflict on ${on} changes nothing at all (${index + 1})`,
    async run({ open }: { open(): Promise<Store> }) {
      const store = await openWithRows(open);
      const before = await look(store, ids);
      assert.deepEqual(await store.append(append), { kind: "conflict", on });
      assert.deepEqual(await look(store, ids), before);
      assert.equal(await store.readWrite("wr_other"), undefined);
      assert.equal(await store.findConversationByAddress("whatsapp", "+1 555-0102"), undefined);
      assert.deepEqual(
        (await store.takeDeliveries({ now: 9_000, limit: 9, leaseMs: 1 })).map((row) => row.id),
        ["d-old"],
      );
      // The same without the conflict is appended: nothing else kept it out.
      assert.deepEqual(await store.append(harmless), appended);
    },
  })),
  {
    name: "STORE-5 where several conflicts apply, epoch comes before key, key before address, address before seq, seq before open",
    async run({ open }) {
      const store = await openWithRows(open);
      const epoch = [{ conversationId: "c-1", epoch: 4 }];
      const key = keyRow("k-old");
      const conversations = [conversationRow("c-2", { channel: "whatsapp", address: "+1 555-0101" })];
      const seq = proposal("wr_settled", "c-1");
      const taken = proposal("wr_other", "c-1");
      const expected: readonly (readonly [string, Append])[] = [
        ["epoch", appendOf({ guards: epoch, key, conversations, writes: [seq, taken] })],
        ["key", appendOf({ key, conversations, writes: [seq, taken] })],
        ["address", appendOf({ conversations, writes: [seq, taken] })],
        ["seq", appendOf({ writes: [seq, taken] })],
        ["open", appendOf({ writes: [taken, seq] })],
      ];
      for (const [on, append] of expected)
        assert.deepEqual(await store.append(append), { kind: "conflict", on });
    },
  },
  {
    name: "STORE-5 an event that the journal holds is refused, also when it is not the last one",
    async run({ open }) {
      const store = await openWithRows(open);
      const second = nextStep(standing.row, { state: "running" });
      const third = nextStep(second.row, { state: "applied", open: false });
      await appendAll(store, [appendOf({ writes: [second] }), appendOf({ writes: [third] })]);
      const before = await store.readWrite("wr_old");
      for (const late of [standing, second, third]) {
        assert.deepEqual(await store.append(appendOf({ writes: [late] })), { kind: "conflict", on: "seq" });
      }
      assert.deepEqual(await store.readWrite("wr_old"), before);
    },
  },
];
