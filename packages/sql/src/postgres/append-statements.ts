import type { Append, DeliveryRow, KeyRow, WriteAppend } from "@countersign/core";
import { type Call, plainArray, textArray } from "./pipeline.ts";

type Column = readonly [name: string, type: "text" | "integer" | "bigint" | "boolean"];

/**
 * One row for each place of arrays that start at parameter `from`, the first of which names the places; see {@link placed}.
 * `unnest` of all the arrays would be shorter, and slower by a third of an append: it keeps a store of tuples for each.
 */
function rows(alias: string, columns: readonly Column[], from: number): string {
  const values = columns.map(([name, type], index) => `($${from + 1 + index}::${type}[])[place] as ${name}`);
  return `(select ${values.join(", ")} from unnest($${from}::integer[]) as place) as ${alias}`;
}

/** Values for {@link rows}: as many places as there are rows, and then the columns. */
function placed(count: number, columns: readonly string[]): readonly string[] {
  return [plainArray(Array.from({ length: count }, (_, index) => index + 1)), ...columns];
}

const rowColumns: readonly Column[] = [
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
];
/** What must hold for a row to be written; each null where nothing must. */
const conditionColumns: readonly Column[] = [
  ["first_seq", "integer"],
  ["guard_epoch", "integer"],
  ["key_scope", "text"],
  ["key", "text"],
  ["now", "bigint"],
];
const itemColumns = [...rowColumns, ...conditionColumns];
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

const changing = rowColumns.filter(([name]) => !["id", "conversation_id", "created_at"].includes(name));

// With "or" rather than joins, so that they cost nothing where nothing must hold.
const allowed = `(i.guard_epoch is null or i.guard_epoch = coalesce(
      (select c.epoch from countersign.conversations c where c.id = i.conversation_id), 0))
    and (i.key is null or not exists (select from countersign.keys k
      where k.scope = i.key_scope and k.key = i.key and k.keep_until > i.now))`;

const insertRows = `insert into countersign.writes (${names(rowColumns)})
    select ${names(rowColumns)} from ${rows("i", itemColumns, 1)} where ${allowed}
    on conflict do nothing returning id`;

// The row is found by its id; "+ 0" keeps the index by time out of it.
const updateRows = `update countersign.writes w
    set ${changing.map(([name]) => `${name} = i.${name}`).join(", ")}, lease_until = 0
    from ${rows("i", itemColumns, 1)}
    where w.id = i.id and w.seq = i.first_seq - 1 and w.conversation_id = i.conversation_id
      and w.created_at + 0 = i.created_at and ${allowed}
    returning w.id`;

/** Events, and where there are some their plain values, of those writes whose rows were written. */
function writeStatement(writeRows: string, plains: boolean): string {
  const eventsFrom = 2 + itemColumns.length;
  const putPlains = `, plains as (
      insert into countersign.plain (${names(plainColumns)})
      select ${names(plainColumns, "p.")} from ${rows("p", plainColumns, eventsFrom + 1 + eventColumns.length)}
      join done on done.id = p.write_id
    )`;
  return `with done as (${writeRows})${plains ? putPlains : ""}
    insert into countersign.journal (${names(eventColumns)})
    select ${names(eventColumns, "e.")} from ${rows("e", eventColumns, eventsFrom)}
    join done on done.id = e.write_id returning write_id`;
}

const ownerWasAppended = `(owner_id is null or exists (select from countersign.journal j
  where j.write_id = owner_id and j.seq = owner_seq and j.stamp = owner_stamp))`;

// Advisory locks of two numbers: the first says that they are of this store.
const lockClass = 726_190;
const everything = `${lockClass + 1}, 0`;

/** Prepared on every connection that appends; see {@link writeCalls} and those after it. */
export const appendStatements: Readonly<Record<string, string>> = {
  // What follows in the same transaction sees all that was committed while this one waited. The lock on everything is
  // shared by all but who forgets a customer: that one reaches rows which it cannot name beforehand.
  countersign_lock: `select count(pg_advisory_xact_lock(${lockClass}, hash)), pg_advisory_xact_lock_shared(${everything})
    from unnest($1::integer[]) as hash`,
  countersign_lock_all: `select count(pg_advisory_xact_lock(${lockClass}, hash)), pg_advisory_xact_lock(${everything})
    from unnest($1::integer[]) as hash`,

  // Planning and starting a statement costs more than a row: so each kind has one that does no more than it must.
  countersign_propose: writeStatement(insertRows, true),
  countersign_propose_bare: writeStatement(insertRows, false),
  countersign_step: writeStatement(updateRows, true),
  countersign_step_bare: writeStatement(updateRows, false),

  countersign_key: `insert into countersign.keys (${names(keyColumns)})
    select ${names(keyColumns)} from ${rows("k", [...keyColumns, ...ownerColumns], 1)} where ${ownerWasAppended}
    on conflict (scope, key) do update set fingerprint = excluded.fingerprint, write_id = excluded.write_id,
      answer = excluded.answer, customer_ref = excluded.customer_ref, keep_until = excluded.keep_until`,

  countersign_delivery: `insert into countersign.deliveries (${names(deliveryColumns)})
    select ${names(deliveryColumns)} from ${rows("d", [...deliveryColumns, ...ownerColumns], 1)} where ${ownerWasAppended}`,
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
  return {
    statement: which === "all" ? "countersign_lock_all" : "countersign_lock",
    values: [plainArray(lockNames.map(hashOf).sort((a, b) => a - b))],
  };
}

/** A write to append, and what must hold for it. */
export type Item = {
  readonly write: WriteAppend;
  readonly guardEpoch: number | null;
  readonly key: KeyRow | null;
  readonly now: number;
  readonly stamp: number;
};

function writeCall(statement: string, items: readonly Item[]): Call {
  const writes = items.map(({ write }) => write.row);
  const events = items.flatMap(({ write, stamp }) => write.events.map((event) => ({ ...event, stamp })));
  const plains = items.flatMap(({ write }) => write.plains);
  return {
    statement: plains.length > 0 ? statement : `${statement}_bare`,
    values: [
      ...placed(items.length, [
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
      ]),
      ...placed(events.length, [
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
      ]),
      ...(plains.length === 0
        ? []
        : placed(plains.length, [
            textArray(plains.map((plain) => plain.writeId)),
            plainArray(plains.map((plain) => plain.seq)),
            textArray(plains.map((plain) => plain.salt)),
            textArray(plains.map((plain) => plain.args)),
            textArray(plains.map((plain) => plain.card)),
            textArray(plains.map((plain) => plain.plan)),
            textArray(plains.map((plain) => plain.outcome)),
            textArray(plains.map((plain) => plain.idempotencyKey)),
          ])),
    ],
  };
}

/**
 * Appends those writes whose guard holds, whose key is free and whose next event this is, and answers with their ids, each
 * once for every event. Fails where a write cannot be open beside another one, or an event is there without its write.
 */
export function writeCalls(items: readonly Item[]): readonly Call[] {
  const proposals = items.filter(({ write }) => write.events[0].seq === 1);
  const steps = items.filter(({ write }) => write.events[0].seq > 1);
  return [
    ...(proposals.length > 0 ? [writeCall("countersign_propose", proposals)] : []),
    ...(steps.length > 0 ? [writeCall("countersign_step", steps)] : []),
  ];
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
    values: placed(keys.length, [
      textArray(keys.map(({ row }) => row.scope)),
      textArray(keys.map(({ row }) => row.key)),
      textArray(keys.map(({ row }) => row.fingerprint)),
      textArray(keys.map(({ row }) => row.writeId)),
      textArray(keys.map(({ row }) => row.answer)),
      textArray(keys.map(({ row }) => row.customerRef)),
      plainArray(keys.map(({ row }) => row.keepUntil)),
      ...ownerValues(keys),
    ]),
  };
}

/** Adds deliveries; fails where an id exists. Where a job engine sends them, its jobs are added here. */
export function deliveryCall(deliveries: readonly Owned<DeliveryRow>[]): Call {
  return {
    statement: "countersign_delivery",
    values: placed(deliveries.length, [
      textArray(deliveries.map(({ row }) => row.id)),
      textArray(deliveries.map(({ row }) => row.kind)),
      textArray(deliveries.map(({ row }) => row.writeId)),
      textArray(deliveries.map(({ row }) => row.body)),
      plainArray(deliveries.map(({ row }) => row.dueAt)),
      plainArray(deliveries.map(({ row }) => row.attempts)),
      ...ownerValues(deliveries),
    ]),
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
