/** Counts of tests, read from the JSON that each runner writes. */
import { existsSync, readFileSync } from "node:fs";

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */
/** @typedef {"vitest" | "playwright" | "counts"} ReportKind `counts` is `{ passed, failed, skipped? }` */

/**
 * Null when there is no report or it cannot be read, as after a crash of the runner.
 * @param {ReportKind} kind
 * @param {string} path
 * @returns {Counts | null}
 */
export function readCounts(kind, path) {
  if (!existsSync(path)) return null;
  try {
    const counts = readers[kind](JSON.parse(readFileSync(path, "utf8")));
    return Object.values(counts).every(Number.isSafeInteger) ? counts : null;
  } catch {
    return null;
  }
}

/**
 * The parts of the runners' reports that are counted.
 * @typedef {{ status: string, assertionResults: { status: string }[] }} TestFile
 * @typedef {{
 *   numPassedTests: number,
 *   numFailedTests: number,
 *   numPendingTests: number,
 *   numTodoTests: number,
 *   testResults: TestFile[],
 * }} VitestReport
 * @typedef {{ expected: number, unexpected: number, flaky: number, skipped: number }} PlaywrightStats
 * @typedef {{ stats: PlaywrightStats, errors: unknown[] }} PlaywrightReport
 */

/**
 * @type {{
 *   vitest: (report: VitestReport) => Counts,
 *   playwright: (report: PlaywrightReport) => Counts,
 *   counts: (report: { passed: number, failed: number, skipped?: number }) => Counts,
 * }}
 */
const readers = {
  vitest: (report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests + report.testResults.filter(failedToLoad).length,
    skipped: report.numPendingTests + report.numTodoTests,
  }),
  playwright: ({ stats, errors }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
  }),
  counts: ({ passed, failed, skipped = 0 }) => ({ passed, failed, skipped }),
};

/**
 * A test file that broke before its tests could run counts as one failure: vitest reports it without any.
 * @param {TestFile} file
 */
function failedToLoad({ status, assertionResults }) {
  return status === "failed" && assertionResults.every((result) => result.status !== "failed");
}

/**
 * What a step counts for, given its runner's exit code: a runner that failed without saying so, or that ran nothing,
 * is one failure.
 * @param {Counts | null} counts
 * @param {number} exitCode
 * @returns {Counts}
 */
export function judged(counts, exitCode) {
  const { passed, failed, skipped } = counts ?? { passed: 0, failed: 0, skipped: 0 };
  const silent = failed === 0 && (exitCode !== 0 || passed === 0);
  return { passed, failed: silent ? 1 : failed, skipped };
}

/**
 * The closing line, for people and for machines that read it.
 * @param {Counts} counts
 */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/**
 * @param {readonly Counts[]} all
 * @returns {Counts}
 */
export function total(all) {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const { passed, failed, skipped } of all) {
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
  }
  return sum;
}
