import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Append,
  type ConversationRow,
  memoryStore,
  type Store,
  type WriteAppend,
} from "@countersign/core";
import {
  appendOf,
  conversationRow,
  deliveryRow,
  journalRow,
  keyRow,
  plainRow,
  writeRow,
} from "@countersign/core/testing";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sqliteStore } from "./store.ts";

let directory = "";
let files = 0;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "countersign-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

// Few ids and small numbers, so that appends meet each other all the time.
const small = fc.integer({ min: 0, max: 2 });
const conversationId = small.map((n) => `c-${n}`);

const write: fc.Arbitrary<WriteAppend> = fc
  .record({
    id: fc.integer({ min: 0, max: 4 }),
    seq: fc.integer({ min: 1, max: 3 }),
    more: small,
    open: fc.boolean(),
    dueAt: fc.option(small),
  })
  .map(({ id, seq, more, open, dueAt }) => {
    const writeId = `wr_${id}`;
    const last = seq + more;
    const events = Array.from({ length: more }, (_, n) => journalRow(writeId, seq + 1 + n));
    return {
      row: writeRow(writeId, `c-${id % 3}`, { seq: last, open, dueAt }),
      events: [journalRow(writeId, seq), ...events],
      plains: [plainRow(writeId, last)],
    };
  });

const conversation: fc.Arbitrary<ConversationRow> = fc
  .record({ id: conversationId, epoch: small, address: fc.option(fc.constantFrom("555-0101", "555-0102")) })
  .map(({ id, epoch, address }) =>
    conversationRow(id, { epoch, address, channel: address === null ? null : "whatsapp" }),
  );

const append: fc.Arbitrary<Append> = fc
  .record({
    guards: fc.array(fc.record({ conversationId, epoch: fc.constantFrom(0, 0, 0, 1, 2) }), { maxLength: 1 }),
    conversations: fc.array(conversation, { maxLength: 3 }),
    writes: fc.array(write, { maxLength: 3 }),
    key: fc.option(
      fc
        .record({ key: small, keepUntil: small })
        .map(({ key, keepUntil }) => keyRow(`k-${key}`, { keepUntil })),
    ),
    deliveries: fc.array(
      fc.integer({ min: 0, max: 30 }).map((n) => deliveryRow(`d-${n}`, { dueAt: n })),
      { maxLength: 1 },
    ),
    now: small,
  })
  .map(appendOf);

async function everything(store: Store): Promise<unknown> {
  const ids = [0, 1, 2, 3, 4];
  return {
    listed: await store.listWrites({ limit: 200 }),
    writes: await Promise.all(ids.map((n) => store.readWrite(`wr_${n}`))),
    conversations: await Promise.all(ids.map((n) => store.readConversation(`c-${n}`))),
    addresses: await Promise.all(
      ["555-0101", "555-0102"].map((address) => store.findConversationByAddress("whatsapp", address)),
    ),
    keys: await Promise.all(ids.map((n) => store.findKey("bot", `k-${n}`, 0))),
    nextDueAt: await store.nextDueAt(1),
  };
}

async function outcome(asked: Promise<unknown>): Promise<unknown> {
  return asked.catch((error: unknown) =>
    error instanceof Error ? `${error.name}: ${error.message}` : error,
  );
}

test("STORE-29 whatever is appended, the memory store and the SQLite store answer and hold the same", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(append, { minLength: 1, maxLength: 20 }),
      fc.boolean(),
      async (appends, together) => {
        files += 1;
        const memory = memoryStore();
        const sqlite = sqliteStore({ file: join(directory, `${files}.db`) });
        try {
          const answers = async (store: Store): Promise<unknown> => {
            if (together) return Promise.all(appends.map((one) => outcome(store.append(one))));
            const list: unknown[] = [];
            for (const one of appends) list.push(await outcome(store.append(one)));
            return list;
          };
          expect(await answers(sqlite)).toEqual(await answers(memory));
          expect(await everything(sqlite)).toEqual(await everything(memory));
          const take = { now: 50, limit: 100, leaseMs: 10 };
          expect(await sqlite.takeDue(take)).toEqual(await memory.takeDue(take));
          expect(await sqlite.takeDeliveries(take)).toEqual(await memory.takeDeliveries(take));
        } finally {
          await sqlite.close();
        }
      },
    ),
    { numRuns: 60 },
  );
}, 60_000);
