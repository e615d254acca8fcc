import { readFileSync } from "node:fs";

const headerBytes = 32;
const frameHeaderBytes = 24;

/**
 * How many transactions a SQLite write-ahead log holds: its frames that end one, as sqlite.org's "WAL-mode File Format"
 * (read November 2026) has them: a frame's second word is the database's size in pages after a commit, else 0. Valid
 * while the log was never reset, so for a fresh file and fewer pages than a checkpoint takes.
 */
export function countCommits(walFile: string): number {
  const bytes = readFileSync(walFile);
  const pageBytes = bytes.readUInt32BE(8);
  let commits = 0;
  for (
    let at = headerBytes;
    at + frameHeaderBytes + pageBytes <= bytes.length;
    at += frameHeaderBytes + pageBytes
  ) {
    const ofThisLog = bytes.compare(bytes, 16, 24, at + 8, at + 16) === 0;
    if (ofThisLog && bytes.readUInt32BE(at + 4) > 0) commits += 1;
  }
  return commits;
}
