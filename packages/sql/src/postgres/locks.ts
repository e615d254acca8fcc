import type { Append } from "@countersign/core";
import type { Call } from "./pipeline.ts";

// Advisory locks of two numbers: the first says that they are of this store.
const named = 726_190;
const everything = `${named + 1}, 0`;

/**
 * Prepared by whoever appends. What follows in the same transaction sees all that was committed while these waited. The lock
 * on everything is shared by all but who forgets a customer: that one reaches rows which it cannot name beforehand.
 */
export const lockStatements: Readonly<Record<string, string>> = {
  countersign_lock: `select count(pg_advisory_xact_lock(${named}, hash)), pg_advisory_xact_lock_shared(${everything})
    from unnest($1::integer[]) as hash`,
  countersign_lock_one: `select pg_advisory_xact_lock(${named}, $1::integer), pg_advisory_xact_lock_shared(${everything})`,
  countersign_lock_all: `select count(pg_advisory_xact_lock(${named}, hash)), pg_advisory_xact_lock(${everything})
    from unnest($1::integer[]) as hash`,
};

/** 32 bits of FNV-1a. Two names with the same bits wait for each other without need, and nothing worse. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < name.length; index += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
  }
  return hash;
}

/**
 * Locks by name, held until the end of the transaction; or, from everybody else's appends, all there is. They are taken in
 * one order by everybody, so that nobody waits in a circle.
 */
export function lockCall(lockNames: readonly string[], which: "all" | "named" = "named"): Call {
  const hashes = [...new Set(lockNames.map(hashOf))].sort((a, b) => a - b);
  if (which === "named" && hashes.length === 1)
    return { statement: "countersign_lock_one", values: [String(hashes[0])] };
  return {
    statement: which === "all" ? "countersign_lock_all" : "countersign_lock",
    values: [`{${hashes.join(",")}}`],
  };
}

function conversationLock(id: string): string {
  return `c${id}`;
}

/** The lock of one client's key. */
export function keyLock(scope: string, key: string): string {
  return `k${JSON.stringify([scope, key])}`;
}

/** Names that nobody else may hold while an append is under way, in every process. */
export function locksOf({ guards, conversations, writes, key }: Append): readonly string[] {
  return [
    ...guards.map(({ conversationId }) => conversationLock(conversationId)),
    ...conversations.map(({ id }) => conversationLock(id)),
    ...writes.map(({ row }) => conversationLock(row.conversationId)),
    ...(key === null ? [] : [keyLock(key.scope, key.key)]),
    ...conversations.flatMap(({ channel, address }) =>
      channel === null || address === null ? [] : [`a${JSON.stringify([channel, address])}`],
    ),
  ];
}
