import assert from "node:assert/strict";
import type { Store } from "../../ports/store.ts";
import { appendOf, keyRow, nextStep, plainRow, proposal } from "../rows.ts";
import { appendAll, type StoreCase } from "./case.ts";

async function plainsOf(store: Store, ids: readonly string[]): Promise<readonly (number | undefined)[]> {
  const found = await Promise.all(ids.map((id) => store.readWrite(id)));
  return found.map((stored) => stored?.plains.length);
}

export const retention: readonly StoreCase[] = [
  {
    name: "STORE-34 keys whose time is over are deleted, few at a time, and no others",
    async run({ open }) {
      const store = await open();
      for (const n of [1, 2, 3, 4, 5]) {
        await store.claimKey(keyRow(`k-${n}`, { keepUntil: n * 1_000 }), 0);
      }
      const purge = (now: number) => store.purgeKeys({ now, limit: 2 });
      assert.deepEqual([await purge(999), await purge(3_999)], [0, 2]);
      assert.deepEqual([await purge(3_999), await purge(3_999)], [1, 0]);
      const kept = await Promise.all([1, 2, 3, 4, 5].map((n) => store.findKey("bot", `k-${n}`, 0)));
      assert.deepEqual(
        kept.map((row) => row?.key),
        [undefined, undefined, undefined, "k-4", "k-5"],
      );
      assert.equal(await purge(4_000), 1);
    },
  },
  {
    name: "STORE-34 plain values of writes that ended before a time are dropped, and no others",
    async run({ open }) {
      const store = await open();
      const ended = { state: "applied", open: false } as const;
      // Events are of 1001, 1002, …: see `journalRow`.
      const lateWrite = proposal("wr_late", "c-2", ended);
      await appendAll(store, [
        appendOf({ writes: [proposal("wr_ended", "c-1", ended), lateWrite] }),
        appendOf({ writes: [{ ...nextStep(lateWrite.row), plains: [plainRow("wr_late", 2)] }] }),
        appendOf({
          writes: [proposal("wr_waits", "c-3"), proposal("wr_pending", "c-4", { state: "pending" })],
        }),
        appendOf({ writes: [proposal("wr_young", "c-5", { ...ended, createdAt: 1_002 })] }),
      ]);
      const ids = ["wr_ended", "wr_late", "wr_waits", "wr_pending", "wr_young"];
      const all = (endedBefore: number) => store.purgePlain({ endedBefore, limit: 9, cursor: null });
      assert.equal(await all(1_001), null);
      assert.deepEqual(await plainsOf(store, ids), [1, 2, 1, 1, 1]);
      assert.equal(await all(1_002), null);
      assert.deepEqual(await plainsOf(store, ids), [0, 2, 1, 1, 1]);
      assert.equal(await all(9_000), null);
      assert.deepEqual(await plainsOf(store, ids), [0, 0, 1, 1, 0]);
      assert.deepEqual((await store.readWrite("wr_late"))?.events.length, 2);
    },
  },
  {
    name: "STORE-34 a look for old values goes on where it stopped, oldest first, and ends",
    async run({ open }) {
      const store = await open();
      const ids = ["wr_a", "wr_b", "wr_c", "wr_d", "wr_e"];
      // Two of one millisecond: their ids say which is first.
      const times = [1, 2, 2, 3, 4];
      await appendAll(
        store,
        ids.map((id, n) =>
          appendOf({
            writes: [proposal(id, `c of ${id}`, { state: "expired", open: false, createdAt: times[n] ?? 0 })],
          }),
        ),
      );
      const seen: unknown[] = [];
      let cursor: string | null = null;
      do {
        cursor = await store.purgePlain({ endedBefore: 9_000, limit: 2, cursor });
        seen.push(await plainsOf(store, ids));
      } while (cursor !== null);
      assert.deepEqual(seen, [
        [0, 0, 1, 1, 1],
        [0, 0, 0, 0, 1],
        [0, 0, 0, 0, 0],
      ]);
    },
  },
];
