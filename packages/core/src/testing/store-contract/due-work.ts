import assert from "node:assert/strict";
import type { DeliveryRow } from "../../ports/store.ts";
import { appendOf, deliveryRow, nextStep, proposal } from "../rows.ts";
import { appendAll, type StoreCase } from "./case.ts";

export const dueWork: readonly StoreCase[] = [
  {
    name: "STORE-12 a write is taken when it is due, and not a millisecond before",
    async run({ open }) {
      const store = await open();
      await appendAll(store, [
        appendOf({ writes: [proposal("wr_1", "c-1", { dueAt: 2_000 })] }),
        appendOf({ writes: [proposal("wr_never", "c-2")] }),
      ]);
      assert.deepEqual(await store.takeDue({ now: 1_999, limit: 10, leaseMs: 100 }), []);
      assert.deepEqual(await store.takeDue({ now: 2_000, limit: 10, leaseMs: 100 }), ["wr_1"]);
    },
  },
  {
    name: "STORE-12 due writes are taken soonest first, up to the limit",
    async run({ open }) {
      const store = await open();
      await appendAll(
        store,
        [300, 100, 400, 200].map((dueAt) =>
          appendOf({ writes: [proposal(`wr_${dueAt}`, `c-${dueAt}`, { dueAt })] }),
        ),
      );
      assert.deepEqual(await store.takeDue({ now: 350, limit: 2, leaseMs: 100 }), ["wr_100", "wr_200"]);
      assert.deepEqual(await store.takeDue({ now: 350, limit: 2, leaseMs: 100 }), ["wr_300"]);
      assert.deepEqual(await store.takeDue({ now: 350, limit: 2, leaseMs: 100 }), []);
    },
  },
  {
    name: "STORE-13 a taken write is nobody else's until the hold ends, to the millisecond",
    async run({ open }) {
      const store = await open();
      await appendAll(store, [appendOf({ writes: [proposal("wr_1", "c-1", { dueAt: 1_000 })] })]);
      assert.deepEqual(await store.takeDue({ now: 1_000, limit: 1, leaseMs: 500 }), ["wr_1"]);
      assert.deepEqual(await store.takeDue({ now: 1_499, limit: 1, leaseMs: 500 }), []);
      assert.deepEqual(await store.takeDue({ now: 1_500, limit: 1, leaseMs: 500 }), ["wr_1"]);
    },
  },
  {
    name: "STORE-13 an append ends the hold",
    async run({ open }) {
      const store = await open();
      const first = proposal("wr_1", "c-1", { dueAt: 1_000 });
      await appendAll(store, [appendOf({ writes: [first] })]);
      assert.deepEqual(await store.takeDue({ now: 1_000, limit: 1, leaseMs: 60_000 }), ["wr_1"]);
      await appendAll(store, [
        appendOf({ writes: [nextStep(first.row, { state: "unknown", dueAt: 1_200 })] }),
      ]);
      assert.equal(await store.nextDueAt(1_001), 1_200);
      assert.deepEqual(await store.takeDue({ now: 1_200, limit: 1, leaseMs: 60_000 }), ["wr_1"]);
    },
  },
  {
    name: "STORE-13 workers that take at once share the due writes without overlap",
    async run({ open }) {
      const store = await open();
      const ids = Array.from({ length: 40 }, (_, n) => `wr_${n}`);
      await Promise.all(
        ids.map((id) => store.append(appendOf({ writes: [proposal(id, `c of ${id}`, { dueAt: 1 })] }))),
      );
      const taken = await Promise.all(
        Array.from({ length: 10 }, () => store.takeDue({ now: 1, limit: 7, leaseMs: 100 })),
      );
      assert.deepEqual(taken.flat().sort(), [...ids].sort());
    },
  },
  {
    name: "STORE-12 the next due time is the earliest of any write or delivery that nobody holds",
    async run({ open }) {
      const store = await open();
      assert.equal(await store.nextDueAt(0), null);
      await appendAll(store, [
        appendOf({
          writes: [proposal("wr_1", "c-1", { dueAt: 300 })],
          deliveries: [deliveryRow("d-1", { dueAt: 200 })],
        }),
      ]);
      assert.equal(await store.nextDueAt(0), 200);
      await store.takeDeliveries({ now: 200, limit: 1, leaseMs: 1_000 });
      assert.equal(await store.nextDueAt(200), 300);
      await store.takeDue({ now: 300, limit: 1, leaseMs: 1_000 });
      assert.equal(await store.nextDueAt(1_199), null);
      assert.equal(await store.nextDueAt(1_200), 200);
      await store.finishDelivery("d-1");
      assert.equal(await store.nextDueAt(1_299), null);
      assert.equal(await store.nextDueAt(1_300), 300);
    },
  },
  {
    name: "STORE-14 a delivery is taken when it is due, whole, with this attempt counted, and held",
    async run({ open }) {
      const store = await open();
      const later = deliveryRow("d-a", { dueAt: 3_000 });
      const sooner = deliveryRow("d-b", {
        kind: "outcome",
        writeId: "wr_1",
        body: "{}",
        dueAt: 2_000,
        attempts: 2,
      });
      await appendAll(store, [appendOf({ deliveries: [later, sooner] })]);
      const take = (now: number, limit = 9) => store.takeDeliveries({ now, limit, leaseMs: 500 });
      assert.deepEqual(await take(1_999), []);
      assert.deepEqual(await take(2_000), [{ ...sooner, attempts: 3 }]);
      assert.deepEqual(await take(2_499), []);
      assert.deepEqual(await take(3_000, 1), [{ ...sooner, attempts: 4 }]);
      assert.deepEqual(await take(3_000, 1), [{ ...later, attempts: 1 }]);
    },
  },
  {
    name: "STORE-14 a delivery that was handed back is taken again at its new time, one that is finished never",
    async run({ open }) {
      const store = await open();
      await appendAll(store, [appendOf({ deliveries: [deliveryRow("d-1"), deliveryRow("d-2")] })]);
      await store.takeDeliveries({ now: 2_000, limit: 2, leaseMs: 60_000 });
      await store.retryDelivery("d-1", 2_300);
      await store.finishDelivery("d-2");
      await store.finishDelivery("d-2");
      await store.retryDelivery("d-2", 2_100);
      assert.deepEqual(await store.takeDeliveries({ now: 2_299, limit: 2, leaseMs: 1 }), []);
      assert.deepEqual(await store.takeDeliveries({ now: 2_300, limit: 2, leaseMs: 1 }), [
        deliveryRow("d-1", { dueAt: 2_300, attempts: 2 }),
      ]);
      assert.deepEqual(
        (await store.takeDeliveries({ now: 99_999, limit: 2, leaseMs: 1 })).map((row) => row.id),
        ["d-1"],
      );
    },
  },
  {
    name: "STORE-35 the deliveries of one write and kind are taken one after the other, whenever each is due",
    async run({ open }) {
      const store = await open();
      const told = (id: string, rest: Partial<DeliveryRow> = {}): DeliveryRow =>
        deliveryRow(id, { writeId: "wr_1", kind: "outcome", ...rest });
      const first = told("d-1", { dueAt: 2_000 });
      const second = told("d-2", { dueAt: 1_000 });
      const otherKind = told("d-3", { kind: "receipt", dueAt: 1_500 });
      const otherWrite = told("d-4", { writeId: "wr_2", dueAt: 1_500 });
      await appendAll(store, [appendOf({ deliveries: [second, first, otherKind, otherWrite] })]);
      const take = async (now: number) =>
        (await store.takeDeliveries({ now, limit: 9, leaseMs: 10 })).map(({ id }) => id).sort();
      assert.deepEqual(await take(1_500), ["d-3", "d-4"]);
      assert.deepEqual(await take(2_000), ["d-1", "d-3", "d-4"]);
      await store.retryDelivery("d-1", 9_000);
      assert.deepEqual(await take(8_000), ["d-3", "d-4"]);
      await store.finishDelivery("d-1");
      assert.deepEqual(await take(8_005), ["d-2"]);
    },
  },
  {
    name: "STORE-14 workers that take at once share the due deliveries without overlap",
    async run({ open }) {
      const store = await open();
      const rows = Array.from({ length: 40 }, (_, n) => deliveryRow(`d-${n}`));
      await appendAll(store, [appendOf({ deliveries: rows })]);
      const taken = await Promise.all(
        Array.from({ length: 10 }, () => store.takeDeliveries({ now: 2_000, limit: 7, leaseMs: 100 })),
      );
      assert.deepEqual(
        taken
          .flat()
          .map((row) => row.id)
          .sort(),
        rows.map((row) => row.id).sort(),
      );
    },
  },
];
