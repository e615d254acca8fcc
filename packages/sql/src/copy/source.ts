import { existsSync } from "node:fs";
import { ConfigurationError } from "@countersign/core";
import type { Database } from "better-sqlite3";
import { readSchemaVersion, schemaVersion } from "../sqlite/migrate.ts";
import { isBusy, loadDriver } from "../sqlite/open.ts";

/** A file that nobody else has, or why it cannot be had. */
export type Source =
  | { readonly kind: "open"; readonly db: Database }
  | { readonly kind: "in_use" }
  /** `version` 0: it holds nothing of a store. */
  | { readonly kind: "other_schema"; readonly version: number; readonly known: number };

/**
 * Opens a file so that no other process has it or gets it: whoever has a write-ahead log open shares a lock on the file, and
 * this one is not shared. Nothing in the file is changed.
 */
export async function openSource(file: string): Promise<Source> {
  const Driver = await loadDriver();
  if (!existsSync(file)) {
    throw new ConfigurationError(`there is no file ${file}; give the path of the SQLite database to copy`);
  }
  let db: Database | undefined;
  try {
    db = new Driver(file, { fileMustExist: true, timeout: 500 });
    // Before the first look at the file, or the lock would be a shared one.
    db.pragma("locking_mode = exclusive");
    db.exec("begin immediate");
    const version = readSchemaVersion(db);
    if (version === schemaVersion) return { kind: "open", db };
    db.close();
    return { kind: "other_schema", version, known: schemaVersion };
  } catch (cause) {
    db?.close();
    if (isBusy(cause)) return { kind: "in_use" };
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigurationError(
      `the file ${file} cannot be copied (${why}); give the path of an SQLite database of this store, and let this process write there`,
      { cause },
    );
  }
}
