import { setTimeout } from "node:timers/promises";
import { ConfigurationError } from "@countersign/core";
import type BetterSqlite3 from "better-sqlite3";
import type { SchemaStep } from "../schema.ts";
import { migrate } from "./migrate.ts";

function hasCode(error: unknown, codes: readonly string[]): error is Error {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return codes.some((one) => code.startsWith(one));
}

/** Whether SQLite gave up waiting for a lock. */
export function isBusy(error: unknown): boolean {
  return hasCode(error, ["SQLITE_BUSY", "SQLITE_LOCKED"]);
}

/** Whether the disk is full, fails, or lets nobody write. */
export function isUnwritable(error: unknown): error is Error {
  return hasCode(error, ["SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_CANTOPEN"]);
}

/**
 * Loads better-sqlite3 when a store is opened, not when this module is: it is an optional dependency with native code, so
 * an installation can lack it, and then the reader should hear what to install.
 */
export async function loadDriver(): Promise<typeof BetterSqlite3> {
  try {
    return (await import("better-sqlite3")).default;
  } catch (cause) {
    throw new ConfigurationError(
      "sqliteStore needs the package better-sqlite3, which is not installed; run `npm install better-sqlite3` " +
        "(where no prebuilt binary fits, it is compiled and needs python3, make and a C++ compiler)",
      { cause },
    );
  }
}

function connect(Driver: typeof BetterSqlite3, file: string, busyTimeoutMs: number): BetterSqlite3.Database {
  try {
    return new Driver(file, { timeout: busyTimeoutMs });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigurationError(
      `the database ${file} cannot be opened (${why}); check that its directory exists and this process may write there`,
      { cause },
    );
  }
}

function prepare(db: BetterSqlite3.Database, file: string): readonly SchemaStep[] {
  const mode: unknown = db.pragma("journal_mode = WAL", { simple: true });
  if (mode !== "wal") {
    throw new ConfigurationError(
      `the database ${file} cannot use a write-ahead log (mode ${String(mode)}); ` +
        "put it on a local disk, or use memoryStore() for a store without file",
    );
  }
  // better-sqlite3 is compiled with WAL meaning NORMAL, which loses the last commits when the power fails.
  db.pragma("synchronous = FULL");
  db.pragma("foreign_keys = ON");
  // What was erased for a customer's sake must not be legible in the file any more.
  db.pragma("secure_delete = ON");
  db.pragma("cache_size = -32768");
  return migrate(db, file);
}

/** A database file of this code's schema, and what was migrated to make it so. */
export type OpenedFile = { readonly db: BetterSqlite3.Database; readonly migrated: readonly SchemaStep[] };

/** Opens a database file, new or not, and brings it to this code's schema. Rejects with a `ConfigurationError` otherwise. */
export async function openDatabase(file: string, busyTimeoutMs: number): Promise<OpenedFile> {
  const Driver = await loadDriver();
  const db = connect(Driver, file, busyTimeoutMs);
  const deadline = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      return { db, migrated: prepare(db, file) };
    } catch (cause) {
      // SQLite does not wait for a lock where waiting could deadlock, as when several processes turn on the log at once.
      if (isBusy(cause) && performance.now() < deadline) {
        await setTimeout(5 + Math.random() * 20);
        continue;
      }
      db.close();
      if (cause instanceof ConfigurationError) throw cause;
      const why = cause instanceof Error ? cause.message : String(cause);
      if (isUnwritable(cause)) {
        throw new ConfigurationError(
          `the database ${file} cannot be written (${why}); let this process write the file and its directory, and make room there`,
          { cause },
        );
      }
      throw new ConfigurationError(
        `the database ${file} cannot be used (${why}); give the path of an SQLite file of this store, or of none yet`,
        { cause },
      );
    }
  }
}
