import {
  type Append,
  type AppendResult,
  type ConversationRow,
  type Erasure,
  type Guard,
  type Instant,
  IntegrityError,
  isSameConversation,
  type WriteAppend,
} from "@countersign/core";

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

/** How an append's own transaction looks up what stands, and keeps it so until the end of the transaction. */
export type Standing = {
  /** 0 where there is no row. */
  epoch(conversationId: string): number;
  conversation(id: string): ConversationRow | undefined;
  isCustomer(customerRef: string): boolean;
  /** Whether the customer to forget is another by now, or has a write that the append does not know of. */
  missesCustomer(append: Append, erase: Erasure): boolean;
  /** Whether a row that is kept for longer than `now` has the key. */
  isKeyTaken(scope: string, key: string, now: Instant): boolean;
  conversationAt(channel: string, address: string): string | undefined;
  write(id: string): StandingWrite | undefined;
  openWriteOf(conversationId: string): string | undefined;
};

/**
 * Finds out within the append's own transaction what it conflicts with, before anything is written: so a conflict needs no
 * rollback and no savepoint, and the writes after it can rely on what was found.
 */
export function checkConflicts(standing: Standing): {
  /** The first of epoch, customer, key and address that an append conflicts with, or null. */
  checkGuards(append: Append): Conflict | null;
  checkWrites(writes: readonly WriteAppend[]): Checked;
} {
  function addressConflict(rows: readonly ConversationRow[]): boolean {
    const replaced = new Map<string, string | null>();
    for (const row of rows) {
      let address: string | null = null;
      if (row.channel !== null && row.address !== null) {
        address = JSON.stringify([row.channel, row.address]);
        const owner = standing.conversationAt(row.channel, row.address);
        if (owner !== undefined && owner !== row.id && !replaced.has(owner)) return true;
        for (const [id, taken] of replaced) if (taken === address && id !== row.id) return true;
      }
      replaced.set(row.id, address);
    }
    return false;
  }

  function openConflict({ row }: WriteAppend, earlier: readonly WriteAppend[]): boolean {
    const holder = standing.openWriteOf(row.conversationId);
    if (holder !== undefined && holder !== row.id && !earlier.some((write) => write.row.id === holder))
      return true;
    return earlier.some((write) => write.row.open && write.row.conversationId === row.conversationId);
  }

  function checkWrites(writes: readonly WriteAppend[]): Checked {
    const found: (StandingWrite | undefined)[] = [];
    for (const [index, write] of writes.entries()) {
      const { row, events } = write;
      const before = standing.write(row.id);
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
      found.push(before);
      // A write that was open has its conversation's place: an earlier entry that wanted it has conflicted already.
      if (row.open && before?.open !== 1 && openConflict(write, writes.slice(0, index)))
        return { conflict: "open" };
    }
    return { conflict: null, standing: found };
  }

  function holds({ conversationId, epoch, row, customerRef }: Guard): boolean {
    return (
      standing.epoch(conversationId) === epoch &&
      (row === undefined || isSameConversation(standing.conversation(conversationId) ?? null, row)) &&
      (customerRef === undefined || standing.isCustomer(customerRef))
    );
  }

  function checkGuards(append: Append): Conflict | null {
    const { guards, key, conversations, now, erase } = append;
    if (!guards.every(holds)) return "epoch";
    if (erase !== undefined && standing.missesCustomer(append, erase)) return "customer";
    if (key !== null && standing.isKeyTaken(key.scope, key.key, now)) return "key";
    return addressConflict(conversations) ? "address" : null;
  }

  return { checkGuards, checkWrites };
}
