import type { Instant, KeyRow } from "@countersign/core";
import type { Database } from "better-sqlite3";
import { prepareKey } from "./append.ts";

/** Clients' keys. */
export type Keys = {
  find(scope: string, key: string, now: Instant): KeyRow | undefined;
  claim(row: KeyRow, now: Instant): KeyRow | "claimed";
  answer(scope: string, key: string, answer: string, keepUntil: Instant): void;
  release(scope: string, key: string): void;
};

export function prepareKeys(db: Database): Keys {
  const find = db.prepare<[string, string, number], KeyRow>(
    `select scope, key, fingerprint, write_id as writeId, answer, customer_ref as customerRef, keep_until as keepUntil
      from keys where scope = ? and key = ? and keep_until > ?`,
  );
  const put = prepareKey(db);
  const answer = db.prepare("update keys set answer = ?, keep_until = ? where scope = ? and key = ?");
  const release = db.prepare(
    "delete from keys where scope = ? and key = ? and answer is null and write_id is null",
  );
  return {
    find: (scope, key, now) => find.get(scope, key, now),
    claim(row, now) {
      const taken = find.get(row.scope, row.key, now);
      if (taken !== undefined) return taken;
      put(row);
      return "claimed";
    },
    answer(scope, key, text, keepUntil) {
      answer.run(text, keepUntil, scope, key);
    },
    release(scope, key) {
      release.run(scope, key);
    },
  };
}

/** Customer ids and their internal refs. */
export type Customers = {
  findRef(customerId: string): string | undefined;
  refOf(customerId: string, newRef: string): string;
  findId(ref: string): string | undefined;
};

export function prepareCustomers(db: Database): Customers {
  const findRef = db.prepare<[string], string>("select ref from customers where customer_id = ?").pluck();
  const findId = db.prepare<[string], string>("select customer_id from customers where ref = ?").pluck();
  const insert = db.prepare("insert into customers (customer_id, ref) values (?, ?)");
  return {
    findRef: (customerId) => findRef.get(customerId),
    refOf(customerId, newRef) {
      const ref = findRef.get(customerId);
      if (ref !== undefined) return ref;
      insert.run(customerId, newRef);
      return newRef;
    },
    findId: (ref) => findId.get(ref),
  };
}
