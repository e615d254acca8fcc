import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { checkBehaviours } from "./check-behaviours.mjs";

const trees: string[] = [];

afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true });
});

const page = "# Behaviours\n\n| id | promise |\n|---|---|\n| RUN-1 | It runs. |\n| STORE-1 | It is kept. |\n";

function check(files: Record<string, string>): ReturnType<typeof checkBehaviours> {
  const top = mkdtempSync(join(tmpdir(), "behaviours-"));
  trees.push(top);
  for (const [path, text] of Object.entries({ "docs/behaviours.md": page, ...files })) {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), text);
  }
  return checkBehaviours(top);
}

const kept = 'export const cases = [{ name: "STORE-1 kept", async run() {} }, { name: "a fixture" }];';

test("tests in every way of writing them are found, and counted by area", () => {
  const { areas, faults } = check({
    "packages/core/src/run.test.ts": [
      'import { test } from "vitest";',
      'test("RUN-1 runs", () => {});',
      'test.each([1, 2])("RUN-1 runs %d times", () => {});',
      `it.each<number>([1])(\`RUN-1 ends \${"well"}\`, () => {});`,
      'describe.each([[1]])("RUN-1 %d", () => { test("runs", () => {}); });',
    ].join("\n"),
    "e2e/stories/run.spec.ts":
      'test.describe("on a phone", () => { test.use({}, 1); test("RUN-1 runs", async () => {}); });',
    "packages/core/src/testing/store-contract/kept.ts": kept,
    "packages/sql/src/store.test.ts":
      'import { storeContract } from "x"; for (const { name, run } of storeContract) test(name, run);',
  });
  expect([[...areas], faults]).toEqual([
    [
      ["RUN", { rows: 1, tests: 5 }],
      ["STORE", { rows: 1, tests: 1 }],
    ],
    [],
  ]);
});

test("a promise without a test, and a promise that is there twice, are faults", () => {
  expect(
    check({
      "docs/behaviours.md": `${page}| RUN-1 | Again. |\n| RUN-2 | It ends. |\n`,
      "apps/shop/src/run.test.tsx": 'test("RUN-1 runs", () => {});',
      "packages/core/src/testing/store-contract/kept.ts": kept,
    }).faults,
  ).toEqual(["docs/behaviours.md:7  RUN-1 is there twice", "docs/behaviours.md:8  RUN-2 has no test"]);
});

test("a test or a case that names no promise, or one that is not there, is a fault", () => {
  expect(
    check({
      "packages/core/src/run.test.ts": [
        'test("RUN-1 runs", () => {});',
        'test("RUN-10 runs", () => {});',
        'test("runs", () => {});',
        'test("runs, as RUN-1 says", () => {});',
        'test("RUN-1", () => {});',
        "test(name, () => {});",
      ].join("\n"),
      "packages/core/src/testing/store-contract/kept.ts": kept.replace("STORE-1 ", "").concat(`\n${kept}`),
      "bench/src/run.test.ts": 'test("measures", () => {});',
      "packages/core/dist/run.test.ts": 'test("is only a copy", () => {});',
    }).faults,
  ).toEqual([
    "packages/core/src/run.test.ts:2  RUN-10 is not in docs/behaviours.md",
    'packages/core/src/run.test.ts:3  "runs" begins with no id of docs/behaviours.md',
    'packages/core/src/run.test.ts:4  "runs, as RUN-1 says" begins with no id of docs/behaviours.md',
    'packages/core/src/run.test.ts:5  "RUN-1" begins with no id of docs/behaviours.md',
    "packages/core/src/run.test.ts:6  a computed name begins with no id of docs/behaviours.md",
    'packages/core/src/testing/store-contract/kept.ts:1  "kept" begins with no id of docs/behaviours.md',
  ]);
});
