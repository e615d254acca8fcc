import assert from "node:assert/strict";
import { appendOf, nextStep, proposal } from "../rows.ts";
import { appendAll, type StoreCase } from "./case.ts";

export const holds: readonly StoreCase[] = [
  {
    name: "STORE-31 a write is held by one at a time, due or not, to the millisecond",
    async run({ open }) {
      const store = await open();
      await appendAll(store, [appendOf({ writes: [proposal("wr_1", "c-1", { dueAt: 1_000 })] })]);
      const hold = (now: number) => store.holdWrite({ writeId: "wr_1", now, leaseMs: 500 });
      assert.deepEqual([await hold(900), await hold(901), await hold(1_399)], [true, false, false]);
      assert.deepEqual(await store.takeDue({ now: 1_399, limit: 9, leaseMs: 500 }), []);
      assert.deepEqual([await store.nextDueAt(1_399), await store.nextDueAt(1_400)], [null, 1_000]);
      assert.deepEqual(await store.takeDue({ now: 1_400, limit: 9, leaseMs: 500 }), ["wr_1"]);
      assert.deepEqual([await hold(1_899), await hold(1_900)], [false, true]);
      assert.equal(await store.holdWrite({ writeId: "wr_nobody", now: 1, leaseMs: 500 }), false);
    },
  },
  {
    name: "STORE-31 of 50 who want to hold a write at once exactly one does",
    async run({ open }) {
      const store = await open();
      await appendAll(store, [appendOf({ writes: [proposal("wr_1", "c-1")] })]);
      const held = await Promise.all(
        Array.from({ length: 50 }, () => store.holdWrite({ writeId: "wr_1", now: 1_000, leaseMs: 500 })),
      );
      assert.deepEqual(held.filter(Boolean), [true]);
    },
  },
  {
    name: "STORE-31 a hold ends with an append, or when it is given up, and nobody gives up another's",
    async run({ open }) {
      const store = await open();
      const first = proposal("wr_1", "c-1", { dueAt: 1_000 });
      await appendAll(store, [appendOf({ writes: [first] })]);
      const hold = (now: number) => store.holdWrite({ writeId: "wr_1", now, leaseMs: 500 });
      assert.equal(await hold(1_000), true);
      await appendAll(store, [appendOf({ writes: [nextStep(first.row)] })]);
      assert.equal(await hold(1_001), true);
      await store.releaseWrite("wr_1", 1_500);
      assert.equal(await hold(1_002), false);
      await store.releaseWrite("wr_1", 1_501);
      await store.releaseWrite("wr_nobody", 1_501);
      assert.deepEqual(await store.takeDue({ now: 1_002, limit: 9, leaseMs: 500 }), ["wr_1"]);
    },
  },
];
