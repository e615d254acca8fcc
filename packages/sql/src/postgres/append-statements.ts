import type { DeliveryRow, KeyRow } from "@countersign/core";
import {
  conditionColumns,
  deliveryColumns,
  encode,
  eventColumns,
  type Item,
  keyColumns,
  names,
  type Owned,
  ownerColumns,
  parameterCount,
  plainColumns,
  rowColumns,
  type Shape,
  table,
} from "./columns.ts";
import type { Call } from "./pipeline.ts";

const itemColumns = [...rowColumns, ...conditionColumns];
const changing = rowColumns.filter(([name]) => !["id", "conversation_id", "created_at"].includes(name));

// With "or" rather than joins, so that they cost nothing where nothing must hold; and with values rather than "exists",
// which may be answered by reading the whole table once.
const allowed = `(i.guard_epoch is null or i.guard_epoch = coalesce(
      (select c.epoch from countersign.conversations c where c.id = i.conversation_id), 0))
    and (i.key is null or i.now >= coalesce(
      (select k.keep_until from countersign.keys k where k.scope = i.key_scope and k.key = i.key), 0))`;

type Kind = "propose" | "step";

const putRows: Readonly<Record<Kind, (items: string) => string>> = {
  propose: (items) => `insert into countersign.writes (${names(rowColumns)})
    select ${names(rowColumns)} from ${items} where ${allowed}
    on conflict do nothing returning id`,
  // The row is found by its id: the other conditions are written so that no index serves them.
  step: (items) => `update countersign.writes w
    set ${changing.map(([name]) => `${name} = i.${name}`).join(", ")}, lease_until = 0
    from ${items}
    where w.id = i.id and w.seq = i.first_seq - 1 and w.conversation_id || '' = i.conversation_id
      and w.created_at + 0 = i.created_at and ${allowed}
    returning w.id`,
};

/** Rows of writes, and of those that were put the events, and the plain values where there are some. */
function writeStatement(kind: Kind, items: Shape, events: Shape, plains: Shape | 0): string {
  const eventsFrom = 1 + parameterCount(itemColumns, items);
  const plainsFrom = eventsFrom + parameterCount(eventColumns, events);
  const putPlains =
    plains === 0
      ? ""
      : `, plains as (
          insert into countersign.plain (${names(plainColumns)})
          select ${names(plainColumns, "p.")} from ${table("p", plainColumns, plains, plainsFrom)}
          join done on done.id = p.write_id
        )`;
  return `with done as (${putRows[kind](table("i", itemColumns, items, 1))})${putPlains}
    insert into countersign.journal (${names(eventColumns)})
    select ${names(eventColumns, "e.")} from ${table("e", eventColumns, events, eventsFrom)}
    join done on done.id = e.write_id returning write_id`;
}

const ownerWasAppended = `(owner_id is null or owner_stamp =
  (select j.stamp from countersign.journal j where j.write_id = owner_id and j.seq = owner_seq))`;

const ownedKeyColumns = [...keyColumns, ...ownerColumns];
const ownedDeliveryColumns = [...deliveryColumns, ...ownerColumns];

function writeName(kind: Kind, items: Shape, events: Shape, plains: Shape | 0): string {
  return `countersign_${kind}_${items}_${events}_${plains}`;
}

function writeStatements(): Readonly<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const kind of ["propose", "step"] as const) {
    const add = (items: Shape, events: Shape, plains: Shape | 0): void => {
      all[writeName(kind, items, events, plains)] = writeStatement(kind, items, events, plains);
    };
    for (const plains of [0, "many"] as const) add("many", "many", plains);
    for (const events of [1, 2] as const) for (const plains of [0, 1, 2] as const) add(1, events, plains);
  }
  return all;
}

/** Prepared by whoever appends; see {@link writeCalls} and those after it. */
export const appendStatements: Readonly<Record<string, string>> = {
  ...writeStatements(),

  countersign_key: `insert into countersign.keys (${names(keyColumns)})
    select ${names(keyColumns)} from ${table("k", ownedKeyColumns, "many", 1)} where ${ownerWasAppended}
    on conflict (scope, key) do update set fingerprint = excluded.fingerprint, write_id = excluded.write_id,
      answer = excluded.answer, customer_ref = excluded.customer_ref, keep_until = excluded.keep_until`,

  countersign_delivery: `insert into countersign.deliveries (${names(deliveryColumns)})
    select ${names(deliveryColumns)} from ${table("d", ownedDeliveryColumns, "many", 1)} where ${ownerWasAppended}`,
};

function shapesOf(items: number, events: number, plains: number): readonly [Shape, Shape, Shape | 0] {
  const few = (count: number): count is 0 | 1 | 2 => count <= 2;
  if (items === 1 && (events === 1 || events === 2) && few(plains)) return [1, events, plains];
  return ["many", "many", plains === 0 ? 0 : "many"];
}

function writeCall(kind: Kind, items: readonly Item[]): Call {
  const events = items.flatMap(({ write, stamp }) => write.events.map((event) => ({ event, stamp })));
  const plains = items.flatMap(({ write }) => write.plains);
  const [itemShape, eventShape, plainShape] = shapesOf(items.length, events.length, plains.length);
  return {
    statement: writeName(kind, itemShape, eventShape, plainShape),
    values: [
      ...encode(itemColumns, itemShape, items),
      ...encode(eventColumns, eventShape, events),
      ...(plainShape === 0 ? [] : encode(plainColumns, plainShape, plains)),
    ],
  };
}

/**
 * Appends those writes whose guard holds, whose key is free and whose next event this is, and answers with their ids, each
 * once for every event. Fails where a write cannot be open beside another one, or an event is there without its write.
 *
 * One statement for new writes and one for standing ones: each does no more than it must.
 */
export function writeCalls(items: readonly Item[]): readonly Call[] {
  const proposals = items.filter(({ write }) => write.events[0].seq === 1);
  const steps = items.filter(({ write }) => write.events[0].seq > 1);
  return [
    ...(proposals.length > 0 ? [writeCall("propose", proposals)] : []),
    ...(steps.length > 0 ? [writeCall("step", steps)] : []),
  ];
}

/** Puts clients' keys, over what is left of them. */
export function keyCall(keys: readonly Owned<KeyRow>[]): Call {
  return { statement: "countersign_key", values: encode(ownedKeyColumns, "many", keys) };
}

/** Adds deliveries; fails where an id exists. Where a job engine sends them, its jobs are added here. */
export function deliveryCall(deliveries: readonly Owned<DeliveryRow>[]): Call {
  return { statement: "countersign_delivery", values: encode(ownedDeliveryColumns, "many", deliveries) };
}
