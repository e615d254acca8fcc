import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { checkImports } from "./check-imports.mjs";

const trees: string[] = [];

afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true });
});

function faultsIn(files: Record<string, string>): string[] {
  const top = mkdtempSync(join(tmpdir(), "imports-"));
  trees.push(top);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), text);
  }
  return checkImports(top).faults;
}

test("a tree where everything imports only what stands above it has no faults", () => {
  expect(
    faultsIn({
      "packages/core/src/index.ts": 'export { a } from "./engine/a.ts";',
      "packages/core/src/base/clock.ts": "export const now = () => Date.now();",
      "packages/core/src/base/random.ts": 'import { randomUUID } from "node:crypto"; export { randomUUID };',
      "packages/core/src/card/date.ts": "export const year = (at: number) => new Date(at).getFullYear();",
      "packages/core/src/engine/a.ts":
        'import { now } from "../base/clock.ts"; export const a = async () => now();',
      "packages/core/src/flow/a.ts":
        'import type { Append } from "../ports/store.ts"; // no Date.now() and no await here\n',
      "packages/core/src/flow/a.test.ts":
        'import fc from "fast-check"; import "../testing/given.ts"; await fc;',
      "packages/core/src/flow/fixtures.ts": 'import { z } from "zod"; import "../testing/given.ts";',
      "packages/core/src/flow/b.test.ts": 'import "./fixtures.ts";',
      "packages/core/src/tool/check.ts": 'import { isLocale } from "../card/locale.ts";',
      "packages/core/src/testing/given.ts":
        'import "../engine/a.ts"; import "../index.ts"; import "node:assert";',
      "packages/sql/src/sqlite/store.ts": 'import "better-sqlite3"; import "@countersign/core";',
      "packages/cli/src/index.ts": 'import "@countersign/http"; import "@countersign/sql/sqlite";',
      "apps/playground/src/server.ts": 'import "@countersign/cli"; import "@countersign/core/testing";',
    }),
  ).toEqual([]);
});

test("libraries import only the core, and nobody imports the playground or the browser tests", () => {
  expect(
    faultsIn({
      "packages/core/src/base/a.ts": 'import { z } from "zod";',
      "packages/core/src/base/b.test.ts": 'import "@countersign/sql/sqlite";',
      "packages/http/src/index.ts": 'import "hono";\nimport type { Store } from "@countersign/sql/sqlite";',
      "packages/review-card/src/card.tsx": 'const later = () => import("@countersign/http");',
      "packages/sql/src/index.ts": 'export { x } from "../../core/src/index.ts";',
      "e2e/card.spec.ts": 'import "@countersign/cli"; import "@countersign/playground";',
    }),
  ).toEqual([
    "e2e/card.spec.ts:1  e2e must not import @countersign/playground",
    "packages/core/src/base/a.ts:1  packages/core must not import zod",
    "packages/core/src/base/b.test.ts:1  packages/core must not import @countersign/sql",
    "packages/http/src/index.ts:2  packages/http must not import @countersign/sql",
    "packages/review-card/src/card.tsx:1  packages/review-card must not import @countersign/http",
    "packages/sql/src/index.ts:1  reaches out of packages/sql to ../../core/src/index.ts",
  ]);
});

test("a file of the core imports neither what stands below it, nor the index, nor from a folder without a place", () => {
  expect(
    faultsIn({
      "packages/core/src/base/a.ts": 'import type { Tool } from "../tool/define.ts";',
      "packages/core/src/flow/a.ts": 'import { rule } from "../engine/engine.ts";',
      "packages/core/src/ports/store.ts": 'import "../flow/a.ts";\nimport "../index.ts";',
      "packages/core/src/utils/a.ts": "export const a = 1;",
      "packages/core/src/verify/a.ts":
        'import "../base/a.ts"; import "./b.ts";\nimport "../flow/a.ts";\nimport "../testing/a.ts";',
    }),
  ).toEqual([
    "packages/core/src/base/a.ts:1  base must not import tool",
    "packages/core/src/flow/a.ts:1  flow must not import engine",
    "packages/core/src/ports/store.ts:1  ports must not import flow",
    "packages/core/src/ports/store.ts:2  ports must not import src",
    "packages/core/src/utils/a.ts:1  utils has no place in the order; add it to scripts/import-rules.mjs",
    "packages/core/src/verify/a.ts:2  verify must not import flow",
    "packages/core/src/verify/a.ts:3  verify must not import testing",
  ]);
});

test("what is made for tests stays with the tests", () => {
  expect(
    faultsIn({
      "packages/http/src/fixtures.ts": 'import "hono";',
      "packages/http/src/handler.ts": 'import { shop } from "./fixtures.ts";',
    }),
  ).toEqual(["packages/http/src/handler.ts:1  is no test and must not import ./fixtures.ts"]);
});

test("what is for tests only is imported by tests and fixtures only", () => {
  expect(
    faultsIn({
      "packages/sql/src/fixtures.ts": 'import "@countersign/test-postgres";',
      "packages/sql/src/store.test.ts": 'import "@countersign/test-postgres";',
      "packages/sql/src/store.ts": 'import "@countersign/test-postgres";',
    }),
  ).toEqual(["packages/sql/src/store.ts:1  packages/sql must not import @countersign/test-postgres"]);
});

test("the flow has no dates, no waiting and nothing of Node's", () => {
  expect(
    faultsIn({
      "packages/core/src/flow/a.ts": [
        'import { createHash } from "node:crypto";',
        "export const at = (ms: number) => new Date(ms);",
        "export const a = async () => 1;",
        "export const b = (c: Promise<1>) => { for (;;) await c; };",
      ].join("\n"),
    }),
  ).toEqual([
    "packages/core/src/flow/a.ts:1  flow must not import node:crypto",
    "packages/core/src/flow/a.ts:2  flow knows no clock and never waits: Date",
    "packages/core/src/flow/a.ts:3  flow knows no clock and never waits: async",
    "packages/core/src/flow/a.ts:4  flow knows no clock and never waits: await c",
  ]);
});

test("the core takes time and randomness from the machine in two files only", () => {
  expect(
    faultsIn({
      "packages/core/src/memory/a.ts": ["Date.now();", "new Date();", "Math.random();", "Date();"].join("\n"),
      "packages/core/src/memory/a.test.ts": "globalThis.Date.now();",
    }),
  ).toEqual([
    "packages/core/src/memory/a.test.ts:1  takes time from the machine: globalThis.Date.now",
    "packages/core/src/memory/a.ts:1  takes time from the machine: Date.now",
    "packages/core/src/memory/a.ts:2  takes time from the machine: new Date()",
    "packages/core/src/memory/a.ts:3  takes randomness from the machine: Math.random",
    "packages/core/src/memory/a.ts:4  takes time from the machine: Date()",
  ]);
});

test("what a web page reaches imports nothing that only Node has, however indirectly", () => {
  expect(
    faultsIn({
      "packages/core/src/base/digest.ts": 'import { createHash } from "node:crypto"; export { createHash };',
      "packages/core/src/card/index.ts": 'export { compose } from "./compose.ts";',
      "packages/core/src/card/compose.ts": 'import "../base/digest.ts";',
      "packages/review-card/src/card.tsx":
        'import "@countersign/core/card"; import type { A } from "node:fs";',
    }),
  ).toEqual(["packages/core/src/base/digest.ts:1  is reached by a web page and must not import node:crypto"]);
});
