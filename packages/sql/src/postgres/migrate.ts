import { ConfigurationError } from "@countersign/core";
import type { ClientBase } from "pg";
import type { SchemaStep } from "../schema.ts";
import { isCode } from "./failures.ts";
import { type Migration, migrations } from "./migrations/index.ts";

/** The schema that this code reads and writes. */
export const schemaVersion: number = migrations.length;

/** Any number, the same in every process: whoever holds its lock is the one that migrates. */
const migrationLock = 7_261_905_443;

/** The number of the last migration that a database has had; 0 for a new one. */
export async function readSchemaVersion(client: ClientBase): Promise<number> {
  // From the table itself: a function such as to_regclass answers from what this session remembers.
  const found = await client.query(
    "select from pg_catalog.pg_tables where schemaname = 'countersign' and tablename = 'schema_migrations'",
  );
  if (found.rowCount === 0) return 0;
  const { rows } = await client.query<{ readonly version: number | null }>(
    "select max(version) as version from countersign.schema_migrations",
  );
  return rows[0]?.version ?? 0;
}

function refuseNewer(name: string, version: number): void {
  if (version > schemaVersion) {
    throw new ConfigurationError(
      `the database ${name} has schema ${version}, this version of @countersign/sql knows up to ${schemaVersion}; ` +
        "update @countersign/sql in this process to the version that the others use",
    );
  }
}

/** False when another process was faster. */
async function apply(client: ClientBase, name: string, migration: Migration): Promise<boolean> {
  await client.query("begin");
  try {
    // However long another process takes.
    await client.query("set local statement_timeout = 0; set local lock_timeout = 0");
    await client.query("select pg_advisory_xact_lock($1)", [migrationLock]);
    // Another process may have been faster while this one waited.
    const version = await readSchemaVersion(client);
    refuseNewer(name, version);
    if (version < migration.version) {
      if (version === 0) {
        await client.query(
          `create schema if not exists countersign; create table countersign.schema_migrations
            (version integer primary key, name text not null, applied_at timestamptz not null default now())`,
        );
      }
      await client.query(migration.sql);
      await client.query("insert into countersign.schema_migrations (version, name) values ($1, $2)", [
        migration.version,
        migration.name,
      ]);
    }
    await client.query("commit");
    return version < migration.version;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    if (isCode(error, "42P07")) {
      throw new ConfigurationError(
        `the schema countersign of the database ${name} holds tables of another program; ` +
          "give the store a database where it can have that schema for itself",
        { cause: error },
      );
    }
    throw error;
  }
}

/**
 * Brings a database to {@link schemaVersion}, each migration in a transaction of its own; refuses a newer one. Answers with
 * the migrations that this call did.
 */
export async function migrate(client: ClientBase, name: string): Promise<readonly SchemaStep[]> {
  const version = await readSchemaVersion(client);
  refuseNewer(name, version);
  const done: SchemaStep[] = [];
  for (const migration of migrations.slice(version)) {
    if (await apply(client, name, migration)) done.push({ version: migration.version, name: migration.name });
  }
  return done;
}
