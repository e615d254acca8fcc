import assert from "node:assert/strict";
import { appendOf, deliveryRow, inboxRow } from "../rows.ts";
import { appendAll, type StoreCase } from "./case.ts";

/** Messages that come in, and what is to be done about them. */
export const incoming: readonly StoreCase[] = [
  {
    name: "STORE-39 of many who hand over one incoming message at once one keeps it, with one delivery, which is that one's",
    async run({ open, reopen }) {
      const store = await open();
      const other = reopen === null ? store : await reopen(store);
      const deliveries = Array.from({ length: 20 }, (_, n) =>
        deliveryRow(`d-${n}`, { kind: "inbound", body: `{"n":${n}}` }),
      );
      const kept = await Promise.all(
        deliveries.map((row, n) => (n % 2 === 0 ? store : other).receive(inboxRow("m-1"), row)),
      );
      assert.equal(kept.filter(Boolean).length, 1);
      const winner = deliveries[kept.indexOf(true)];
      assert.deepEqual(await store.takeDeliveries({ now: 2_000, limit: 99, leaseMs: 1 }), [
        { ...winner, attempts: 1 },
      ]);
    },
  },
  {
    name: "STORE-39 a message that comes again adds no delivery, whatever it is, and one without a delivery adds none",
    async run({ open }) {
      const store = await open();
      assert.equal(await store.receive(inboxRow("m-1"), null), true);
      assert.equal(await store.receive(inboxRow("m-1"), deliveryRow("d-1")), false);
      assert.equal(await store.nextDueAt(0), null);
      assert.equal(await store.receive(inboxRow("m-2"), deliveryRow("d-2", { dueAt: 1_500 })), true);
      assert.equal(await store.nextDueAt(0), 1_500);
    },
  },
  {
    name: "STORE-39 a message whose delivery cannot be kept is rejected and not kept either",
    async run({ open }) {
      const store = await open();
      await appendAll(store, [appendOf({ deliveries: [deliveryRow("d-1")] })]);
      await assert.rejects(store.receive(inboxRow("m-1"), deliveryRow("d-1")), { name: "IntegrityError" });
      assert.equal(await store.receive(inboxRow("m-1"), deliveryRow("d-2")), true);
      // Of a message that is there already nothing is kept, so nothing is in the way.
      assert.equal(await store.receive(inboxRow("m-1"), deliveryRow("d-1")), false);
      const taken = await store.takeDeliveries({ now: 2_000, limit: 9, leaseMs: 1 });
      assert.deepEqual(taken.map(({ id }) => id).sort(), ["d-1", "d-2"]);
    },
  },
  {
    name: "STORE-40 a delivery that is handed back keeps its body, or has the new one from then on",
    async run({ open }) {
      const store = await open();
      const rows = ["d-1", "d-2"].map((id) => deliveryRow(id, { body: '{"part":1}' }));
      await appendAll(store, [appendOf({ deliveries: rows })]);
      const take = (now: number) => store.takeDeliveries({ now, limit: 9, leaseMs: 50 });
      await take(2_000);
      await store.retryDelivery("d-1", 2_100, '{"part":2}');
      await store.retryDelivery("d-2", 2_100);
      await store.retryDelivery("d-gone", 2_100, "{}");
      assert.deepEqual(await take(2_099), []);
      const again = { dueAt: 2_100, attempts: 2 };
      assert.deepEqual(await take(2_100), [
        deliveryRow("d-1", { ...again, body: '{"part":2}' }),
        deliveryRow("d-2", { ...again, body: '{"part":1}' }),
      ]);
      await store.retryDelivery("d-1", 2_200);
      assert.deepEqual(await take(2_200), [
        deliveryRow("d-2", { dueAt: 2_100, attempts: 3, body: '{"part":1}' }),
        deliveryRow("d-1", { dueAt: 2_200, attempts: 3, body: '{"part":2}' }),
      ]);
    },
  },
  {
    name: "STORE-41 incoming messages received before a time are deleted, few at a time, and no others",
    async run({ open }) {
      const store = await open();
      // Not in the order of their times.
      for (const n of [3, 1, 5, 2, 4]) {
        const message = inboxRow(`m-${n}`, { receivedAt: n * 1_000 });
        assert.equal(await store.receive(message, n === 1 ? deliveryRow("d-1") : null), true);
      }
      const purge = (receivedBefore: number) => store.purgeInbox({ receivedBefore, limit: 2 });
      assert.deepEqual([await purge(1_000), await purge(3_001)], [0, 2]);
      assert.deepEqual([await purge(3_001), await purge(3_001)], [1, 0]);
      // What is deleted can come again; what is kept cannot.
      const again = await Promise.all(
        [1, 2, 3, 4, 5].map((n) => store.receive(inboxRow(`m-${n}`, { receivedAt: 9_000 }), null)),
      );
      assert.deepEqual(again, [true, true, true, false, false]);
      // What is still to be done about a message does not go with it.
      assert.equal(await store.nextDueAt(0), 2_000);
    },
  },
];
