import { existsSync } from "node:fs";
import { ConfigurationError } from "@countersign/core";
import { type StoreSchema, schemaState } from "../schema.ts";
import { readSchemaVersion } from "./migrate.ts";
import { migrations } from "./migrations/index.ts";
import { loadDriver, openDatabase } from "./open.ts";

/** The number of a file's last migration; 0 for a file that is not there. */
async function readVersion(file: string, busyTimeoutMs: number): Promise<number> {
  const Driver = await loadDriver();
  if (!existsSync(file)) return 0;
  try {
    const db = new Driver(file, { fileMustExist: true, readonly: true, timeout: busyTimeoutMs });
    try {
      return readSchemaVersion(db);
    } finally {
      db.close();
    }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigurationError(
      `the database ${file} cannot be read (${why}); give the path of an SQLite file of this store, or of none yet`,
      { cause },
    );
  }
}

/** The schema of a database file, each time on a connection of its own. */
export function fileSchema(file: string, busyTimeoutMs: number): StoreSchema {
  return {
    kind: "sqlite",
    file,
    async read() {
      return schemaState(file, await readVersion(file, busyTimeoutMs), migrations);
    },
    async migrate() {
      const { db, migrated } = await openDatabase(file, busyTimeoutMs);
      db.close();
      return migrated;
    },
  };
}
