import assert from "node:assert/strict";
import type { AppendResult } from "../../ports/store.ts";
import { appendOf, deliveryRow, keyRow, nextStep, proposal } from "../rows.ts";
import { appendAll, appended, type StoreCase } from "./case.ts";

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function countBy(results: readonly AppendResult[]): { readonly [kind: string]: number } {
  const counts: { [kind: string]: number } = {};
  for (const result of results) {
    const kind = result.kind === "appended" ? "appended" : result.on;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

export const concurrency: readonly StoreCase[] = [
  {
    name: "STORE-2 of 200 proposals at once in one conversation exactly one is appended",
    async run({ open }) {
      const store = await open();
      const results = await Promise.all(
        numbers(200).map((n) =>
          store.append(appendOf({ writes: [proposal(`wr_${n}`, "c-1", { createdAt: n })] })),
        ),
      );
      assert.deepEqual(countBy(results), { appended: 1, open: 199 });
      const { rows } = await store.listWrites({ limit: 200 });
      const { openWriteId } = await store.readConversation("c-1");
      assert.deepEqual(
        rows.map((row) => row.id),
        [openWriteId],
      );
    },
  },
  {
    name: "STORE-6 of 50 next events at once of one write exactly one is appended",
    async run({ open }) {
      const store = await open();
      const first = proposal("wr_1", "c-1");
      await appendAll(store, [appendOf({ writes: [first] })]);
      const results = await Promise.all(
        numbers(50).map((n) => store.append(appendOf({ writes: [nextStep(first.row, { version: n })] }))),
      );
      assert.deepEqual(countBy(results), { appended: 1, seq: 49 });
      const stored = await store.readWrite("wr_1");
      assert.deepEqual(
        { seqs: stored?.events.map((event) => event.seq), version: stored?.row.version },
        { seqs: [1, 2], version: results.findIndex((result) => result.kind === "appended") },
      );
    },
  },
  {
    name: "STORE-6 300 proposals at once in as many conversations are all appended",
    async run({ open }) {
      const store = await open();
      const results = await Promise.all(
        numbers(300).map((n) => store.append(appendOf({ writes: [proposal(`wr_${n}`, `c-${n}`)] }))),
      );
      assert.deepEqual(countBy(results), { appended: 300 });
      const opened = await Promise.all(numbers(300).map((n) => store.readConversation(`c-${n}`)));
      assert.deepEqual(
        opened.map((conversation) => conversation.openWriteId),
        numbers(300).map((n) => `wr_${n}`),
      );
    },
  },
  {
    name: "STORE-6 an append that is rejected or conflicts does no harm to those asked at the same time",
    async run({ open }) {
      const store = await open();
      await appendAll(store, [
        appendOf({ writes: [proposal("wr_taken", "c-taken")], deliveries: [deliveryRow("d-0")] }),
      ]);
      const gap = nextStep({ ...proposal("wr_taken", "c-taken").row, seq: 5 });
      const asked = numbers(20).map((n) => {
        const writes = [proposal(`wr_${n}`, `c-${n}`)];
        const key = keyRow(`k-${n}`);
        // Found out only after the rest of it was written.
        if (n === 7) return appendOf({ writes, key, deliveries: [deliveryRow("d-7"), deliveryRow("d-0")] });
        if (n === 11) return appendOf({ writes: [...writes, gap], key });
        if (n === 13) return appendOf({ writes: [...writes, proposal("wr_other", "c-taken")], key });
        return appendOf({ writes, key, deliveries: [deliveryRow(`d-${n + 100}`)] });
      });
      const results = await Promise.allSettled(asked.map((append) => store.append(append)));
      const bad = new Map<number, unknown>([
        [7, "IntegrityError"],
        [11, "IntegrityError"],
        [13, { kind: "conflict", on: "open" }],
      ]);
      assert.deepEqual(
        results.map((result) => (result.status === "fulfilled" ? result.value : result.reason.name)),
        numbers(20).map((n) => bad.get(n) ?? appended),
      );
      for (const n of numbers(20)) {
        const there = !bad.has(n);
        assert.equal((await store.readWrite(`wr_${n}`)) !== undefined, there, `write ${n}`);
        assert.equal((await store.findKey("bot", `k-${n}`, 0)) !== undefined, there, `key ${n}`);
      }
      const deliveries = await store.takeDeliveries({ now: 9_000, limit: 100, leaseMs: 1 });
      assert.deepEqual(
        deliveries.map((row) => row.id).sort(),
        [
          "d-0",
          ...numbers(20)
            .filter((n) => !bad.has(n))
            .map((n) => `d-${n + 100}`),
        ].sort(),
      );
    },
  },
  {
    name: "STORE-2 two proposals at once in each of many conversations: the one asked first is appended, and its rival harms nobody",
    async run({ open }) {
      const store = await open();
      const asked = numbers(80).map((n) => proposal(`wr_${n}`, `c-${n % 40}`));
      const results = await Promise.all(asked.map((write) => store.append(appendOf({ writes: [write] }))));
      assert.deepEqual(
        results,
        numbers(80).map((n) => (n < 40 ? appended : { kind: "conflict", on: "open" })),
      );
      const opened = await Promise.all(numbers(40).map((n) => store.readConversation(`c-${n}`)));
      assert.deepEqual(
        opened.map(({ openWriteId }) => openWriteId),
        numbers(40).map((n) => `wr_${n}`),
      );
    },
  },
  {
    name: "STORE-6 a step and a proposal that one store is asked for at once are both appended, with their keys and deliveries",
    async run({ open }) {
      const store = await open();
      const standing = numbers(20).map((n) => proposal(`wr_old_${n}`, `c-old-${n}`));
      await Promise.all(standing.map((write) => store.append(appendOf({ writes: [write] }))));
      const results = await Promise.all(
        standing.flatMap(({ row }, n) => [
          store.append(
            appendOf({
              guards: [{ conversationId: row.conversationId, epoch: 0 }],
              writes: [nextStep(row, { state: "running" })],
              deliveries: n % 2 === 0 ? [deliveryRow(`d-${n}`)] : [],
            }),
          ),
          store.append(
            appendOf({
              guards: [{ conversationId: `c-new-${n}`, epoch: n === 3 ? 1 : 0 }],
              writes: [proposal(`wr_new_${n}`, `c-new-${n}`)],
              key: n % 3 === 0 ? keyRow(`k-${n}`, { writeId: `wr_new_${n}` }) : null,
            }),
          ),
        ]),
      );
      assert.deepEqual(countBy(results), { appended: 39, epoch: 1 });
      const keys = await Promise.all(numbers(20).map((n) => store.findKey("bot", `k-${n}`, 0)));
      assert.deepEqual(
        keys.flatMap((key) => key?.writeId ?? []),
        [0, 6, 9, 12, 15, 18].map((n) => `wr_new_${n}`),
      );
      const taken = await store.takeDeliveries({ now: 9_000, limit: 99, leaseMs: 1 });
      assert.equal(taken.length, 10);
      const states = await Promise.all(standing.map(({ row }) => store.readWrite(row.id)));
      assert.deepEqual(
        states.map((stored) => [stored?.row.state, stored?.events.length]),
        numbers(20).map(() => ["running", 2]),
      );
    },
  },
  {
    name: "STORE-19 two handles that append to the same conversations in opposite orders at once both go on, and each append is whole",
    async run({ open, reopen }) {
      const store = await open();
      const other = reopen === null ? store : await reopen(store);
      const pairs = numbers(30);
      const both = (name: string, n: number, order: 1 | -1) =>
        appendOf({
          writes: [0, 1]
            .map((side) => proposal(`wr_${name}_${n}_${side}`, `c-${(n + side) % 30}`))
            .sort((a, b) => order * a.row.id.localeCompare(b.row.id)),
          deliveries: [deliveryRow(`d-${name}-${n}`)],
        });
      const results = await Promise.all([
        ...pairs.map((n) => store.append(both("a", n, 1))),
        ...[...pairs].reverse().map((n) => other.append(both("b", n, -1))),
      ]);
      const counts = countBy(results);
      assert.deepEqual(Object.keys(counts).sort(), ["appended", "open"]);
      // Each append that got its place took two conversations, and its delivery with it.
      const { rows } = await store.listWrites({ limit: 200 });
      assert.equal(rows.length, 2 * (counts.appended ?? 0));
      assert.equal(new Set(rows.map((row) => row.conversationId)).size, rows.length);
      const taken = await store.takeDeliveries({ now: 9_000, limit: 99, leaseMs: 1 });
      assert.equal(taken.length, counts.appended);
    },
  },
];
