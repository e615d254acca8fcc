import { randomUUID } from "node:crypto";
import Database from "better-sqlite3";
import type { Contender } from "./measure.ts";
import { refund, refunded } from "./order.ts";

const schema = `
create table writes(
  id text primary key, conversation text not null, state text not null, tool text not null, args text not null,
  key text not null, created_at integer not null, expires_at integer not null, decided_at integer, outcome text, done_at integer
) without rowid;
create unique index writes_open on writes(conversation) where state in ('proposed', 'running');
create table journal(seq integer primary key, write_id text not null, type text not null, at integer not null, body text);
`;

/**
 * The least that any durable implementation does: three transactions of prepared statements a cycle, one row and one
 * journal row each, flushed. `shared`: steps that come at the same time share one transaction.
 */
export function floor(file: string, commits: "each" | "shared"): Contender {
  const db = new Database(file);
  db.pragma("journal_mode = WAL");
  // The same as the engine's store, so that the same is compared.
  db.pragma("synchronous = FULL");
  db.pragma("foreign_keys = ON");
  db.pragma("secure_delete = ON");
  db.pragma("cache_size = -32768");
  db.exec(schema);
  const begin = db.prepare("begin immediate");
  const commit = db.prepare("commit");
  const propose = db.prepare(
    "insert into writes(id, conversation, state, tool, args, key, created_at, expires_at) values (?, ?, 'proposed', 'refund_order', ?, ?, ?, ?)",
  );
  const confirm = db.prepare(
    "update writes set state = 'running', decided_at = ? where id = ? and state = 'proposed'",
  );
  const settle = db.prepare(
    "update writes set state = 'applied', outcome = ?, done_at = ? where id = ? and state = 'running'",
  );
  const record = db.prepare("insert into journal(write_id, type, at, body) values (?, ?, ?, null)");
  const args = JSON.stringify(refund);
  const outcome = JSON.stringify(refunded);

  let queue: { readonly step: () => void; readonly done: () => void }[] = [];
  function flush(): void {
    const batch = queue;
    queue = [];
    begin.run();
    for (const { step } of batch) step();
    commit.run();
    for (const { done } of batch) done();
  }
  function durable(step: () => void): Promise<void> {
    if (commits === "each") {
      begin.run();
      step();
      commit.run();
      return Promise.resolve();
    }
    return new Promise((done) => {
      if (queue.push({ step, done }) === 1) setImmediate(flush);
    });
  }
  function one(changes: number): void {
    if (changes !== 1) throw new Error(`expected one row to change, not ${changes}`);
  }

  let cycles = 0;
  return {
    name: commits === "each" ? "floor" : "floor, shared commits",
    async cycle(conversation) {
      const id = randomUUID();
      const now = Date.now();
      await durable(() => {
        one(propose.run(id, `c${conversation}-${cycles}`, args, id, now, now + 900_000).changes);
        record.run(id, "proposed", now);
      });
      await durable(() => {
        one(confirm.run(now, id).changes);
        record.run(id, "confirmed", now);
      });
      await durable(() => {
        one(settle.run(outcome, now, id).changes);
        record.run(id, "settled", now);
      });
      cycles += 1;
      // A synchronous contender must let timers and the other loops have their turn.
      if (cycles % 16 === 0) await new Promise((resolve) => setImmediate(resolve));
    },
    async close() {
      db.close();
    },
  };
}
