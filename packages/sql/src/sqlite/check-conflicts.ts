import {
  type Append,
  type AppendResult,
  type ConversationRow,
  type Guard,
  IntegrityError,
  isSameConversation,
  type WriteAppend,
} from "@countersign/core";
import type { Database } from "better-sqlite3";
import type { Erasing } from "./erase.ts";
import { prepareReadConversation } from "./read-writes.ts";

/** A write as it stands before an append. */
export type StandingWrite = {
  readonly seq: number;
  readonly open: 0 | 1;
  readonly conversationId: string;
  readonly createdAt: number;
};

type Conflict = Extract<AppendResult, { kind: "conflict" }>["on"];

/** What an append meets, or each of its writes as it stands, in their order; undefined for a new one. */
export type Checked =
  | { readonly conflict: Conflict }
  | { readonly conflict: null; readonly standing: readonly (StandingWrite | undefined)[] };

/**
 * Finds out within the append's own transaction what it conflicts with, before anything is written: so a conflict needs no
 * rollback and no savepoint, and the writes after it can rely on what was found.
 */
export function prepareCheck(
  db: Database,
  erasing: Erasing,
): {
  /** The first of epoch, customer, key and address that an append conflicts with, or null. */
  checkGuards(append: Append): Conflict | null;
  checkWrites(writes: readonly WriteAppend[]): Checked;
} {
  const epochOf = db.prepare<[string], number>("select epoch from conversations where id = ?").pluck();
  const readConversation = prepareReadConversation(db);
  const isCustomer = db.prepare<[string], object>("select 1 from customers where ref = ?");
  const takenKey = db.prepare<[string, string, number], object>(
    "select 1 from keys where scope = ? and key = ? and keep_until > ?",
  );
  const ownerOf = db
    .prepare<[string, string], string>("select id from conversations where channel = ? and address = ?")
    .pluck();
  const standingWrite = db.prepare<[string], StandingWrite>(
    "select seq, open, conversation_id as conversationId, created_at as createdAt from writes where id = ?",
  );
  const openWriteOf = db
    .prepare<[string], string>("select id from writes where conversation_id = ? and open = 1")
    .pluck();

  function addressConflict(rows: readonly ConversationRow[]): boolean {
    const replaced = new Map<string, string | null>();
    for (const row of rows) {
      let address: string | null = null;
      if (row.channel !== null && row.address !== null) {
        address = JSON.stringify([row.channel, row.address]);
        const owner = ownerOf.get(row.channel, row.address);
        if (owner !== undefined && owner !== row.id && !replaced.has(owner)) return true;
        for (const [id, taken] of replaced) if (taken === address && id !== row.id) return true;
      }
      replaced.set(row.id, address);
    }
    return false;
  }

  function openConflict({ row }: WriteAppend, earlier: readonly WriteAppend[]): boolean {
    const holder = openWriteOf.get(row.conversationId);
    if (holder !== undefined && holder !== row.id && !earlier.some((write) => write.row.id === holder))
      return true;
    return earlier.some((write) => write.row.open && write.row.conversationId === row.conversationId);
  }

  function checkWrites(writes: readonly WriteAppend[]): Checked {
    const standing: (StandingWrite | undefined)[] = [];
    for (const [index, write] of writes.entries()) {
      const { row, events } = write;
      const before = standingWrite.get(row.id);
      const next = (before?.seq ?? 0) + 1;
      if (events[0].seq < next) return { conflict: "seq" };
      if (events[0].seq > next) {
        throw new IntegrityError(
          `an append of write ${row.id} starts at event ${events[0].seq} where ${next} follows; read it again`,
        );
      }
      if (
        before !== undefined &&
        (before.conversationId !== row.conversationId || before.createdAt !== row.createdAt)
      ) {
        throw new IntegrityError(
          `write ${row.id} cannot change its conversation or time of creation; keep both as they are`,
        );
      }
      standing.push(before);
      // A write that was open has its conversation's place: an earlier entry that wanted it has conflicted already.
      if (row.open && before?.open !== 1 && openConflict(write, writes.slice(0, index)))
        return { conflict: "open" };
    }
    return { conflict: null, standing };
  }

  function holds({ conversationId, epoch, row, customerRef }: Guard): boolean {
    return (
      (epochOf.get(conversationId) ?? 0) === epoch &&
      (row === undefined || isSameConversation(readConversation(conversationId).conversation ?? null, row)) &&
      (customerRef === undefined || isCustomer.get(customerRef) !== undefined)
    );
  }

  function checkGuards(append: Append): Conflict | null {
    const { guards, key, conversations, now, erase } = append;
    if (!guards.every(holds)) return "epoch";
    if (erase !== undefined && erasing.misses(append, erase)) return "customer";
    if (key !== null && takenKey.get(key.scope, key.key, now) !== undefined) return "key";
    return addressConflict(conversations) ? "address" : null;
  }

  return { checkGuards, checkWrites };
}
