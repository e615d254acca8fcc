import { randomUUID } from "node:crypto";
import pg from "pg";
import type { Contender } from "./measure.ts";
import { refund, refunded } from "./order.ts";

const schema = `
create table writes(
  id text primary key, conversation text not null, state text not null, tool text not null, args text not null,
  key text not null, created_at bigint not null, expires_at bigint not null, decided_at bigint, outcome text, done_at bigint
);
create unique index writes_open on writes(conversation) where state in ('proposed', 'running');
create table journal(
  seq bigint generated always as identity primary key, write_id text not null, type text not null, at bigint not null, body text
);
`;

/** One step: a statement for one write, and the same for many of them as arrays. */
type Step = { readonly name: string; readonly each: string; readonly batched: string };

const steps: Readonly<Record<"propose" | "confirm" | "settle", Step>> = {
  propose: {
    name: "propose",
    each: `with w as (
        insert into writes(id, conversation, state, tool, args, key, created_at, expires_at)
        values ($1, $2, 'proposed', 'refund_order', $3, $1, $4, $5) returning id)
      insert into journal(write_id, type, at) select id, 'proposed', 0 from w`,
    batched: `with w as (
        insert into writes(id, conversation, state, tool, args, key, created_at, expires_at)
        select a, b, 'proposed', 'refund_order', c, a, d, e
        from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[]) as u(a, b, c, d, e) returning id)
      insert into journal(write_id, type, at) select id, 'proposed', 0 from w`,
  },
  confirm: {
    name: "confirm",
    each: `with w as (
        update writes set state = 'running', decided_at = $1 where id = $2 and state = 'proposed' returning id)
      insert into journal(write_id, type, at) select id, 'confirmed', 0 from w`,
    batched: `with w as (
        update writes set state = 'running', decided_at = u.a from unnest($1::bigint[], $2::text[]) as u(a, b)
        where id = u.b and state = 'proposed' returning id)
      insert into journal(write_id, type, at) select id, 'confirmed', 0 from w`,
  },
  settle: {
    name: "settle",
    each: `with w as (
        update writes set state = 'applied', outcome = $1, done_at = $2 where id = $3 and state = 'running' returning id)
      insert into journal(write_id, type, at) select id, 'settled', 0 from w`,
    batched: `with w as (
        update writes set state = 'applied', outcome = u.a, done_at = u.b
        from unnest($1::text[], $2::bigint[], $3::text[]) as u(a, b, c)
        where id = u.c and state = 'running' returning id)
      insert into journal(write_id, type, at) select id, 'settled', 0 from w`,
  },
};

type Run = (values: readonly unknown[]) => Promise<void>;

function each(pool: pg.Pool, { name, each: text }: Step): Run {
  return async (values) => {
    const { rowCount } = await pool.query({ name, text, values: [...values] });
    if (rowCount !== 1) throw new Error(`${name}: expected one row to change, not ${rowCount}`);
  };
}

/** At most two of a kind in flight; what is asked meanwhile goes with the next. */
function batched(pool: pg.Pool, { name, batched: text }: Step): Run {
  let queue: { readonly values: readonly unknown[]; readonly done: () => void }[] = [];
  let inFlight = 0;
  async function flush(): Promise<void> {
    while (queue.length > 0 && inFlight < 2) {
      const batch = queue.slice(0, 200);
      queue = queue.slice(200);
      inFlight += 1;
      const columns = (batch[0]?.values ?? []).map((_, index) => batch.map(({ values }) => values[index]));
      void pool.query({ name, text, values: columns }).then(({ rowCount }) => {
        if (rowCount !== batch.length) throw new Error(`${name}: ${rowCount} of ${batch.length} changed`);
        inFlight -= 1;
        for (const { done } of batch) done();
        if (queue.length > 0) setImmediate(flush);
      });
    }
  }
  return (values) =>
    new Promise((done) => {
      if (queue.push({ values, done }) === 1) setImmediate(flush);
    });
}

/**
 * The least that any durable implementation does on 16 connections: three transactions of one prepared statement a cycle,
 * one row and one journal row each, flushed. `batched`: steps of a kind that come at the same time share one, as arrays.
 */
export async function postgresFloor(
  connectionString: string,
  commits: "each" | "batched",
): Promise<Contender> {
  const pool = new pg.Pool({ connectionString, max: 16 });
  await pool.query(schema);
  const make = commits === "each" ? each : batched;
  const propose = make(pool, steps.propose);
  const confirm = make(pool, steps.confirm);
  const settle = make(pool, steps.settle);
  const args = JSON.stringify(refund);
  const outcome = JSON.stringify(refunded);
  return {
    name: commits === "each" ? "floor" : "floor, batched",
    async cycle(conversation) {
      const id = randomUUID();
      const now = Date.now();
      await propose([id, `c${conversation}`, args, now, now + 900_000]);
      await confirm([now, id]);
      await settle([outcome, now, id]);
    },
    async close() {
      await pool.end();
    },
  };
}
