import { IntegrityError } from "../base/errors.ts";
import { isSameConversation } from "../ports/same-conversation.ts";
import type { Append, AppendResult, ConversationRow, Guard, WriteAppend } from "../ports/store.ts";
import { eraseFrom, missesCustomer } from "./erase.ts";
import { type Changes, type MemoryTables, pair, putDelivery, recordChanges } from "./tables.ts";

type Conflict = Extract<AppendResult, { kind: "conflict" }>["on"];

function putConversation(tables: MemoryTables, changes: Changes, row: ConversationRow): Conflict | undefined {
  const before = tables.conversations.get(row.id);
  if (before !== undefined && before.channel !== null && before.address !== null) {
    changes.remove(tables.addresses, pair(before.channel, before.address));
  }
  if (row.channel !== null && row.address !== null) {
    const address = pair(row.channel, row.address);
    if (tables.addresses.has(address)) return "address";
    changes.set(tables.addresses, address, row.id);
  }
  changes.set(tables.conversations, row.id, { ...row });
  return undefined;
}

function putWrite(tables: MemoryTables, changes: Changes, write: WriteAppend): Conflict | undefined {
  const { row, events, plains } = write;
  const before = tables.writes.get(row.id);
  const next = (before?.row.seq ?? 0) + 1;
  if (events[0].seq < next) return "seq";
  if (events[0].seq > next) {
    throw new IntegrityError(
      `an append of write ${row.id} starts at event ${events[0].seq} where ${next} follows; read it again`,
    );
  }
  if (before !== undefined) {
    if (before.row.conversationId !== row.conversationId || before.row.createdAt !== row.createdAt) {
      throw new IntegrityError(
        `write ${row.id} cannot change its conversation or time of creation; keep both as they are`,
      );
    }
    if (before.row.open) changes.remove(tables.openWrites, row.conversationId);
  }
  if (row.open) {
    if (tables.openWrites.has(row.conversationId)) return "open";
    changes.set(tables.openWrites, row.conversationId, row.id);
  }
  changes.set(tables.writes, row.id, {
    row: { ...row },
    events: [...(before?.events ?? []), ...events.map((event) => ({ ...event }))],
    plains: [...(before?.plains ?? []), ...plains.map((plain) => ({ ...plain }))].sort(
      (a, b) => a.seq - b.seq,
    ),
    leaseUntil: 0,
  });
  return undefined;
}

function holds(tables: MemoryTables, { conversationId, epoch, row, customerRef }: Guard): boolean {
  const standing = tables.conversations.get(conversationId) ?? null;
  return (
    (standing?.epoch ?? 0) === epoch &&
    (row === undefined || isSameConversation(standing, row)) &&
    (customerRef === undefined || tables.customerIds.has(customerRef))
  );
}

function putAll(tables: MemoryTables, changes: Changes, append: Append): Conflict | undefined {
  if (!append.guards.every((guard) => holds(tables, guard))) return "epoch";
  if (missesCustomer(tables, append)) return "customer";
  if (append.key !== null) {
    const key = pair(append.key.scope, append.key.key);
    const taken = tables.keys.get(key);
    if (taken !== undefined && taken.keepUntil > append.now) return "key";
    changes.set(tables.keys, key, { ...append.key });
  }
  for (const row of append.conversations) {
    const conflict = putConversation(tables, changes, row);
    if (conflict !== undefined) return conflict;
  }
  for (const write of append.writes) {
    const conflict = putWrite(tables, changes, write);
    if (conflict !== undefined) return conflict;
  }
  for (const row of append.deliveries) putDelivery(tables, changes, row);
  if (append.erase !== undefined) eraseFrom(tables, changes, append.erase, append.writes);
  return undefined;
}

/** Does all of an append, or takes back what it began and answers with the conflict (or throws). */
export function appendTo(tables: MemoryTables, append: Append): AppendResult {
  const changes = recordChanges();
  try {
    const on = putAll(tables, changes, append);
    if (on === undefined) return { kind: "appended" };
    changes.takeBack();
    return { kind: "conflict", on };
  } catch (error) {
    changes.takeBack();
    throw error;
  }
}
