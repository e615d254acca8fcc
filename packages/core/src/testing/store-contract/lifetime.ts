import assert from "node:assert/strict";
import { once } from "node:events";
import type { Store, StoreChange } from "../../ports/store.ts";
import { appendOf, conversationRow, inboxRow, keyRow, nextStep, proposal } from "../rows.ts";
import { appendAll, appended, type StoreCase } from "./case.ts";

/** What another handle sees of a store; undefined where nobody else can open it. */
async function otherHandle(
  reopen: ((store: Store) => Promise<Store>) | null,
  store: Store,
): Promise<Store | undefined> {
  return reopen === null ? undefined : reopen(store);
}

export const lifetime: readonly StoreCase[] = [
  {
    name: "STORE-18 a new store is empty, whatever another one holds",
    async run({ open }) {
      const first = await open();
      await appendAll(first, [appendOf({ writes: [proposal("wr_1", "c-1")] })]);
      const second = await open();
      assert.deepEqual(await second.listWrites({ limit: 1 }), { rows: [], nextCursor: null });
    },
  },
  {
    name: "STORE-18 closing finishes what was asked, rejects what is asked later, and can be repeated",
    async run({ open, reopen }) {
      const store = await open();
      const asked = Array.from({ length: 20 }, (_, n) =>
        store.append(
          appendOf({ writes: [proposal(`wr_${String(n).padStart(2, "0")}`, `c-${n}`, { createdAt: n })] }),
        ),
      );
      const closing = store.close();
      assert.deepEqual(
        await Promise.all(asked),
        asked.map(() => appended),
      );
      await closing;
      await store.close();
      await assert.rejects(store.append(appendOf({ writes: [proposal("wr_late", "c-late")] })), /closed/);
      await assert.rejects(store.readWrite("wr_00"), /closed/);
      await assert.rejects(store.ready(), /closed/);
      const other = await otherHandle(reopen, store);
      const kept = other === undefined ? undefined : (await other.listWrites({ limit: 200 })).rows.length;
      assert.equal(kept, reopen === null ? undefined : 20);
    },
  },
  {
    name: "STORE-19 two handles on one store share rows, locks and holds, where a store can be opened twice",
    async run({ open, reopen }) {
      const store = await open();
      const first = proposal("wr_1", "c-1", { dueAt: 1_000 });
      await appendAll(store, [
        appendOf({ conversations: [conversationRow("c-1", { epoch: 1 })], writes: [first] }),
      ]);
      const other = (await otherHandle(reopen, store)) ?? store;
      assert.deepEqual(await other.readWrite("wr_1"), await store.readWrite("wr_1"));
      const rival = appendOf({ writes: [proposal("wr_2", "c-1")] });
      assert.deepEqual(await other.append(rival), { kind: "conflict", on: "open" });
      const stale = appendOf({ guards: [{ conversationId: "c-1", epoch: 0 }] });
      assert.deepEqual(await other.append(stale), { kind: "conflict", on: "epoch" });
      assert.deepEqual(await other.takeDue({ now: 1_000, limit: 1, leaseMs: 100 }), ["wr_1"]);
      assert.deepEqual(await store.takeDue({ now: 1_000, limit: 1, leaseMs: 100 }), []);
      await appendAll(other, [appendOf({ writes: [nextStep(first.row)] })]);
      assert.deepEqual(await store.append(appendOf({ writes: [nextStep(first.row)] })), {
        kind: "conflict",
        on: "seq",
      });
      assert.equal(await store.claimKey(keyRow("k"), 0), "claimed");
      assert.deepEqual(await other.claimKey(keyRow("k"), 0), keyRow("k"));
      assert.deepEqual(
        [await store.receive(inboxRow("m-1"), null), await other.receive(inboxRow("m-1"), null)],
        [true, false],
      );
    },
  },
  {
    name: "STORE-20 a listener hears of every conversation that a commit changed, once it can read the change",
    async run({ open }) {
      const store = await open();
      const heard: StoreChange[] = [];
      const read: Promise<number>[] = [];
      const stop = store.watch((change) => {
        heard.push(change);
        read.push(store.readWrite("wr_1").then((stored) => stored?.row.seq ?? 0));
      });
      const first = proposal("wr_1", "c-1");
      await appendAll(store, [
        appendOf({ writes: [first], conversations: [conversationRow("c-2"), conversationRow("c-1")] }),
        appendOf({ writes: [nextStep(first.row)] }),
      ]);
      const byId = (a: StoreChange, b: StoreChange): number =>
        String(a.conversationId).localeCompare(String(b.conversationId));
      assert.deepEqual(heard.slice(0, 2).sort(byId), [{ conversationId: "c-1" }, { conversationId: "c-2" }]);
      assert.deepEqual(heard.slice(2), [{ conversationId: "c-1" }]);
      // The next append may be there as well by the time that the first change is read.
      const [one = 0, two = 0, three] = await Promise.all(read);
      assert.deepEqual({ first: one >= 1 && two >= 1, second: three }, { first: true, second: 2 });
      stop();
      stop();
      await appendAll(store, [appendOf({ writes: [proposal("wr_3", "c-3")] })]);
      assert.equal(heard.length, 3);
    },
  },
  {
    name: "STORE-20 a listener hears nothing of a conflict, a rejection, or what changes no conversation",
    async run({ open }) {
      const store = await open();
      await appendAll(store, [appendOf({ writes: [proposal("wr_1", "c-1")] })]);
      const heard: StoreChange[] = [];
      store.watch((change) => heard.push(change));
      assert.equal((await store.append(appendOf({ writes: [proposal("wr_2", "c-1")] }))).kind, "conflict");
      await assert.rejects(
        store.append(appendOf({ writes: [nextStep({ ...proposal("wr_1", "c-1").row, seq: 4 })] })),
      );
      await appendAll(store, [appendOf({ key: keyRow("k") })]);
      await store.receive(inboxRow("m-1"), null);
      assert.deepEqual(heard, []);
    },
  },
  {
    name: "STORE-20 a listener that throws harms neither the commit nor the next listener, and is warned of",
    async run({ open }) {
      const store = await open();
      const heard: StoreChange[] = [];
      const warned = once(process, "warning");
      store.watch(() => {
        throw new Error("a listener that throws on purpose");
      });
      store.watch((change) => heard.push(change));
      await appendAll(store, [appendOf({ writes: [proposal("wr_1", "c-1")] })]);
      assert.deepEqual(heard, [{ conversationId: "c-1" }]);
      const [warning]: unknown[] = await warned;
      assert.match(String(warning), /a listener that throws on purpose/);
    },
  },
  {
    name: "STORE-21 a listener hears of another handle's commit within two seconds, where a store can be opened twice",
    async run({ open, reopen }) {
      const store = await open();
      await store.ready();
      const other = (await otherHandle(reopen, store)) ?? store;
      const heard = new Promise<StoreChange>((resolve, reject) => {
        const deadline = setTimeout(
          () => reject(new assert.AssertionError({ message: "nothing heard" })),
          2_000,
        );
        store.watch((change) => {
          clearTimeout(deadline);
          resolve(change);
        });
      });
      await appendAll(other, [appendOf({ writes: [proposal("wr_1", "c-1")] })]);
      const { conversationId } = await heard;
      // Another handle's change may be told without an id: look at everything.
      if (conversationId !== null || reopen === null) assert.equal(conversationId, "c-1");
    },
  },
];
