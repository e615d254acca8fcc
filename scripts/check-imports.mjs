/** Checks who imports whom, and that the core takes time and randomness from its own two files only. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import process from "node:process";
import {
  alsoBefore,
  browserEntries,
  coreLayers,
  forTests,
  importsOnly,
  machineFiles,
  mayImport,
  selfContained,
} from "./import-rules.mjs";
import { isMain } from "./run.mjs";
import { sourceFacts } from "./source-facts.mjs";
import { root } from "./workspace.mjs";

/** @typedef {import("./source-facts.mjs").SourceFacts} SourceFacts */
/** @typedef {{ path: string, folder: string, test: boolean, facts: SourceFacts }} SourceFile */

const coreSource = "packages/core/src/";

/**
 * One sentence per fault, `path:line  what is wrong`, sorted; none when all is in order.
 * @param {string} [top]
 * @returns {{ files: number, faults: string[] }}
 */
export function checkImports(top = root) {
  const files = Object.keys(mayImport).flatMap((folder) =>
    sourcesBelow(top, folder).map((path) => readSource(top, folder, path)),
  );
  const faults = [
    ...files.flatMap((file) => [...packageFaults(file), ...coreFaults(file)]),
    ...browserFaults(files),
  ];
  return { files: files.length, faults: [...new Set(faults)].sort() };
}

/**
 * @param {string} top
 * @param {string} folder
 * @returns {string[]}
 */
function sourcesBelow(top, folder) {
  if (!existsSync(join(top, folder))) return [];
  return readdirSync(join(top, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory())
      return ["node_modules", "dist"].includes(entry.name) ? [] : sourcesBelow(top, path);
    return /\.(tsx?|mjs)$/.test(entry.name) ? [path] : [];
  });
}

/**
 * @param {string} top
 * @param {string} folder
 * @param {string} path
 * @returns {SourceFile}
 */
function readSource(top, folder, path) {
  const facts = sourceFacts(path, readFileSync(join(top, path), "utf8"));
  return { path, folder, test: isForTests(path), facts };
}

/**
 * Tests, and files named fixtures, which only tests and other fixtures may import, types aside.
 * @param {string} path
 */
function isForTests(path) {
  return /(\.test|[/-]fixtures)\.tsx?$/.test(path);
}

/**
 * @param {SourceFile} file
 * @returns {string[]}
 */
function packageFaults({ path, folder, test, facts }) {
  const allowed = mayImport[folder] ?? [];
  return facts.imports.flatMap(({ from, line, typeOnly }) => {
    const at = `${path}:${line}  `;
    if (from.startsWith(".")) {
      if (!test && !typeOnly && isForTests(from)) return [`${at}is no test and must not import ${from}`];
      return `${target(path, from)}/`.startsWith(`${folder}/`)
        ? []
        : [`${at}reaches out of ${folder} to ${from}`];
    }
    const name = from
      .split("/")
      .slice(0, from.startsWith("@") ? 2 : 1)
      .join("/");
    if (name.startsWith("@countersign/")) {
      return allowed.includes(name) || (test && forTests.includes(name))
        ? []
        : [`${at}${folder} must not import ${name}`];
    }
    const outside = !from.startsWith("node:");
    return outside && !test && selfContained.includes(folder)
      ? [`${at}${folder} must not import ${from}`]
      : [];
  });
}

/**
 * @param {SourceFile} file
 * @returns {string[]}
 */
function coreFaults({ path, test, facts }) {
  if (!path.startsWith(coreSource)) return [];
  const inside = path.slice(coreSource.length);
  const layer = inside.includes("/") ? inside.slice(0, inside.indexOf("/")) : null;
  if (layer !== null && !coreLayers.includes(layer)) {
    return [`${path}:1  ${layer} has no place in the order; add it to scripts/import-rules.mjs`];
  }
  const pure = layer === "flow" && !test;
  const isMachine = machineFiles.some((name) => inside === `${name}.ts` || inside === `${name}.test.ts`);
  return [
    ...(layer === null || test ? [] : layerFaults(path, layer, facts)),
    ...facts.uses.flatMap(({ what, text, line }) => {
      const at = `${path}:${line}  `;
      if (what === "clock" || what === "randomness") {
        return isMachine ? [] : [`${at}takes ${what === "clock" ? "time" : what} from the machine: ${text}`];
      }
      return pure ? [`${at}flow knows no clock and never waits: ${text}`] : [];
    }),
    ...(pure ? facts.imports.filter(({ from }) => from.startsWith("node:")) : []).map(
      ({ from, line }) => `${path}:${line}  flow must not import ${from}`,
    ),
  ];
}

/**
 * @param {string} path
 * @param {string} layer
 * @param {SourceFacts} facts
 */
function layerFaults(path, layer, facts) {
  return facts.imports.flatMap(({ from, line }) => {
    if (!from.startsWith(".")) return [];
    const reached = target(path, from).slice(coreSource.length);
    if (alsoBefore[layer]?.includes(reached)) return [];
    const other = reached.includes("/") ? reached.slice(0, reached.indexOf("/")) : "src";
    const only = importsOnly[layer];
    const above =
      only === undefined
        ? other !== "src" && coreLayers.indexOf(other) <= coreLayers.indexOf(layer)
        : other === layer || only.includes(other);
    return above || layer === coreLayers.at(-1) ? [] : [`${path}:${line}  ${layer} must not import ${other}`];
  });
}

/**
 * @param {readonly SourceFile[]} files
 * @returns {string[]}
 */
function browserFaults(files) {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const queue = files.filter(
    ({ path, test }) => !test && browserEntries.some((entry) => `${path}/`.startsWith(`${entry}/`)),
  );
  const seen = new Set(queue);
  /** @type {string[]} */
  const faults = [];
  for (const { path, facts } of queue) {
    for (const { from, line } of facts.imports.filter(({ typeOnly }) => !typeOnly)) {
      if (from.startsWith("node:"))
        faults.push(`${path}:${line}  is reached by a web page and must not import ${from}`);
      const next = byPath.get(from.startsWith(".") ? target(path, from) : coreEntry(from));
      if (next === undefined || seen.has(next)) continue;
      seen.add(next);
      queue.push(next);
    }
  }
  return faults;
}

/** @param {string} from */
function coreEntry(from) {
  const [scope, name, subpath] = from.split("/");
  return `${scope}/${name}` === "@countersign/core"
    ? `${coreSource}${subpath ? `${subpath}/` : ""}index.ts`
    : "";
}

/**
 * @param {string} path
 * @param {string} from
 */
function target(path, from) {
  return posix.normalize(posix.join(dirname(path), from));
}

if (isMain(import.meta.url)) {
  const { files, faults } = checkImports(process.argv[2]);
  for (const fault of faults) console.error(fault);
  console.log(
    faults.length === 0
      ? `Imports of ${files} files are in order.`
      : `${faults.length} wrong in ${files} files.`,
  );
  process.exitCode = faults.length === 0 && files > 0 ? 0 : 1;
}
