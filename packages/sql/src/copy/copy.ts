import type { Database } from "better-sqlite3";
import type { Client } from "pg";
import { explain } from "../postgres/failures.ts";
import { checkOptions, loadDriver, openPool } from "../postgres/open.ts";
import { postgresStore } from "../postgres/store.ts";
import { copyRows } from "./copy-rows.ts";
import { openSource } from "./source.ts";
import { tableCopies } from "./tables.ts";

/** From which file into which database. */
export type CopyOptions = {
  /** An SQLite file of this schema that no process has open. */
  readonly file: string;
  /** A PostgreSQL database without anything of a store; its tables are made when they are not there. */
  readonly connectionString: string;
};

/**
 * What became of a copy; refused, it changed no row anywhere. `in_use`: another process has the file open. `other_schema`: the
 * file's schema is another one than this code's; `version` 0: it holds none. `not_empty`: the database holds rows already.
 */
export type CopyResult =
  | {
      readonly kind: "copied";
      readonly database: string;
      readonly rows: { readonly [table: string]: number };
    }
  | { readonly kind: "in_use" }
  | { readonly kind: "other_schema"; readonly version: number; readonly known: number }
  | {
      readonly kind: "newer_target";
      readonly database: string;
      readonly version: number;
      readonly known: number;
    }
  | { readonly kind: "not_empty"; readonly database: string; readonly table: string };

/** Between two words of each other's, nobody else may write here. */
async function lockAll(client: Client): Promise<void> {
  const names = tableCopies.map(({ name }) => `countersign.${name}`);
  await client.query("set local statement_timeout = 0; set local lock_timeout = '10s'");
  await client.query(`lock table ${names.join(", ")} in share row exclusive mode`);
}

async function firstFilled(client: Client): Promise<string | undefined> {
  for (const { name } of tableCopies) {
    const { rows } = await client.query(`select from countersign.${name} limit 1`);
    if (rows.length > 0) return name;
  }
  return undefined;
}

/** All or nothing: one transaction, which a process that is killed takes with it. */
async function copyAll(source: Database, client: Client, database: string): Promise<CopyResult> {
  await client.query("begin");
  await lockAll(client);
  const table = await firstFilled(client);
  if (table !== undefined) {
    await client.query("rollback");
    return { kind: "not_empty", database, table };
  }
  const rows: { [table: string]: number } = {};
  for (const copy of tableCopies) rows[copy.name] = await copyRows(source, client, copy);
  await client.query("commit");
  return { kind: "copied", database, rows };
}

/**
 * Copies everything that a store keeps in an SQLite file into an empty PostgreSQL database, as it stands: ids, hashes, times
 * and what is due. It happens as a whole or not at all, and may be asked again after a failure. The file stays as it is; for as
 * long as it takes, no other process can open it.
 *
 * Rejects with a `ConfigurationError` or an `UnavailableError` what is wrong with file or database, and what to do.
 */
export async function copyToPostgres({ file, connectionString }: CopyOptions): Promise<CopyResult> {
  const store = postgresStore({ connectionString });
  try {
    const { database, version, known } = await store.schema.read();
    if (version > known) return { kind: "newer_target", database, version, known };
    const source = await openSource(file);
    if (source.kind !== "open") return source;
    try {
      await store.schema.migrate();
      return await connectAndCopy(source.db, connectionString, database);
    } finally {
      source.db.close();
    }
  } finally {
    await store.close();
  }
}

async function connectAndCopy(
  source: Database,
  connectionString: string,
  database: string,
): Promise<CopyResult> {
  const { direct, pool } = openPool(await loadDriver(), checkOptions({ connectionString }));
  const client = direct();
  // A connection that breaks says so twice: to the query that waits for it, and as an event that would end the process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await copyAll(source, client, database);
  } catch (error) {
    throw explain(error, database);
  } finally {
    await client.end().catch(() => undefined);
    await pool.end();
  }
}
