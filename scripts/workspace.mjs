import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's top folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What these scripts remember between runs; safe to delete, never committed. */
export const cacheFolder = join(root, ".cache");

/** Where every step leaves its JSON report. */
export const reportsFolder = join(root, ".reports");

/**
 * The fields of a package.json that these scripts read.
 * @typedef {{
 *   name: string,
 *   private?: boolean,
 *   packageManager?: string,
 *   scripts?: Record<string, string>,
 *   exports?: Record<string, unknown>,
 *   dependencies?: Record<string, string>,
 *   devDependencies?: Record<string, string>,
 *   optionalDependencies?: Record<string, string>,
 * }} Manifest
 */

/**
 * One package of the workspace; `folder` is relative to the top, with forward slashes.
 * @typedef {{ name: string, folder: string, manifest: Manifest }} WorkspacePackage
 */

/**
 * @param {string} path
 * @returns {Manifest}
 */
export function readManifest(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

/**
 * Every package of the workspace, sorted by folder.
 * @param {string} [top]
 * @returns {WorkspacePackage[]}
 */
export function workspacePackages(top = root) {
  const nested = ["apps", "packages"].flatMap((group) =>
    existsSync(join(top, group)) ? readdirSync(join(top, group)).map((name) => `${group}/${name}`) : [],
  );
  return [...nested, "bench", "e2e"]
    .filter((folder) => existsSync(join(top, folder, "package.json")))
    .sort()
    .map((folder) => {
      const manifest = readManifest(join(top, folder, "package.json"));
      return { name: manifest.name, folder, manifest };
    });
}
