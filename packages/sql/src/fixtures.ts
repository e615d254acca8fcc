import type { Append, ConversationRow, Store, WriteAppend } from "@countersign/core";
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

/** An append that may mean anything, in a world so small that it often meets another. */
export const anyAppend: fc.Arbitrary<Append> = fc
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

/** All that can be read of that world. */
export async function everything(store: Store): Promise<unknown> {
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

/** The answers to appends, asked together or one after the other. */
export async function answers(
  store: Store,
  appends: readonly Append[],
  together: boolean,
): Promise<readonly unknown[]> {
  if (together) return Promise.all(appends.map((one) => outcome(store.append(one))));
  const list: unknown[] = [];
  for (const one of appends) list.push(await outcome(store.append(one)));
  return list;
}
