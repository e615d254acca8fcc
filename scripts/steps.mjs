/** The steps of `npm test`, in order. */
import { createServer } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { build } from "./build.mjs";
import { checkPackages } from "./check-packages.mjs";
import { chromium } from "./chromium.mjs";
import { run, Stop } from "./run.mjs";
import { reportsFolder, root } from "./workspace.mjs";

/**
 * `report` is what the step's own runner writes into the reports folder; a step without one counts as one check, or as
 * the checks it says it made.
 * @typedef {import("./bootstrap.mjs").Pnpm} Pnpm
 * @typedef {import("./reports.mjs").ReportKind} ReportKind
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {{
 *   name: string,
 *   needs?: string,
 *   report?: ReportKind,
 *   run(pnpm: Pnpm): Promise<number | Counts>,
 * }} Step
 */

/**
 * A program of a workspace dependency, run from the top.
 * @param {Pnpm} pnpm
 * @param {string} name
 * @param {readonly string[]} args
 */
function tool({ command, env }, name, args) {
  return run(command, ["exec", name, ...args], { env });
}

/** @type {readonly Step[]} */
const steps = [
  { name: "lint", run: (pnpm) => tool(pnpm, "biome", ["check", "--error-on-warnings", "."]) },
  { name: "imports", run: ({ env }) => run(process.execPath, ["scripts/check-imports.mjs"], { env }) },
  { name: "behaviours", run: ({ env }) => run(process.execPath, ["scripts/check-behaviours.mjs"], { env }) },
  {
    name: "typecheck",
    run: async (pnpm) => {
      const codes = [
        await tool(pnpm, "tsc", ["-p", "tsconfig.json"]),
        await tool(pnpm, "tsc", ["-p", "scripts/tsconfig.json"]),
      ];
      return Math.max(...codes);
    },
  },
  { name: "build", run: build },
  {
    name: "unit",
    report: "vitest",
    run: (pnpm) => {
      const json = `--outputFile.json=${join(reportsFolder, "unit.json")}`;
      return tool(pnpm, "vitest", ["run", "--reporter=default", "--reporter=json", json]);
    },
  },
  {
    name: "crash",
    needs: "build",
    report: "counts",
    run: ({ env }) => run(process.execPath, ["crash/crash.mjs", "--short"], { cwd: join(root, "e2e"), env }),
  },
  {
    name: "e2e",
    needs: "build",
    report: "playwright",
    run: async ({ command, env }) => {
      const settings = {
        CHROMIUM_PATH: await chromium(),
        E2E_PORT: process.env.E2E_PORT ?? String(await freePort()),
        PLAYWRIGHT_JSON_OUTPUT_FILE: join(reportsFolder, "e2e.json"),
      };
      return run(command, ["--filter", "@countersign/e2e", "test"], { env: { ...env, ...settings } });
    },
  },
  { name: "packages", needs: "build", run: checkPackages },
];

/**
 * A port that nothing uses, so that runs beside each other do not meet.
 * @returns {Promise<number>}
 */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/**
 * The steps that `--only unit,e2e` picks; all of them without it.
 * @param {readonly string[]} args
 * @param {readonly Step[]} [all]
 * @returns {Step[]}
 */
export function chosenSteps(args, all = steps) {
  const known = all.map(({ name }) => name).join(",");
  const usage = `Use \`npm test\` for everything, or \`npm test -- --only ${known}\` with the steps you want.`;
  if (args.length === 0) return [...all];
  const list = args[0]?.startsWith("--only=") ? args[0].slice("--only=".length) : args[1];
  const wholeLine = args[0] === "--only" ? 2 : 1;
  if (!args[0]?.startsWith("--only") || list === undefined || args.length > wholeLine) {
    throw new Stop(`These arguments are not understood: ${args.join(" ")}`, usage);
  }
  const wanted = list.split(",").map((name) => name.trim());
  const unknown = wanted.filter((name) => !all.some((step) => step.name === name));
  if (unknown.length > 0) throw new Stop(`There is no step named ${unknown.join(", ")}.`, usage);
  return all.filter(({ name }) => wanted.includes(name));
}
