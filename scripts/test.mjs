/** Runs every check and test, or the steps picked with `--only`, and closes with the counts. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { bootstrap } from "./bootstrap.mjs";
import { closingLine, judged, readCounts, total } from "./reports.mjs";
import { exitWith, Stop } from "./run.mjs";
import { chosenSteps } from "./steps.mjs";
import { reportsFolder } from "./workspace.mjs";

/** @typedef {import("./steps.mjs").Step} Step */
/** @typedef {import("./reports.mjs").Counts} Counts */
/** @typedef {{ name: string, counts: Counts, seconds: number, note: string }} Result */

await exitWith(async () => {
  const chosen = chosenSteps(process.argv.slice(2));
  const pnpm = await bootstrap();
  mkdirSync(reportsFolder, { recursive: true });
  /** @type {Result[]} */
  const results = [];
  for (const step of chosen) {
    const needed = results.find(({ name }) => name === step.needs);
    results.push(
      needed !== undefined && needed.counts.failed > 0
        ? { name: step.name, counts: judged(null, 1), seconds: 0, note: `not run: ${needed.name} failed` }
        : await runStep(step, pnpm),
    );
  }
  return close(results);
});

/**
 * @param {Step} step
 * @param {import("./bootstrap.mjs").Pnpm} pnpm
 * @returns {Promise<Result>}
 */
async function runStep(step, pnpm) {
  const report = join(reportsFolder, `${step.name}.json`);
  rmSync(report, { force: true });
  console.log(`\n── ${step.name} ──`);
  const started = performance.now();
  const ended = await outcomeOf(step, pnpm);
  const seconds = (performance.now() - started) / 1000;
  if (step.report !== undefined) {
    const code = typeof ended === "number" ? ended : 1;
    return { name: step.name, counts: judged(readCounts(step.report, report), code), seconds, note: "" };
  }
  const checks =
    typeof ended === "number"
      ? { passed: ended === 0 ? 1 : 0, failed: ended === 0 ? 0 : 1, skipped: 0 }
      : ended;
  writeFileSync(report, `${JSON.stringify(checks)}\n`);
  return { name: step.name, counts: judged(readCounts("counts", report), 0), seconds, note: "" };
}

/**
 * @param {Step} step
 * @param {import("./bootstrap.mjs").Pnpm} pnpm
 */
async function outcomeOf(step, pnpm) {
  try {
    return await step.run(pnpm);
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    console.error(`${error.message}\nWhat to do: ${error.next}`);
    return 1;
  }
}

/**
 * @param {readonly Result[]} results
 * @returns {number} the exit code
 */
function close(results) {
  console.log("");
  for (const { name, counts, seconds, note } of results) {
    const verdict = counts.failed === 0 ? "ok" : "FAILED";
    console.log(
      `${name.padEnd(10)} ${verdict.padEnd(7)} ${seconds.toFixed(1).padStart(6)} s  ${note || closingLine(counts)}`,
    );
  }
  const sum = total(results.map(({ counts }) => counts));
  console.log(`\n${closingLine(sum)}`);
  return sum.failed === 0 ? 0 : 1;
}
