import type { DeliveryRow, JournalRow, KeyRow, PlainRow, WriteAppend } from "@countersign/core";

/** A column of rows that are sent to the server, and its value of each. */
export type Column<Row> = readonly [
  name: string,
  type: "text" | "integer" | "bigint" | "boolean",
  read: (row: Row) => string | number | boolean | null,
];

/** A write to append, what must hold for it, and the number that tells this append from every other one. */
export type Item = {
  readonly write: WriteAppend;
  /** The conversation's epoch, where it must be this one. */
  readonly guardEpoch: number | null;
  readonly key: KeyRow | null;
  readonly now: number;
  readonly stamp: number;
};

/** A row that is put only if its item was appended in the same transaction; without an item, in any case. */
export type Owned<Row> = { readonly row: Row; readonly item: Item | null };

export const rowColumns: readonly Column<Item>[] = [
  ["id", "text", ({ write }) => write.row.id],
  ["conversation_id", "text", ({ write }) => write.row.conversationId],
  ["state", "text", ({ write }) => write.row.state],
  ["version", "integer", ({ write }) => write.row.version],
  ["seq", "integer", ({ write }) => write.row.seq],
  ["open", "boolean", ({ write }) => write.row.open],
  ["tool", "text", ({ write }) => write.row.tool],
  ["tool_version", "text", ({ write }) => write.row.toolVersion],
  ["epoch", "integer", ({ write }) => write.row.epoch],
  ["customer_ref", "text", ({ write }) => write.row.customerRef],
  ["agent", "text", ({ write }) => write.row.agent],
  ["attention", "boolean", ({ write }) => write.row.attention],
  ["due_at", "bigint", ({ write }) => write.row.dueAt],
  ["created_at", "bigint", ({ write }) => write.row.createdAt],
  ["decided_at", "bigint", ({ write }) => write.row.decidedAt],
  ["settled_at", "bigint", ({ write }) => write.row.settledAt],
];

/** What must hold for a row to be written; each null where nothing must. */
export const conditionColumns: readonly Column<Item>[] = [
  ["first_seq", "integer", ({ write }) => write.events[0].seq],
  ["guard_epoch", "integer", ({ guardEpoch }) => guardEpoch],
  ["key_scope", "text", ({ key }) => key?.scope ?? null],
  ["key", "text", ({ key }) => key?.key ?? null],
  ["now", "bigint", ({ now }) => now],
];

export const eventColumns: readonly Column<{ readonly event: JournalRow; readonly stamp: number }>[] = [
  ["write_id", "text", ({ event }) => event.writeId],
  ["seq", "integer", ({ event }) => event.seq],
  ["at", "bigint", ({ event }) => event.at],
  ["type", "text", ({ event }) => event.type],
  ["v", "integer", ({ event }) => event.v],
  ["by", "text", ({ event }) => event.by],
  ["body", "text", ({ event }) => event.body],
  ["commits", "text", ({ event }) => event.commits],
  ["prev", "text", ({ event }) => event.prev],
  ["hash", "text", ({ event }) => event.hash],
  ["stamp", "bigint", ({ stamp }) => stamp],
];

export const plainColumns: readonly Column<PlainRow>[] = [
  ["write_id", "text", (plain) => plain.writeId],
  ["seq", "integer", (plain) => plain.seq],
  ["salt", "text", (plain) => plain.salt],
  ["args", "text", (plain) => plain.args],
  ["card", "text", (plain) => plain.card],
  ["plan", "text", (plain) => plain.plan],
  ["outcome", "text", (plain) => plain.outcome],
  ["idempotency_key", "text", (plain) => plain.idempotencyKey],
];

export const keyColumns: readonly Column<Owned<KeyRow>>[] = [
  ["scope", "text", ({ row }) => row.scope],
  ["key", "text", ({ row }) => row.key],
  ["fingerprint", "text", ({ row }) => row.fingerprint],
  ["write_id", "text", ({ row }) => row.writeId],
  ["answer", "text", ({ row }) => row.answer],
  ["customer_ref", "text", ({ row }) => row.customerRef],
  ["keep_until", "bigint", ({ row }) => row.keepUntil],
];

export const deliveryColumns: readonly Column<Owned<DeliveryRow>>[] = [
  ["id", "text", ({ row }) => row.id],
  ["kind", "text", ({ row }) => row.kind],
  ["write_id", "text", ({ row }) => row.writeId],
  ["body", "text", ({ row }) => row.body],
  ["due_at", "bigint", ({ row }) => row.dueAt],
  ["attempts", "integer", ({ row }) => row.attempts],
];

/** The first event of the append that a row belongs to; null where it depends on none. */
export const ownerColumns: readonly Column<Owned<unknown>>[] = [
  ["owner_id", "text", ({ item }) => item?.write.row.id ?? null],
  ["owner_seq", "integer", ({ item }) => item?.write.events[0].seq ?? null],
  ["owner_stamp", "bigint", ({ item }) => item?.stamp ?? null],
];

/** Names for SQL. */
export function names(columns: readonly Column<never>[], prefix = ""): string {
  return columns.map(([name]) => prefix + name).join(", ");
}

/**
 * How many rows a statement takes: as many as its arrays are long, or just as many as it has parameters for. Reading an
 * array costs some microseconds a column, which a write that comes alone is spared.
 */
export type Shape = "many" | 1 | 2;

/** Rows as a table of SQL, from parameter `from` on; {@link encode} gives the values. */
export function table(alias: string, columns: readonly Column<never>[], shape: Shape, from: number): string {
  if (shape === "many") {
    // `unnest` of all the arrays would be shorter, and slower: it keeps a store of tuples for each.
    const values = columns.map(
      ([name, type], index) => `($${from + 1 + index}::${type}[])[place] as ${name}`,
    );
    return `(select ${values.join(", ")} from unnest($${from}::integer[]) as place) as ${alias}`;
  }
  const row = (first: number): string =>
    columns.map(([, type], index) => `$${first + index}::${type}`).join(", ");
  if (shape === 1) return `(select ${row(from)}) as ${alias} (${names(columns)})`;
  return `(values (${row(from)}), (${row(from + columns.length)})) as ${alias} (${names(columns)})`;
}

/** How many parameters a {@link table} has. */
export function parameterCount(columns: readonly Column<never>[], shape: Shape): number {
  return shape === "many" ? 1 + columns.length : shape * columns.length;
}

// Without control characters and halves of surrogates, which JSON may write with letters that PostgreSQL takes as they are.
const likeJson = /^[ -\ud7ff\ue000-\uffff]*$/;

/** A text as an element of an array. JSON quotes the same two characters in the same way, and at half the cost. */
function quoted(text: string): string {
  return likeJson.test(text) ? JSON.stringify(text) : `"${text.replace(/["\\]/g, "\\$&")}"`;
}

function arrayOf<Row>([, type, read]: Column<Row>, rows: readonly Row[]): string {
  const texts = rows.map((row) => {
    const value = read(row);
    if (value === null) return "NULL";
    return type === "text" ? quoted(String(value)) : String(value);
  });
  return `{${texts.join(",")}}`;
}

/** The values of a {@link table}, as PostgreSQL reads them. */
export function encode<Row>(
  columns: readonly Column<Row>[],
  shape: Shape,
  rows: readonly Row[],
): readonly (string | null)[] {
  if (shape === "many") {
    return [`{${rows.map((_, index) => index + 1).join(",")}}`, ...columns.map((one) => arrayOf(one, rows))];
  }
  return rows.flatMap((row) =>
    columns.map(([, , read]) => {
      const value = read(row);
      return value === null ? null : String(value);
    }),
  );
}
