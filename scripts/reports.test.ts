import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { closingLine, judged, readCounts, total } from "./reports.mjs";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reports-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

function reportOf(report: unknown): string {
  const path = join(folder, "report.json");
  writeFileSync(path, typeof report === "string" ? report : JSON.stringify(report));
  return path;
}

describe("reading a report", () => {
  test("vitest's counts include a test file that broke before its tests could run", () => {
    const report = {
      numPassedTests: 5,
      numFailedTests: 1,
      numPendingTests: 2,
      numTodoTests: 1,
      testResults: [
        { status: "passed", assertionResults: [{ status: "passed" }] },
        { status: "failed", assertionResults: [{ status: "failed" }] },
        { status: "failed", assertionResults: [] },
      ],
    };
    expect(readCounts("vitest", reportOf(report))).toEqual({ passed: 5, failed: 2, skipped: 3 });
  });

  test("Playwright's counts include errors outside of any test", () => {
    const report = {
      stats: { expected: 7, unexpected: 1, flaky: 1, skipped: 2 },
      errors: [{ message: "no server" }],
    };
    expect(readCounts("playwright", reportOf(report))).toEqual({ passed: 8, failed: 2, skipped: 2 });
  });

  test("a plain report says its counts itself", () => {
    expect(readCounts("counts", reportOf({ passed: 3, failed: 0 }))).toEqual({
      passed: 3,
      failed: 0,
      skipped: 0,
    });
  });

  test("a report that is missing, cut off or of another shape is no report", () => {
    expect(readCounts("counts", join(folder, "none.json"))).toBeNull();
    expect(readCounts("vitest", reportOf('{ "numPassedTests": 5'))).toBeNull();
    expect(readCounts("playwright", reportOf({ passed: 3, failed: 0 }))).toBeNull();
    expect(readCounts("counts", reportOf({ passed: "all", failed: 0 }))).toBeNull();
  });
});

describe("judging a step", () => {
  test("counts stand as they are when the runner's exit code agrees", () => {
    expect(judged({ passed: 3, failed: 0, skipped: 1 }, 0)).toEqual({ passed: 3, failed: 0, skipped: 1 });
    expect(judged({ passed: 3, failed: 2, skipped: 0 }, 1)).toEqual({ passed: 3, failed: 2, skipped: 0 });
  });

  test("a runner that fails without naming a failed test is one failure", () => {
    expect(judged({ passed: 3, failed: 0, skipped: 0 }, 1)).toEqual({ passed: 3, failed: 1, skipped: 0 });
    expect(judged(null, 1)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  test("a runner that ran nothing is one failure, whatever its exit code", () => {
    expect(judged(null, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(judged({ passed: 0, failed: 0, skipped: 4 }, 0)).toEqual({ passed: 0, failed: 1, skipped: 4 });
  });
});

test("the closing line adds the steps up and names skipped tests only when there are some", () => {
  const sum = total([
    { passed: 3, failed: 0, skipped: 0 },
    { passed: 4, failed: 1, skipped: 0 },
  ]);
  expect(closingLine(sum)).toBe("7 passed, 1 failed");
  expect(closingLine({ ...sum, skipped: 2 })).toBe("7 passed, 1 failed, 2 skipped");
});
