import type { Instant, KeyRow } from "@countersign/core";
import { callAll, type Database } from "./database.ts";
import { keyLock, lockCall } from "./locks.ts";

const keyColumns = `scope, key, fingerprint, write_id as "writeId", answer, customer_ref as "customerRef",
  keep_until as "keepUntil"`;

/** Prepared by whoever claims a key. */
export const keyStatements: Readonly<Record<string, string>> = {
  // Under the lock that appends take for a key, so that it is either theirs or claimed.
  countersign_claim: `with taken as (
      select scope, key, fingerprint, write_id, answer, customer_ref, keep_until from countersign.keys
      where scope = $1::text and key = $2::text and keep_until > $8::bigint
    ),
    put as (
      insert into countersign.keys (scope, key, fingerprint, write_id, answer, customer_ref, keep_until)
      select $1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::bigint
      where not exists (select from taken)
      on conflict (scope, key) do update set fingerprint = excluded.fingerprint, write_id = excluded.write_id,
        answer = excluded.answer, customer_ref = excluded.customer_ref, keep_until = excluded.keep_until
    )
    select fingerprint, write_id, answer, customer_ref, keep_until from taken`,
};

const find = {
  name: "countersign_find_key",
  text: `select ${keyColumns} from countersign.keys where scope = $1 and key = $2 and keep_until > $3`,
};
const answer = {
  name: "countersign_answer_key",
  text: "update countersign.keys set answer = $3, keep_until = $4 where scope = $1 and key = $2",
};
const release = {
  name: "countersign_release_key",
  text: "delete from countersign.keys where scope = $1 and key = $2 and answer is null and write_id is null",
};

export async function findKey(
  database: Database,
  scope: string,
  key: string,
  now: Instant,
): Promise<KeyRow | undefined> {
  return (await database.query<KeyRow>(find, [scope, key, now]))[0];
}

export async function claimKey(database: Database, row: KeyRow, now: Instant): Promise<KeyRow | "claimed"> {
  const values = [
    row.scope,
    row.key,
    row.fingerprint,
    row.writeId,
    row.answer,
    row.customerRef,
    String(row.keepUntil),
    String(now),
  ];
  const lock = lockCall([keyLock(row.scope, row.key)]);
  const answers = await database.ask((client) =>
    callAll(client, [lock, { statement: "countersign_claim", values }]),
  );
  const taken = answers[1]?.[0];
  if (taken === undefined) return "claimed";
  const [fingerprint, writeId, kept, customerRef, keepUntil] = taken;
  return {
    scope: row.scope,
    key: row.key,
    fingerprint: fingerprint ?? "",
    writeId: writeId ?? null,
    answer: kept ?? null,
    customerRef: customerRef ?? null,
    keepUntil: Number(keepUntil),
  };
}

export async function answerKey(
  database: Database,
  scope: string,
  key: string,
  text: string,
  keepUntil: Instant,
): Promise<void> {
  await database.query(answer, [scope, key, text, keepUntil]);
}

export async function releaseKey(database: Database, scope: string, key: string): Promise<void> {
  await database.query(release, [scope, key]);
}

const findRef = {
  name: "countersign_find_ref",
  text: "select ref from countersign.customers where customer_id = $1",
};
const putRef = {
  name: "countersign_put_ref",
  text: "insert into countersign.customers (customer_id, ref) values ($1, $2) on conflict (customer_id) do nothing returning ref",
};
const findId = {
  name: "countersign_find_customer",
  text: `select customer_id as "customerId" from countersign.customers where ref = $1`,
};

export async function customerRefOf(database: Database, customerId: string, newRef: string): Promise<string> {
  for (;;) {
    const known = await findCustomerRef(database, customerId);
    if (known !== undefined) return known;
    const put = await database.query<{ readonly ref: string }>(putRef, [customerId, newRef]);
    if (put[0] !== undefined) return put[0].ref;
    // Somebody else was faster and has committed, since putting waited for that; or was forgotten meanwhile.
  }
}

export async function findCustomerRef(database: Database, customerId: string): Promise<string | undefined> {
  return (await database.query<{ readonly ref: string }>(findRef, [customerId]))[0]?.ref;
}

export async function findCustomerId(database: Database, ref: string): Promise<string | undefined> {
  return (await database.query<{ readonly customerId: string }>(findId, [ref]))[0]?.customerId;
}
