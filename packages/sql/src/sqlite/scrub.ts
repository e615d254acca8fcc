import type { Database } from "better-sqlite3";
import { isBusy } from "./open.ts";

// Rewriting so much takes about a second, in which nobody else is served.
const mostBytes = 256 * 1024 * 1024;

function warn(file: string, why: string): void {
  process.emitWarning(
    `a customer was erased from the database ${file}, but ${why}, so unused parts of its pages may still hold copies of ` +
      "their values; run VACUUM and then PRAGMA wal_checkpoint(TRUNCATE) on it at a quiet time",
  );
}

/**
 * Takes what was erased out of the file itself. What is deleted is overwritten at once, but SQLite leaves copies of rows
 * behind wherever it moved them between pages; only writing the file anew is sure to lose them. The log goes last: it holds
 * what the pages held before.
 *
 * Never rejects, since the erasure itself is done: what hinders it becomes a process warning.
 */
export function scrub(db: Database, file: string): void {
  try {
    const pages = Number(db.pragma("page_count", { simple: true }));
    const pageBytes = Number(db.pragma("page_size", { simple: true }));
    if (pages * pageBytes <= mostBytes) db.exec("vacuum");
    else warn(file, "the file is too large to be written anew while others wait");
    const [cut] = db.pragma("wal_checkpoint(TRUNCATE)") as readonly { readonly busy: number }[];
    if (cut?.busy !== 0) warn(file, "another process was reading its log");
  } catch (error) {
    warn(file, isBusy(error) ? "another process kept it locked" : "it could not be written anew");
  }
}
