import type { Instant } from "../base/clock.ts";
import type { Store } from "../ports/store.ts";
import { type BrokenStore, broken } from "./broken-store.ts";

function givesUpAnyHold(store: Store): Partial<Store> {
  const until = new Map<string, Instant>();
  return {
    async holdWrite(hold) {
      const held = await store.holdWrite(hold);
      if (held) until.set(hold.writeId, hold.now + hold.leaseMs);
      return held;
    },
    releaseWrite: (writeId) => store.releaseWrite(writeId, until.get(writeId) ?? 0),
  };
}

function keepsRefs(store: Store): Partial<Store> {
  const refs = new Map<string, string>();
  return {
    async customerRefOf(customerId, newRef) {
      const ref = refs.get(customerId) ?? (await store.customerRefOf(customerId, newRef));
      refs.set(customerId, ref);
      return ref;
    },
  };
}

/** Stores that hold, guard, erase or let go otherwise than they promise. */
export const brokenKeeping: readonly BrokenStore[] = [
  broken(
    "lets two hold a write",
    "STORE-31 of 50 who want to hold a write at once exactly one does",
    (store) => ({ holdWrite: async (hold) => (await store.holdWrite(hold)) || true }),
  ),
  broken(
    "gives up anybody's hold",
    "STORE-31 a hold ends with an append, or when it is given up, and nobody gives up another's",
    givesUpAnyHold,
  ),
  broken(
    "compares a conversation's epoch only",
    "STORE-32 an append that names a conversation's row is bound to all of it, also where it names none",
    (store) => ({
      append: (append) =>
        store.append({ ...append, guards: append.guards.map(({ row: _, ...guard }) => guard) }),
    }),
  ),
  broken(
    "lets an erased customer come in",
    "STORE-32 an append that names a customer is bound to there being one",
    (store) => ({
      append: (append) =>
        store.append({ ...append, guards: append.guards.map(({ customerRef: _, ...guard }) => guard) }),
    }),
  ),
  broken(
    "appends the events of an erasure and erases nothing",
    "STORE-33 an erased customer's plain values go, and the journals stay whole",
    (store) => ({ append: ({ erase: _, ...append }) => store.append(append) }),
  ),
  broken(
    "erases although it misses a write",
    "STORE-33 an erasure that misses a write of the customer, or the customer, conflicts and changes nothing",
    (store) => ({
      async append(append) {
        const result = await store.append(append);
        return result.kind === "conflict" && result.on === "customer" ? { kind: "appended" } : result;
      },
    }),
  ),
  broken(
    "keeps an erased customer's ref for the next time",
    "STORE-33 an erased customer has no ref any more, and gets a new one the next time",
    keepsRefs,
  ),
  broken(
    "deletes a key a millisecond too early",
    "STORE-34 keys whose time is over are deleted, few at a time, and no others",
    (store) => ({ purgeKeys: ({ now, limit }) => store.purgeKeys({ now: now + 1, limit }) }),
  ),
  broken(
    "drops values a millisecond too early",
    "STORE-34 plain values of writes that ended before a time are dropped, and no others",
    (store) => ({
      purgePlain: (purge) => store.purgePlain({ ...purge, endedBefore: purge.endedBefore + 1 }),
    }),
  ),
  broken(
    "begins anew at every look for old values",
    "STORE-34 a look for old values goes on where it stopped, oldest first, and ends",
    (store) => ({
      async purgePlain(purge) {
        await store.purgePlain({ ...purge, cursor: null });
        return null;
      },
    }),
  ),
];
