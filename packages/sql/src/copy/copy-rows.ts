import type { Database } from "better-sqlite3";
import type { ClientBase } from "pg";
import type { TableCopy } from "./tables.ts";

/** How many rows are sent together; journals and cards are some kilobytes each. */
const batchRows = 1_000;

type Value = string | number | boolean | null;
type TargetColumn = { readonly name: string; readonly type: string };

/** What there is to fill, by the target's own account; a number that the server gives itself is not. */
async function columnsOf(client: ClientBase, table: string): Promise<readonly TargetColumn[]> {
  const { rows } = await client.query<TargetColumn>(
    `select column_name as name, udt_name as type from information_schema.columns
      where table_schema = 'countersign' and table_name = $1 and is_identity = 'NO' order by ordinal_position`,
    [table],
  );
  return rows;
}

function cell(type: string, value: unknown): Value {
  if (type === "bool" && value !== null) return value === 1;
  return value as Value;
}

/** Copies the rows of one table, in batches, and answers with how many they were. */
export async function copyRows(source: Database, client: ClientBase, copy: TableCopy): Promise<number> {
  const { name, from = name, order, given = {} } = copy;
  const columns = await columnsOf(client, name);
  const names = columns.map((column) => column.name);
  const picked = names.map((column) => (column in given ? `${given[column]} as ${column}` : column));
  const select = source
    .prepare(`select ${picked.join(", ")} from ${from}${order === undefined ? "" : ` order by ${order}`}`)
    .raw();
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`);
  const insert = `insert into countersign.${name} (${names.join(", ")}) select ${names.join(", ")}
    from unnest(${arrays.join(", ")}) with ordinality as given (${names.join(", ")}, place) order by place`;

  let copied = 0;
  let batch: Value[][] = columns.map(() => []);
  const send = async (): Promise<void> => {
    const rows = batch[0]?.length ?? 0;
    if (rows === 0) return;
    await client.query(insert, batch);
    copied += rows;
    batch = columns.map(() => []);
  };
  for (const row of select.iterate() as IterableIterator<readonly unknown[]>) {
    for (const [index, { type }] of columns.entries()) batch[index]?.push(cell(type, row[index]));
    if (batch[0]?.length === batchRows) await send();
  }
  await send();
  return copied;
}
