import type { Append, DeliveryRow, KeyRow, WriteAppend } from "@countersign/core";
import { type Call, plainArray, textArray } from "./pipeline.ts";

type Column = readonly [name: string, type: "text" | "integer" | "bigint" | "boolean"];

/** `unnest($from::type[], …) as alias (name, …)`: one row for each place of the arrays. */
function rows(alias: string, columns: readonly Column[], from: number): string {
  const arrays = columns.map(([, type], index) => `$${from + index}::${type}[]`);
  return `unnest(${arrays.join(", ")}) as ${alias} (${columns.map(([name]) => name).join(", ")})`;
}

const itemColumns: readonly Column[] = [
  ["id", "text"],
  ["conversation_id", "text"],
  ["state", "text"],
  ["version", "integer"],
  ["seq", "integer"],
  ["open", "boolean"],
  ["tool", "text"],
  ["tool_version", "text"],
  ["epoch", "integer"],
  ["customer_ref", "text"],
  ["agent", "text"],
  ["attention", "boolean"],
  ["due_at", "bigint"],
  ["created_at", "bigint"],
  ["decided_at", "bigint"],
  ["settled_at", "bigint"],
  ["first_seq", "integer"],
  ["guard_epoch", "integer"],
  ["key_scope", "text"],
  ["key", "text"],
  ["now", "bigint"],
];
const eventColumns: readonly Column[] = [
  ["write_id", "text"],
  ["seq", "integer"],
  ["at", "bigint"],
  ["type", "text"],
  ["v", "integer"],
  ["by", "text"],
  ["body", "text"],
  ["commits", "text"],
  ["prev", "text"],
  ["hash", "text"],
  ["stamp", "bigint"],
];
const plainColumns: readonly Column[] = [
  ["write_id", "text"],
  ["seq", "integer"],
  ["salt", "text"],
  ["args", "text"],
  ["card", "text"],
  ["plan", "text"],
  ["outcome", "text"],
  ["idempotency_key", "text"],
];
const keyColumns: readonly Column[] = [
  ["scope", "text"],
  ["key", "text"],
  ["fingerprint", "text"],
  ["write_id", "text"],
  ["answer", "text"],
  ["customer_ref", "text"],
  ["keep_until", "bigint"],
];
const deliveryColumns: readonly Column[] = [
  ["id", "text"],
  ["kind", "text"],
  ["write_id", "text"],
  ["body", "text"],
  ["due_at", "bigint"],
  ["attempts", "integer"],
];
/** The first event of the append that a key or a delivery belongs to; null where it depends on none. */
const ownerColumns: readonly Column[] = [
  ["owner_id", "text"],
  ["owner_seq", "integer"],
  ["owner_stamp", "bigint"],
];

const names = (columns: readonly Column[], prefix = ""): string =>
  columns.map(([name]) => prefix + name).join(", ");

const stored = itemColumns.slice(0, 16);
const changing = stored.filter(([name]) => !["id", "conversation_id", "created_at"].includes(name));

const ownerWasAppended = `(owner_id is null or exists (select from countersign.journal j
  where j.write_id = owner_id and j.seq = owner_seq and j.stamp = owner_stamp))`;

/** Any number: hashes of names may be the same only with the luck of one in 2^64. */
const everythingLock = "7261905444";

/** Prepared on every connection that appends; see {@link writeCall} and those after it. */
export const appendStatements: Readonly<Record<string, string>> = {
  // In one order for everybody, so that nobody waits in a circle. What follows in the same transaction sees all that was
  // committed while this one waited. The first lock is shared by all but who forgets a customer: that one reaches rows
  // which it cannot name beforehand.
  countersign_lock: `select count(case
      when place > 0 then pg_advisory_xact_lock(hash)::text
      when $2 then pg_advisory_xact_lock(hash)::text
      else pg_advisory_xact_lock_shared(hash)::text end)
    from (
      select 0 as place, ${everythingLock}::bigint as hash
      union all
      select distinct 1, hashtextextended(name, 0) from unnest($1::text[]) as name
      order by 1, 2
    ) as locks`,

  countersign_write: `with item as (select * from ${rows("item", itemColumns, 1)}),
    allowed as (
      select * from item
      where (guard_epoch is null or guard_epoch = coalesce(
          (select c.epoch from countersign.conversations c where c.id = item.conversation_id), 0))
        and not exists (select from countersign.keys k
          where k.scope = item.key_scope and k.key = item.key and k.keep_until > item.now)
    ),
    inserted as (
      insert into countersign.writes (${names(stored)})
      select ${names(stored)} from allowed where first_seq = 1
      on conflict do nothing returning id
    ),
    updated as (
      update countersign.writes w set ${changing.map(([name]) => `${name} = a.${name}`).join(", ")}, lease_until = 0
      from allowed a
      where a.first_seq > 1 and w.id = a.id and w.seq = a.first_seq - 1
        and w.conversation_id = a.conversation_id and w.created_at = a.created_at
      returning w.id
    ),
    done as (select id from inserted union all select id from updated),
    events as (
      insert into countersign.journal (${names(eventColumns)})
      select ${names(eventColumns, "e.")} from ${rows("e", eventColumns, 1 + itemColumns.length)}
      join done on done.id = e.write_id
    ),
    plains as (
      insert into countersign.plain (${names(plainColumns)})
      select ${names(plainColumns, "p.")}
      from ${rows("p", plainColumns, 1 + itemColumns.length + eventColumns.length)}
      join done on done.id = p.write_id
    )
    select id from done`,

  countersign_key: `insert into countersign.keys (${names(keyColumns)})
    select ${names(keyColumns)} from ${rows("k", [...keyColumns, ...ownerColumns], 1)} where ${ownerWasAppended}
    on conflict (scope, key) do update set fingerprint = excluded.fingerprint, write_id = excluded.write_id,
      answer = excluded.answer, customer_ref = excluded.customer_ref, keep_until = excluded.keep_until`,

  countersign_delivery: `insert into countersign.deliveries (${names(deliveryColumns)})
    select ${names(deliveryColumns)} from ${rows("d", [...deliveryColumns, ...ownerColumns], 1)} where ${ownerWasAppended}`,
};

/** Locks by name, held until the end of the transaction; or, from everybody else's appends, all there is. */
export function lockCall(lockNames: readonly string[], all: "all" | "named" = "named"): Call {
  return { statement: "countersign_lock", values: [textArray(lockNames), String(all === "all")] };
}

/** A write to append, and what must hold for it. */
export type Item = {
  readonly write: WriteAppend;
  readonly guardEpoch: number | null;
  readonly key: KeyRow | null;
  readonly now: number;
  readonly stamp: number;
};

/**
 * Appends those writes whose guard holds, whose key is free and whose next event this is, and answers with their ids. It
 * fails where a write cannot be open beside another one, or an event is there without its write.
 */
export function writeCall(items: readonly Item[]): Call {
  const writes = items.map(({ write }) => write.row);
  const events = items.flatMap(({ write, stamp }) => write.events.map((event) => ({ ...event, stamp })));
  const plains = items.flatMap(({ write }) => write.plains);
  return {
    statement: "countersign_write",
    values: [
      textArray(writes.map((row) => row.id)),
      textArray(writes.map((row) => row.conversationId)),
      textArray(writes.map((row) => row.state)),
      plainArray(writes.map((row) => row.version)),
      plainArray(writes.map((row) => row.seq)),
      plainArray(writes.map((row) => row.open)),
      textArray(writes.map((row) => row.tool)),
      textArray(writes.map((row) => row.toolVersion)),
      plainArray(writes.map((row) => row.epoch)),
      textArray(writes.map((row) => row.customerRef)),
      textArray(writes.map((row) => row.agent)),
      plainArray(writes.map((row) => row.attention)),
      plainArray(writes.map((row) => row.dueAt)),
      plainArray(writes.map((row) => row.createdAt)),
      plainArray(writes.map((row) => row.decidedAt)),
      plainArray(writes.map((row) => row.settledAt)),
      plainArray(items.map(({ write }) => write.events[0].seq)),
      plainArray(items.map(({ guardEpoch }) => guardEpoch)),
      textArray(items.map(({ key }) => key?.scope ?? null)),
      textArray(items.map(({ key }) => key?.key ?? null)),
      plainArray(items.map(({ now }) => now)),
      textArray(events.map((event) => event.writeId)),
      plainArray(events.map((event) => event.seq)),
      plainArray(events.map((event) => event.at)),
      textArray(events.map((event) => event.type)),
      plainArray(events.map((event) => event.v)),
      textArray(events.map((event) => event.by)),
      textArray(events.map((event) => event.body)),
      textArray(events.map((event) => event.commits)),
      textArray(events.map((event) => event.prev)),
      textArray(events.map((event) => event.hash)),
      plainArray(events.map((event) => event.stamp)),
      textArray(plains.map((plain) => plain.writeId)),
      plainArray(plains.map((plain) => plain.seq)),
      textArray(plains.map((plain) => plain.salt)),
      textArray(plains.map((plain) => plain.args)),
      textArray(plains.map((plain) => plain.card)),
      textArray(plains.map((plain) => plain.plan)),
      textArray(plains.map((plain) => plain.outcome)),
      textArray(plains.map((plain) => plain.idempotencyKey)),
    ],
  };
}

/** A row that is put only if its item was appended in the same transaction; without an item, in any case. */
export type Owned<Row> = { readonly row: Row; readonly item: Item | null };

function ownerValues(owned: readonly Owned<unknown>[]): readonly string[] {
  return [
    textArray(owned.map(({ item }) => item?.write.row.id ?? null)),
    plainArray(owned.map(({ item }) => item?.write.events[0].seq ?? null)),
    plainArray(owned.map(({ item }) => item?.stamp ?? null)),
  ];
}

/** Puts clients' keys, over what is left of them. */
export function keyCall(keys: readonly Owned<KeyRow>[]): Call {
  return {
    statement: "countersign_key",
    values: [
      textArray(keys.map(({ row }) => row.scope)),
      textArray(keys.map(({ row }) => row.key)),
      textArray(keys.map(({ row }) => row.fingerprint)),
      textArray(keys.map(({ row }) => row.writeId)),
      textArray(keys.map(({ row }) => row.answer)),
      textArray(keys.map(({ row }) => row.customerRef)),
      plainArray(keys.map(({ row }) => row.keepUntil)),
      ...ownerValues(keys),
    ],
  };
}

/** Adds deliveries; fails where an id exists. Where a job engine sends them, its jobs are added here. */
export function deliveryCall(deliveries: readonly Owned<DeliveryRow>[]): Call {
  return {
    statement: "countersign_delivery",
    values: [
      textArray(deliveries.map(({ row }) => row.id)),
      textArray(deliveries.map(({ row }) => row.kind)),
      textArray(deliveries.map(({ row }) => row.writeId)),
      textArray(deliveries.map(({ row }) => row.body)),
      plainArray(deliveries.map(({ row }) => row.dueAt)),
      plainArray(deliveries.map(({ row }) => row.attempts)),
      ...ownerValues(deliveries),
    ],
  };
}

/** Names that nobody else may hold while an append is under way, in every process. */
export function locksOf(append: Append): readonly string[] {
  return [
    ...append.guards.map(({ conversationId }) => conversationLock(conversationId)),
    ...append.conversations.map(({ id }) => conversationLock(id)),
    ...append.writes.map(({ row }) => conversationLock(row.conversationId)),
    ...(append.key === null ? [] : [keyLock(append.key.scope, append.key.key)]),
    ...append.conversations.flatMap(({ channel, address }) =>
      channel === null || address === null ? [] : [`a${JSON.stringify([channel, address])}`],
    ),
  ];
}

function conversationLock(id: string): string {
  return `c${id}`;
}

/** The lock of one client's key. */
export function keyLock(scope: string, key: string): string {
  return `k${JSON.stringify([scope, key])}`;
}
