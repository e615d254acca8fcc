import assert from "node:assert/strict";
import {
  appendOf,
  conversationRow,
  deliveryRow,
  journalRow,
  keyRow,
  nextStep,
  plainRow,
  proposal,
  writeRow,
} from "../rows.ts";
import { appendAll, appended, look, type StoreCase } from "./case.ts";

export const appending: readonly StoreCase[] = [
  {
    name: "STORE-1 a write is read back whole, text for text",
    async run({ open }) {
      const store = await open();
      const row = writeRow("wr_1", "c-1", {
        state: "unknown",
        version: 3,
        seq: 2,
        epoch: 4,
        customerRef: "cu_1",
        agent: null,
        attention: true,
        dueAt: 9_000,
        decidedAt: 1_500,
        settledAt: 1_600,
      });
      const events = [
        journalRow("wr_1", 1, { body: '{"b":1,"a":"né  😀 \\u0000"}' }),
        journalRow("wr_1", 2, { at: 1_796_000_000_000 }),
      ] as const;
      const plains = [
        plainRow("wr_1", 1),
        plainRow("wr_1", 2, { args: null, card: null, outcome: '{"ok":true}', idempotencyKey: null }),
      ];
      await appendAll(store, [appendOf({ writes: [{ row, events, plains }] })]);
      assert.deepEqual(await store.readWrite("wr_1"), { row, events, plains });
      assert.deepEqual(await store.listWrites({ limit: 10 }), { rows: [row], nextCursor: null });
      assert.deepEqual(await store.readConversation("c-1"), { conversation: undefined, openWriteId: "wr_1" });
    },
  },
  {
    name: "STORE-1 later events join the journal in order and the row is as they leave it",
    async run({ open }) {
      const store = await open();
      const first = proposal("wr_1", "c-1", { dueAt: 2_000 });
      const second = nextStep(first.row, {
        state: "running",
        version: 2,
        tool: "cancel_order",
        toolVersion: "2",
        epoch: 1,
        customerRef: "cu_1",
        dueAt: 3_000,
        decidedAt: 1_200,
      });
      const third = nextStep(second.row, {
        state: "applied",
        open: false,
        attention: true,
        dueAt: null,
        settledAt: 1_300,
      });
      const plain = plainRow("wr_1", 3, { outcome: "{}" });
      await appendAll(store, [
        appendOf({ writes: [first] }),
        appendOf({ writes: [second] }),
        appendOf({ writes: [{ ...third, plains: [plain] }] }),
      ]);
      assert.deepEqual(await store.readWrite("wr_1"), {
        row: third.row,
        events: [...first.events, ...second.events, ...third.events],
        plains: [...first.plains, plain],
      });
      assert.deepEqual(await store.readConversation("c-1"), { conversation: undefined, openWriteId: null });
    },
  },
  {
    name: "STORE-1 what was never appended is not there",
    async run({ open }) {
      const store = await open();
      assert.equal(await store.readWrite("wr_1"), undefined);
      assert.deepEqual(await store.readConversation("c-1"), { conversation: undefined, openWriteId: null });
      assert.deepEqual(await store.listWrites({ limit: 1 }), { rows: [], nextCursor: null });
      await store.ready();
    },
  },
  {
    name: "STORE-2 an append can close a write and open the next in the same conversation",
    async run({ open }) {
      const store = await open();
      const old = proposal("wr_old", "c-1", { dueAt: 2_000 });
      const expired = nextStep(old.row, { state: "expired", open: false, dueAt: null });
      const next = proposal("wr_new", "c-1", { createdAt: 2_000 });
      await appendAll(store, [appendOf({ writes: [old] }), appendOf({ writes: [expired, next] })]);
      assert.deepEqual((await store.readWrite("wr_old"))?.row, expired.row);
      assert.deepEqual(await store.readConversation("c-1"), {
        conversation: undefined,
        openWriteId: "wr_new",
      });
    },
  },
  {
    name: "STORE-2 an append cannot open a write before it closes the one before",
    async run({ open }) {
      const store = await open();
      const old = proposal("wr_old", "c-1");
      const expired = nextStep(old.row, { state: "expired", open: false });
      await appendAll(store, [appendOf({ writes: [old] })]);
      assert.deepEqual(await store.append(appendOf({ writes: [proposal("wr_new", "c-1"), expired] })), {
        kind: "conflict",
        on: "open",
      });
      assert.deepEqual((await store.readWrite("wr_old"))?.row, old.row);
      assert.equal(await store.readWrite("wr_new"), undefined);
    },
  },
  {
    name: "STORE-2 a write that is not open blocks nobody, and cannot open again beside another",
    async run({ open }) {
      const store = await open();
      const pending = proposal("wr_1", "c-1", { state: "pending", open: false });
      await appendAll(store, [
        appendOf({ writes: [pending] }),
        appendOf({ writes: [proposal("wr_2", "c-1")] }),
      ]);
      const reopened = nextStep(pending.row, { state: "unknown", open: true });
      assert.deepEqual(await store.append(appendOf({ writes: [reopened] })), {
        kind: "conflict",
        on: "open",
      });
      assert.deepEqual((await store.readWrite("wr_1"))?.row, pending.row);
      assert.deepEqual(await store.append(appendOf({ writes: [proposal("wr_3", "c-2")] })), appended);
    },
  },
  {
    name: "STORE-3 a conversation without a row is at epoch 0",
    async run({ open }) {
      const store = await open();
      const guarded = (epoch: number) =>
        appendOf({ guards: [{ conversationId: "c-1", epoch }], writes: [proposal("wr_1", "c-1")] });
      assert.deepEqual(await store.append(guarded(1)), { kind: "conflict", on: "epoch" });
      assert.deepEqual(await store.append(guarded(0)), appended);
    },
  },
  {
    name: "STORE-3 guards look at the epoch before the append's own conversation rows, at every one of them",
    async run({ open }) {
      const store = await open();
      await appendAll(store, [
        appendOf({
          conversations: [conversationRow("c-1", { epoch: 1 }), conversationRow("c-2", { epoch: 7 })],
        }),
      ]);
      const step = (first: number, second: number) =>
        appendOf({
          guards: [
            { conversationId: "c-1", epoch: first },
            { conversationId: "c-2", epoch: second },
          ],
          conversations: [conversationRow("c-1", { epoch: 2 })],
        });
      assert.deepEqual(await store.append(step(1, 6)), { kind: "conflict", on: "epoch" });
      assert.deepEqual(await store.append(step(2, 7)), { kind: "conflict", on: "epoch" });
      assert.deepEqual(await store.append(step(1, 7)), appended);
      assert.deepEqual(
        (await store.readConversation("c-1")).conversation,
        conversationRow("c-1", { epoch: 2 }),
      );
    },
  },
  {
    name: "STORE-4 what no correct program appends is rejected and changes nothing",
    async run({ open }) {
      const store = await open();
      const old = proposal("wr_1", "c-1");
      await appendAll(store, [appendOf({ writes: [old], deliveries: [deliveryRow("d-1")] })]);
      const ids = { writes: ["wr_1", "wr_2"], conversations: ["c-1", "c-2", "c-3"], keys: ["k"] };
      const before = await look(store, ids);
      const next = nextStep(old.row);
      const gap = nextStep({ ...old.row, seq: 2 });
      const second = proposal("wr_2", "c-2", { dueAt: 1 });
      const faults = [
        { ...next, events: [journalRow("wr_1", 2), journalRow("wr_1", 2)] as const },
        { ...next, events: [journalRow("wr_1", 2), journalRow("wr_1", 4)] as const },
        { ...next, events: [journalRow("wr_9", 2)] as const },
        { ...next, row: { ...next.row, seq: 3 } },
        { ...next, plains: [plainRow("wr_1", 3)] },
        { ...next, plains: [plainRow("wr_9", 2)] },
        { ...next, row: { ...next.row, conversationId: "c-3" } },
        { ...next, row: { ...next.row, createdAt: 999 } },
        gap,
      ];
      const rest = { conversations: [conversationRow("c-3", { epoch: 3 })], key: keyRow("k") };
      for (const fault of faults) {
        await assert.rejects(store.append(appendOf({ ...rest, writes: [second, fault] })), {
          name: "IntegrityError",
        });
      }
      const twice = appendOf({ ...rest, writes: [second, next, next] });
      await assert.rejects(store.append(twice), { name: "IntegrityError" });
      const known = appendOf({
        ...rest,
        writes: [second, next],
        deliveries: [deliveryRow("d-0", { dueAt: 1 }), deliveryRow("d-1")],
      });
      await assert.rejects(store.append(known), { name: "IntegrityError" });
      assert.deepEqual(await look(store, ids), before);
      assert.deepEqual(await store.append(appendOf({ ...rest, writes: [second, next] })), appended);
    },
  },
];
