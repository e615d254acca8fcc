/** Fingerprints of inputs, kept from run to run, so that work already done is not done again. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "./workspace.mjs";

const skipped = new Set(["node_modules", "dist", "coverage"]);

/**
 * SHA-256 over the names and bytes of files; folders are walked, missing paths count as empty.
 * @param {string} top
 * @param {readonly string[]} paths relative to `top`
 * @param {readonly string[]} [more] further text that belongs to the fingerprint
 */
export function fingerprint(top, paths, more = []) {
  const hash = createHash("sha256");
  for (const text of more) hash.update(`${text}\0`);
  for (const path of paths) {
    for (const file of filesBelow(top, path)) hash.update(`${file}\0`).update(readFileSync(join(top, file)));
  }
  return hash.digest("hex");
}

/**
 * @param {string} top
 * @param {string} path
 * @returns {string[]}
 */
function filesBelow(top, path) {
  const full = join(top, path);
  if (!existsSync(full)) return [];
  const entries = readdirEntries(full);
  if (entries === null) return [path];
  return entries
    .filter((entry) => !skipped.has(entry))
    .sort()
    .flatMap((entry) => filesBelow(top, `${path}/${entry}`));
}

/**
 * @param {string} path
 * @returns {string[] | null} null for a file
 */
function readdirEntries(path) {
  try {
    return readdirSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOTDIR") return null;
    throw error;
  }
}

/**
 * The fingerprints of the last run that succeeded, by name; empty at first.
 * @param {string} topic
 * @returns {Record<string, string>}
 */
export function remembered(topic) {
  const path = join(cacheFolder, `${topic}.json`);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}

/**
 * @param {string} topic
 * @param {Record<string, string>} fingerprints
 */
export function remember(topic, fingerprints) {
  mkdirSync(cacheFolder, { recursive: true });
  writeFileSync(join(cacheFolder, `${topic}.json`), `${JSON.stringify(fingerprints, null, 2)}\n`);
}
