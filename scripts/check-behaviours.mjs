/**
 * Checks that every promise of docs/behaviours.md has a test, and that every test says which promise it holds. Tests of
 * these scripts and of the benches hold none: nothing that is shipped depends on them.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { isMain } from "./run.mjs";
import { caseNames, testNames } from "./test-names.mjs";
import { root } from "./workspace.mjs";

/** @typedef {import("./test-names.mjs").TestName & { path: string }} FoundTest */

const page = "docs/behaviours.md";
const folders = ["apps", "e2e", "packages"];

/**
 * One sentence per fault, sorted; none when all is in order. `tests` counts what is written, so a test with a table of
 * values is one, and so is a case of a contract, however many stores run it.
 * @param {string} [top]
 * @returns {{ areas: Map<string, { rows: number, tests: number }>, faults: string[] }}
 */
export function checkBehaviours(top = root) {
  /** @type {string[]} */
  const faults = [];
  const rows = readRows(top, faults);
  const tests = folders.flatMap((folder) => filesBelow(top, folder)).flatMap((path) => testsIn(top, path));

  /** @type {Map<string, { rows: number, tests: number }>} */
  const areas = new Map();
  for (const id of rows.keys()) areaOf(areas, id).rows += 1;
  for (const { path, line, name, id } of tests) {
    const at = `${path}:${line}  `;
    if (id === null)
      faults.push(`${at}${name === null ? "a computed name" : `"${name}"`} begins with no id of ${page}`);
    else if (rows.has(id)) areaOf(areas, id).tests += 1;
    else faults.push(`${at}${id} is not in ${page}`);
  }
  const held = new Set(tests.map(({ id }) => id));
  for (const [id, line] of rows) if (!held.has(id)) faults.push(`${page}:${line}  ${id} has no test`);
  return { areas, faults: faults.sort() };
}

/**
 * The line of each promise, by id.
 * @param {string} top
 * @param {string[]} faults
 * @returns {Map<string, number>}
 */
function readRows(top, faults) {
  /** @type {Map<string, number>} */
  const rows = new Map();
  for (const [index, text] of readFileSync(join(top, page), "utf8").split("\n").entries()) {
    const id = /^\|\s*([A-Z]+-\d+)\s*\|/.exec(text)?.[1];
    if (id === undefined) continue;
    if (rows.has(id)) faults.push(`${page}:${index + 1}  ${id} is there twice`);
    else rows.set(id, index + 1);
  }
  return rows;
}

/**
 * @param {Map<string, { rows: number, tests: number }>} areas
 * @param {string} id
 */
function areaOf(areas, id) {
  const name = id.slice(0, id.indexOf("-"));
  const area = areas.get(name) ?? { rows: 0, tests: 0 };
  areas.set(name, area);
  return area;
}

/**
 * @param {string} top
 * @param {string} folder
 * @returns {string[]}
 */
function filesBelow(top, folder) {
  if (!existsSync(join(top, folder))) return [];
  return readdirSync(join(top, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory())
      return ["node_modules", "dist"].includes(entry.name) ? [] : filesBelow(top, path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

/**
 * @param {string} top
 * @param {string} path
 * @returns {FoundTest[]}
 */
function testsIn(top, path) {
  const isTest = /\.(test|spec)\.tsx?$/.test(path);
  if (!isTest && !/-contract\/[^/]+$/.test(path)) return [];
  const text = readFileSync(join(top, path), "utf8");
  if (!isTest) return caseNames(path, text).map((found) => ({ ...found, path }));
  const { tests, runsContract } = testNames(path, text);
  const own = runsContract ? tests.filter(({ name }) => name !== null) : tests;
  return own.map((found) => ({ ...found, path }));
}

if (isMain(import.meta.url)) {
  const { areas, faults } = checkBehaviours(process.argv[2]);
  for (const fault of faults) console.error(fault);
  for (const [name, { rows, tests }] of areas) console.log(`${name}: ${rows} promises, ${tests} tests`);
  const counts = [...areas.values()];
  const rows = counts.reduce((sum, area) => sum + area.rows, 0);
  const tests = counts.reduce((sum, area) => sum + area.tests, 0);
  console.log(
    faults.length === 0
      ? `${rows} promises are held by ${tests} tests.`
      : `${faults.length} wrong between ${rows} promises and their tests.`,
  );
  process.exitCode = faults.length === 0 && rows > 0 ? 0 : 1;
}
