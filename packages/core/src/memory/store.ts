import type { Instant } from "../base/clock.ts";
import { IntegrityError } from "../base/errors.ts";
import { checkAppend } from "../ports/check-append.ts";
import type {
  Append,
  AppendResult,
  DeliveryRow,
  Store,
  StoreChange,
  WriteFilter,
  WriteRow,
} from "../ports/store.ts";
import { checkLimit, parseWriteCursor, writeCursor } from "../ports/write-cursor.ts";
import { appendTo } from "./append.ts";
import { memoryChats } from "./chats.ts";
import { purgePlain } from "./purge.ts";
import { emptyTables, pair } from "./tables.ts";

function newestFirst(a: Pick<WriteRow, "createdAt" | "id">, b: Pick<WriteRow, "createdAt" | "id">): number {
  return b.createdAt - a.createdAt || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
}

function soonestFirst<T extends { readonly id: string; readonly dueAt: Instant | null }>(a: T, b: T): number {
  return (a.dueAt ?? 0) - (b.dueAt ?? 0) || (a.id < b.id ? -1 : 1);
}

function matches(row: WriteRow, filter: WriteFilter): boolean {
  return (
    (filter.conversationId === undefined || row.conversationId === filter.conversationId) &&
    (filter.state === undefined || row.state === filter.state) &&
    (filter.tool === undefined || row.tool === filter.tool) &&
    (filter.attention === undefined || row.attention) &&
    (filter.createdSince === undefined || row.createdAt >= filter.createdSince) &&
    (filter.stillTold === undefined ||
      (row.conversationId === filter.stillTold.conversationId &&
        (row.state === "pending" || (row.settledAt ?? -1) >= filter.stillTold.since))) &&
    (filter.owner === undefined ||
      ("customerRef" in filter.owner
        ? row.customerRef === filter.owner.customerRef
        : row.customerRef === null && row.epoch === filter.owner.epoch))
  );
}

/** The reference store: everything in this process's memory, gone with it. For tests, trials and evaluations. */
export function memoryStore(): Store {
  const tables = emptyTables();
  const listeners = new Set<(change: StoreChange) => void>();
  let closed = false;

  function notify(append: Append): void {
    const ids = new Set<string | null>([
      ...append.conversations.map((row) => row.id),
      ...append.writes.map((write) => write.row.conversationId),
      // A customer who is forgotten leaves conversations that the append does not name.
      ...(append.erase === undefined ? [] : [null]),
    ]);
    for (const conversationId of ids) {
      for (const listener of [...listeners]) {
        try {
          listener({ conversationId });
        } catch (error) {
          process.emitWarning(error instanceof Error ? error : String(error));
        }
      }
    }
  }

  /** Every method runs in one go, so nothing comes in between. */
  async function ask<T>(work: () => T): Promise<T> {
    if (closed) throw new IntegrityError("the memory store is closed; ask before close()");
    return work();
  }

  function due(now: Instant): readonly WriteRow[] {
    return [...tables.writes.values()]
      .filter(({ row, leaseUntil }) => row.dueAt !== null && leaseUntil <= now)
      .map(({ row }) => row)
      .sort(soonestFirst);
  }

  function dueDeliveries(now: Instant) {
    return [...tables.deliveries.values()]
      .filter(({ leaseUntil }) => leaseUntil <= now)
      .map(({ row }) => row)
      .sort(soonestFirst);
  }

  /** True while another of the same write and kind has to be made first. */
  function mustWait({ id, writeId, kind }: DeliveryRow): boolean {
    if (writeId === null) return false;
    return [...tables.deliveries.values()].some(
      ({ row }) => row.writeId === writeId && row.kind === kind && row.id < id,
    );
  }

  return {
    append: (append) =>
      ask((): AppendResult => {
        checkAppend(append);
        const result = appendTo(tables, append);
        if (result.kind === "appended") notify(append);
        return result;
      }),
    readWrite: (writeId) =>
      ask(() => {
        const stored = tables.writes.get(writeId);
        return stored && { row: stored.row, events: stored.events, plains: stored.plains };
      }),
    listWrites: (filter) =>
      ask(() => {
        const limit = checkLimit(filter.limit);
        const after = filter.cursor === undefined ? undefined : parseWriteCursor(filter.cursor);
        const found = [...tables.writes.values()]
          .map(({ row }) => row)
          .filter((row) => matches(row, filter) && (after === undefined || newestFirst(after, row) < 0))
          .sort(newestFirst);
        const rows = found.slice(0, limit);
        const last = rows.at(-1);
        return { rows, nextCursor: found.length > limit && last !== undefined ? writeCursor(last) : null };
      }),
    readConversation: (conversationId) =>
      ask(() => ({
        conversation: tables.conversations.get(conversationId),
        openWriteId: tables.openWrites.get(conversationId) ?? null,
      })),
    findConversationByAddress: (channel, address) =>
      ask(() => {
        const id = tables.addresses.get(pair(channel, address));
        return id === undefined ? undefined : tables.conversations.get(id);
      }),
    customerRefOf: (customerId, newRef) =>
      ask(() => {
        const ref = tables.customers.get(customerId) ?? newRef;
        tables.customers.set(customerId, ref);
        tables.customerIds.set(ref, customerId);
        return ref;
      }),
    findCustomerRef: (customerId) => ask(() => tables.customers.get(customerId)),
    findCustomerId: (customerRef) => ask(() => tables.customerIds.get(customerRef)),
    claimKey: (row, now) =>
      ask(() => {
        const taken = tables.keys.get(pair(row.scope, row.key));
        if (taken !== undefined && taken.keepUntil > now) return taken;
        tables.keys.set(pair(row.scope, row.key), { ...row });
        return "claimed" as const;
      }),
    answerKey: (scope, key, answer, keepUntil) =>
      ask(() => {
        const claimed = tables.keys.get(pair(scope, key));
        if (claimed !== undefined) tables.keys.set(pair(scope, key), { ...claimed, answer, keepUntil });
      }),
    releaseKey: (scope, key) =>
      ask(() => {
        const claimed = tables.keys.get(pair(scope, key));
        if (claimed?.answer === null && claimed.writeId === null) tables.keys.delete(pair(scope, key));
      }),
    findKey: (scope, key, now) =>
      ask(() => {
        const row = tables.keys.get(pair(scope, key));
        return row !== undefined && row.keepUntil > now ? row : undefined;
      }),
    purgeKeys: ({ now, limit }) =>
      ask(() => {
        const ended = [...tables.keys].filter(([, row]) => row.keepUntil <= now).slice(0, limit);
        for (const [at] of ended) tables.keys.delete(at);
        return ended.length;
      }),
    purgePlain: (purge) => ask(() => purgePlain(tables, purge)),
    takeDue: ({ now, limit, leaseMs }) =>
      ask(() => {
        const taken = due(now)
          .filter((row) => row.dueAt !== null && row.dueAt <= now)
          .slice(0, limit);
        for (const { id } of taken) {
          const stored = tables.writes.get(id);
          if (stored !== undefined) tables.writes.set(id, { ...stored, leaseUntil: now + leaseMs });
        }
        return taken.map((row) => row.id);
      }),
    holdWrite: ({ writeId, now, leaseMs }) =>
      ask(() => {
        const stored = tables.writes.get(writeId);
        if (stored === undefined || stored.leaseUntil > now) return false;
        tables.writes.set(writeId, { ...stored, leaseUntil: now + leaseMs });
        return true;
      }),
    releaseWrite: (writeId, heldUntil) =>
      ask(() => {
        const stored = tables.writes.get(writeId);
        if (stored?.leaseUntil === heldUntil) tables.writes.set(writeId, { ...stored, leaseUntil: 0 });
      }),
    nextDueAt: (now) =>
      ask(() => {
        const times = [due(now)[0]?.dueAt, dueDeliveries(now)[0]?.dueAt].filter(
          (at) => typeof at === "number",
        );
        return times.length === 0 ? null : Math.min(...times);
      }),
    takeDeliveries: ({ now, limit, leaseMs }) =>
      ask(() => {
        const taken = dueDeliveries(now)
          .filter((row) => row.dueAt <= now && !mustWait(row))
          .slice(0, limit)
          .map((row) => ({ ...row, attempts: row.attempts + 1 }));
        for (const row of taken) tables.deliveries.set(row.id, { row, leaseUntil: now + leaseMs });
        return taken;
      }),
    finishDelivery: (id) =>
      ask(() => {
        tables.deliveries.delete(id);
      }),
    retryDelivery: (id, dueAt, body) =>
      ask(() => {
        const held = tables.deliveries.get(id);
        if (held === undefined) return;
        const row = { ...held.row, dueAt, body: body ?? held.row.body };
        tables.deliveries.set(id, { row, leaseUntil: 0 });
      }),
    ...memoryChats(tables, ask),
    watch(listener) {
      // Wrapped, so that the same function may watch twice and stop once.
      const own = (change: StoreChange): void => listener(change);
      listeners.add(own);
      return () => {
        listeners.delete(own);
      };
    },
    ready: () => ask(() => undefined),
    async close() {
      closed = true;
      listeners.clear();
    },
  };
}
