import type { DeliveryRow, Instant } from "@countersign/core";
import type { Database, Statement } from "./database.ts";

type Take = { readonly now: Instant; readonly limit: number; readonly leaseMs: number };

// "due_at is not null" repeats the index's own condition. What another worker is just taking is skipped, not waited for.
const takeWrites = {
  name: "countersign_take_writes",
  text: `with due as materialized (
      select id from countersign.writes where due_at is not null and due_at <= $1 and lease_until <= $1
      order by due_at, id limit $2 for update skip locked
    ),
    held as (
      update countersign.writes w set lease_until = $1::bigint + $3::bigint from due where w.id = due.id
      returning w.id, w.due_at
    )
    select id from held order by due_at, id`,
};
const hold = {
  name: "countersign_hold_write",
  text: `update countersign.writes set lease_until = $2::bigint + $3::bigint where id = $1 and lease_until <= $2
    returning id`,
};
const release = {
  name: "countersign_release_write",
  text: "update countersign.writes set lease_until = 0 where id = $1 and lease_until = $2",
};
const takeDueDeliveries = {
  name: "countersign_take_deliveries",
  text: `with due as materialized (
      select d.id from countersign.deliveries d
      where d.due_at <= $1 and d.lease_until <= $1 and (
        select e.id from countersign.deliveries e
        where e.write_id is not null and e.write_id = d.write_id and e.kind = d.kind and e.id < d.id limit 1) is null
      order by d.due_at, d.id limit $2 for update of d skip locked
    ),
    held as (
      update countersign.deliveries d set lease_until = $1::bigint + $3::bigint, attempts = d.attempts + 1
      from due where d.id = due.id
      returning d.id, d.kind, d.write_id, d.body, d.due_at, d.attempts
    )
    select id, kind, write_id as "writeId", body, due_at as "dueAt", attempts from held order by due_at, id`,
};
const next = {
  name: "countersign_next_due",
  text: `select least(
      (select due_at from countersign.writes where due_at is not null and lease_until <= $1 order by due_at limit 1),
      (select due_at from countersign.deliveries where lease_until <= $1 order by due_at limit 1)
    ) as "dueAt"`,
};
const finish = {
  name: "countersign_finish_delivery",
  text: "delete from countersign.deliveries where id = $1",
};
const retry = {
  name: "countersign_retry_delivery",
  text: "update countersign.deliveries set due_at = $2, body = coalesce($3, body), lease_until = 0 where id = $1",
};

/** Statements that must stay quick however much is stored. */
export const dueStatements: readonly Statement[] = [takeWrites, takeDueDeliveries, next];

export async function takeDue(database: Database, { now, limit, leaseMs }: Take): Promise<readonly string[]> {
  const taken = await database.query<{ readonly id: string }>(takeWrites, [now, limit, leaseMs]);
  return taken.map((row) => row.id);
}

/** Takes one write unless somebody holds it. */
export async function holdWrite(
  database: Database,
  { writeId, now, leaseMs }: { readonly writeId: string; readonly now: Instant; readonly leaseMs: number },
): Promise<boolean> {
  return (await database.query(hold, [writeId, now, leaseMs])).length === 1;
}

export async function releaseWrite(database: Database, writeId: string, heldUntil: Instant): Promise<void> {
  await database.query(release, [writeId, heldUntil]);
}

export function takeDeliveries(
  database: Database,
  { now, limit, leaseMs }: Take,
): Promise<readonly DeliveryRow[]> {
  return database.query<DeliveryRow>(takeDueDeliveries, [now, limit, leaseMs]);
}

export async function nextDueAt(database: Database, now: Instant): Promise<Instant | null> {
  return (await database.query<{ readonly dueAt: Instant | null }>(next, [now]))[0]?.dueAt ?? null;
}

export async function finishDelivery(database: Database, id: string): Promise<void> {
  await database.query(finish, [id]);
}

export async function retryDelivery(
  database: Database,
  id: string,
  dueAt: Instant,
  body?: string,
): Promise<void> {
  await database.query(retry, [id, dueAt, body ?? null]);
}
