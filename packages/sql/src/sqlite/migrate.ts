import { ConfigurationError } from "@countersign/core";
import type { Database } from "better-sqlite3";
import type { SchemaStep } from "../schema.ts";
import { type Migration, migrations } from "./migrations/index.ts";

/** The schema that this code reads and writes. */
export const schemaVersion: number = migrations.length;

/** The number of the last migration that a database has had; 0 for a new one. */
export function readSchemaVersion(db: Database): number {
  const table = db.prepare("select 1 from sqlite_schema where type = 'table' and name = 'schema_migrations'");
  if (table.get() === undefined) return 0;
  const version: unknown = db.prepare("select max(version) from schema_migrations").pluck().get();
  return typeof version === "number" ? version : 0;
}

function refuseNewer(file: string, version: number): void {
  if (version > schemaVersion) {
    throw new ConfigurationError(
      `the database ${file} has schema ${version}, this version of @countersign/sql knows up to ${schemaVersion}; ` +
        "update @countersign/sql in this process to the version that the others use",
    );
  }
}

/** False when another process was faster. */
function apply(db: Database, file: string, migration: Migration): boolean {
  db.exec("begin immediate");
  try {
    // Another process may have been faster while this one waited for the lock.
    const version = readSchemaVersion(db);
    refuseNewer(file, version);
    if (version < migration.version) {
      if (
        version === 0 &&
        db.prepare("select 1 from sqlite_schema where name = 'writes'").get() !== undefined
      ) {
        throw new ConfigurationError(
          `the database ${file} holds tables of another program; give the store a file of its own`,
        );
      }
      db.exec(
        "create table if not exists schema_migrations (version integer primary key, name text not null, applied_at integer not null) strict",
      );
      db.exec(migration.sql);
      db.prepare("insert into schema_migrations (version, name, applied_at) values (?, ?, ?)").run(
        migration.version,
        migration.name,
        Date.now(),
      );
    }
    db.exec("commit");
    return version < migration.version;
  } catch (error) {
    if (db.inTransaction) db.exec("rollback");
    throw error;
  }
}

/**
 * Brings a database to {@link schemaVersion}, each migration in a transaction of its own; refuses a newer one. Answers with
 * the migrations that this call did.
 */
export function migrate(db: Database, file: string): readonly SchemaStep[] {
  const version = readSchemaVersion(db);
  refuseNewer(file, version);
  return migrations
    .slice(version)
    .filter((migration) => apply(db, file, migration))
    .map((migration) => ({ version: migration.version, name: migration.name }));
}
