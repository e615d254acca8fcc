import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore } from "@countersign/core";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answers, anyAppend, everything } from "../fixtures.ts";
import { sqliteStore } from "./store.ts";

let directory = "";
let files = 0;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "countersign-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

test("STORE-29 whatever is appended, the memory store and the SQLite store answer and hold the same", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyAppend, { minLength: 1, maxLength: 20 }),
      fc.boolean(),
      async (appends, together) => {
        files += 1;
        const memory = memoryStore();
        const sqlite = sqliteStore({ file: join(directory, `${files}.db`) });
        try {
          expect(await answers(sqlite, appends, together)).toEqual(await answers(memory, appends, together));
          expect(await everything(sqlite)).toEqual(await everything(memory));
          const take = { now: 50, limit: 100, leaseMs: 10 };
          expect(await sqlite.takeDue(take)).toEqual(await memory.takeDue(take));
          expect(await sqlite.takeDeliveries(take)).toEqual(await memory.takeDeliveries(take));
        } finally {
          await sqlite.close();
        }
      },
    ),
    { numRuns: 60 },
  );
}, 60_000);
