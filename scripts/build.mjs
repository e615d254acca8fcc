/** Builds the packages whose sources, or whose dependencies' sources, changed since they were last built. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { bootstrap } from "./bootstrap.mjs";
import { fingerprint, remember, remembered } from "./remember.mjs";
import { exitWith, isMain, run } from "./run.mjs";
import { root, workspacePackages } from "./workspace.mjs";

/** @typedef {import("./workspace.mjs").WorkspacePackage} WorkspacePackage */

/**
 * Resolves to the exit code; 0 also when nothing had to be built.
 * @param {import("./bootstrap.mjs").Pnpm} pnpm
 */
export async function build({ command, env }) {
  const all = workspacePackages();
  const before = remembered("build");
  /** @type {Record<string, string>} */
  const wanted = {};
  for (const one of all.filter(({ manifest }) => manifest.scripts?.build !== undefined)) {
    const folders = [one, ...dependenciesOf(one, all)].map(({ folder }) => folder).sort();
    wanted[one.name] = fingerprint(root, ["pnpm-lock.yaml", "tsconfig.json", ...folders], [process.version]);
  }
  const stale = all.filter(
    ({ name, folder }) =>
      wanted[name] !== undefined &&
      (before[name] !== wanted[name] || !existsSync(join(root, folder, "dist"))),
  );
  if (stale.length === 0) {
    console.log("Every build is up to date.");
    return 0;
  }
  const filters = stale.flatMap(({ name }) => ["--filter", name]);
  const code = await run(command, ["--recursive", "--sort", ...filters, "run", "build"], { env });
  if (code === 0) remember("build", wanted);
  return code;
}

/**
 * @param {WorkspacePackage} one
 * @param {readonly WorkspacePackage[]} all
 * @param {Set<WorkspacePackage>} [found]
 * @returns {WorkspacePackage[]} all it depends on in the workspace, also indirectly
 */
function dependenciesOf({ manifest }, all, found = new Set()) {
  const names = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
  for (const dependency of all.filter(({ name }) => name in names)) {
    if (found.has(dependency)) continue;
    found.add(dependency);
    dependenciesOf(dependency, all, found);
  }
  return [...found];
}

if (isMain(import.meta.url)) await exitWith(async () => build(await bootstrap()));
