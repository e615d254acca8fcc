import { setImmediate } from "node:timers/promises";
import type { Instant } from "../base/clock.ts";
import type { Store, StoreChange } from "../ports/store.ts";
import { brokenChats } from "./broken-chats.ts";
import { brokenKeeping } from "./broken-keeping.ts";
import { type BrokenStore, broken } from "./broken-store.ts";

/** Keeps every write as if it were not open, and corrects that when reading. */
function allowsTwoOpenWrites(store: Store): Partial<Store> {
  const openWrites = new Map<string, string>();
  return {
    async append(append) {
      const writes = append.writes.map((write) => ({ ...write, row: { ...write.row, open: false } }));
      const result = await store.append({ ...append, writes });
      if (result.kind === "appended") {
        for (const { row } of append.writes) {
          if (row.open) openWrites.set(row.conversationId, row.id);
          else if (openWrites.get(row.conversationId) === row.id) openWrites.delete(row.conversationId);
        }
      }
      return result;
    },
    async readConversation(id) {
      const { conversation } = await store.readConversation(id);
      return { conversation, openWriteId: openWrites.get(id) ?? null };
    },
  };
}

/** Shares one transaction without keeping the appends in it apart. */
function rejectsAllWhenOneIsRejected(store: Store): Partial<Store> {
  let shared: Promise<readonly { readonly fault?: unknown }[]> | undefined;
  let asked: Promise<{ readonly fault?: unknown }>[] = [];
  return {
    async append(append) {
      const own = store.append(append);
      asked.push(
        own.then(
          () => ({}),
          (fault: unknown) => ({ fault }),
        ),
      );
      shared ??= setImmediate().then(() => {
        const together = asked;
        asked = [];
        shared = undefined;
        return Promise.all(together);
      });
      for (const outcome of await shared) if ("fault" in outcome) throw outcome.fault;
      return own;
    },
  };
}

function notifiesBeforeTheCommit(store: Store): Partial<Store> {
  const listeners = new Set<(change: StoreChange) => void>();
  return {
    async append(append) {
      for (const { row } of append.writes) {
        for (const listener of listeners) listener({ conversationId: row.conversationId });
      }
      return store.append(append);
    },
    watch(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

function appendDoesNotEndTheHold(store: Store): Partial<Store> {
  const heldUntil = new Map<string, Instant>();
  return {
    async takeDue(take) {
      const taken = await store.takeDue(take);
      const free = taken.filter((id) => (heldUntil.get(id) ?? 0) <= take.now);
      for (const id of free) heldUntil.set(id, take.now + take.leaseMs);
      return free;
    },
  };
}

/** Stores that break one promise each. A store contract that lets one of them pass is not a contract. */
export const brokenStores: readonly [BrokenStore, ...BrokenStore[]] = [
  broken("forgets the epoch guard", "STORE-5 a conflict on epoch changes nothing at all (1)", (store) => ({
    append: (append) => store.append({ ...append, guards: [] }),
  })),
  broken(
    "allows two open writes in a conversation",
    "STORE-2 of 200 proposals at once in one conversation exactly one is appended",
    allowsTwoOpenWrites,
  ),
  broken(
    "keeps a part of what conflicts",
    "STORE-5 a conflict on seq changes nothing at all (5)",
    (store) => ({
      async append(append) {
        const result = await store.append(append);
        if (result.kind === "conflict") await store.append({ ...append, guards: [], writes: [], key: null });
        return result;
      },
    }),
  ),
  broken(
    "takes an event that the journal holds for appended",
    "STORE-6 of 50 next events at once of one write exactly one is appended",
    (store) => ({
      async append(append) {
        const result = await store.append(append);
        return result.kind === "conflict" && result.on === "seq" ? { kind: "appended" } : result;
      },
    }),
  ),
  broken(
    "throws for a conflict",
    "STORE-2 an append cannot open a write before it closes the one before",
    (store) => ({
      async append(append) {
        const result = await store.append(append);
        if (result.kind === "conflict") throw new Error(`conflict on ${result.on}`);
        return result;
      },
    }),
  ),
  broken("loses plain values", "STORE-1 a write is read back whole, text for text", (store) => ({
    append: (append) =>
      store.append({ ...append, writes: append.writes.map((write) => ({ ...write, plains: [] })) }),
  })),
  broken(
    "rejects all when one of those asked at once is rejected",
    "STORE-6 an append that is rejected or conflicts does no harm to those asked at the same time",
    rejectsAllWhenOneIsRejected,
  ),
  broken(
    "hands a due write to two takers",
    "STORE-13 workers that take at once share the due writes without overlap",
    (store) => ({ takeDue: (take) => store.takeDue({ ...take, leaseMs: 0 }) }),
  ),
  broken("keeps a hold after an append", "STORE-13 an append ends the hold", appendDoesNotEndTheHold),
  broken(
    "takes what is due a millisecond too early",
    "STORE-12 a write is taken when it is due, and not a millisecond before",
    (store) => ({ takeDue: (take) => store.takeDue({ ...take, now: take.now + 1 }) }),
  ),
  broken(
    "forgets to count a delivery's attempts",
    "STORE-14 a delivery is taken when it is due, whole, with this attempt counted, and held",
    (store) => ({
      async takeDeliveries(take) {
        const taken = await store.takeDeliveries(take);
        return taken.map((row) => ({ ...row, attempts: row.attempts - 1 }));
      },
    }),
  ),
  broken(
    "hands out a later delivery of a write before the earlier one was made",
    "STORE-35 the deliveries of one write and kind are taken one after the other, whenever each is due",
    (store) => ({
      // Every delivery of a kind of its own, so that none waits for another.
      append: (append) =>
        store.append({
          ...append,
          deliveries: append.deliveries.map((row) => ({ ...row, kind: `${row.kind} ${row.id}` })),
        }),
      async takeDeliveries(take) {
        const taken = await store.takeDeliveries(take);
        return taken.map((row) => ({ ...row, kind: row.kind.slice(0, -row.id.length - 1) }));
      },
    }),
  ),
  broken(
    "keeps a client's key for ever",
    "STORE-9 a claimed key answers with its row until it is no longer kept, and not a millisecond longer",
    (store) => ({ claimKey: (row) => store.claimKey(row, 0) }),
  ),
  broken(
    "gives a customer a new ref each time",
    "STORE-8 a customer id keeps its first ref, however many ask at once",
    (store) => ({
      customerRefOf: (customerId, newRef) => store.customerRefOf(`${customerId} ${newRef}`, newRef),
    }),
  ),
  broken(
    "keeps an incoming message twice",
    "STORE-11 an incoming message is kept once per account and id",
    (store) => ({ receive: async (message, delivery) => (await store.receive(message, delivery)) || true }),
  ),
  broken(
    "skips a write between two pages",
    "STORE-17 pages follow each other without gap or repetition, and the last one says so",
    (store) => ({
      async listWrites(filter) {
        const page = await store.listWrites(filter);
        const longer = await store.listWrites({ ...filter, limit: Math.min(200, filter.limit + 1) });
        return { rows: page.rows, nextCursor: longer.nextCursor };
      },
    }),
  ),
  broken(
    "shows a customer's writes to whoever comes in the same epoch",
    "STORE-16 an owner sees own writes only: a customer those of the ref, nobody yet those of the epoch",
    (store) => ({
      async listWrites({ owner, ...filter }) {
        if (owner === undefined || "customerRef" in owner) {
          return store.listWrites(owner === undefined ? filter : { ...filter, owner });
        }
        const page = await store.listWrites(filter);
        return { ...page, rows: page.rows.filter((row) => row.epoch === owner.epoch) };
      },
    }),
  ),
  broken(
    "tells of a change before its commit",
    "STORE-20 a listener hears nothing of a conflict, a rejection, or what changes no conversation",
    notifiesBeforeTheCommit,
  ),
  ...brokenKeeping,
  ...brokenChats,
  broken(
    "drops what was asked when it closes",
    "STORE-18 closing finishes what was asked, rejects what is asked later, and can be repeated",
    (store) => ({
      async append(append) {
        await setImmediate();
        return store.append(append);
      },
    }),
  ),
];
