import type { DeliveryRow, Instant } from "@countersign/core";
import type { Database } from "better-sqlite3";

type Take = { readonly now: Instant; readonly limit: number; readonly leaseMs: number };

/** What falls due: writes and deliveries, taken by one worker at a time. */
export type DueWork = {
  takeWrites(take: Take): readonly string[];
  /** Takes one write unless somebody holds it. */
  holdWrite(hold: { readonly writeId: string; readonly now: Instant; readonly leaseMs: number }): boolean;
  releaseWrite(writeId: string, heldUntil: Instant): void;
  takeDeliveries(take: Take): readonly DeliveryRow[];
  finishDelivery(id: string): void;
  retryDelivery(id: string, dueAt: Instant, body?: string): void;
  /** Without a transaction: whether taking now would find anything. */
  hasDueWrites(now: Instant): boolean;
  hasDueDeliveries(now: Instant): boolean;
  nextDueAt(now: Instant): Instant | null;
};

export function prepareDueWork(db: Database): DueWork {
  // "due_at is not null" repeats the index's own condition: without it the index does not serve the query.
  const dueWrites = db
    .prepare<[number, number, number], string>(
      `select id from writes where due_at is not null and due_at <= ? and lease_until <= ?
        order by due_at, id limit ?`,
    )
    .pluck();
  const holdWrite = db.prepare("update writes set lease_until = ? where id = ?");
  const holdFree = db.prepare("update writes set lease_until = ? where id = ? and lease_until <= ?");
  const release = db.prepare("update writes set lease_until = 0 where id = ? and lease_until = ?");
  const nextWrite = db
    .prepare<[number], number>(
      "select due_at from writes where due_at is not null and lease_until <= ? order by due_at limit 1",
    )
    .pluck();

  const dueDeliveries = db.prepare<[number, number, number], DeliveryRow>(
    `select id, kind, write_id as writeId, body, due_at as dueAt, attempts + 1 as attempts from deliveries
      where due_at <= ? and lease_until <= ? and not exists (
        select 1 from deliveries as earlier where earlier.write_id = deliveries.write_id
          and earlier.kind = deliveries.kind and earlier.id < deliveries.id
      ) order by due_at, id limit ?`,
  );
  const holdDelivery = db.prepare("update deliveries set lease_until = ?, attempts = ? where id = ?");
  const nextDelivery = db
    .prepare<[number], number>("select due_at from deliveries where lease_until <= ? order by due_at limit 1")
    .pluck();
  const finish = db.prepare("delete from deliveries where id = ?");
  const retry = db.prepare(
    "update deliveries set due_at = ?, body = coalesce(?, body), lease_until = 0 where id = ?",
  );

  return {
    takeWrites({ now, limit, leaseMs }) {
      const ids = dueWrites.all(now, now, limit);
      for (const id of ids) holdWrite.run(now + leaseMs, id);
      return ids;
    },
    holdWrite: ({ writeId, now, leaseMs }) => holdFree.run(now + leaseMs, writeId, now).changes === 1,
    releaseWrite(writeId, heldUntil) {
      release.run(writeId, heldUntil);
    },
    takeDeliveries({ now, limit, leaseMs }) {
      const rows = dueDeliveries.all(now, now, limit);
      for (const row of rows) holdDelivery.run(now + leaseMs, row.attempts, row.id);
      return rows;
    },
    finishDelivery(id) {
      finish.run(id);
    },
    retryDelivery(id, dueAt, body) {
      retry.run(dueAt, body ?? null, id);
    },
    hasDueWrites: (now) => dueWrites.get(now, now, 1) !== undefined,
    hasDueDeliveries: (now) => dueDeliveries.get(now, now, 1) !== undefined,
    nextDueAt(now) {
      const times = [nextWrite.get(now), nextDelivery.get(now)].filter((at) => at !== undefined);
      return times.length === 0 ? null : Math.min(...times);
    },
  };
}
