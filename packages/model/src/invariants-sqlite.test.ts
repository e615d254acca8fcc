import { afterAll, expect, test } from "vitest";
import { explore } from "./explore.ts";
import { runs, seed } from "./settings.ts";
import { sqliteStores } from "./stores.ts";

const stores = sqliteStores();
afterAll(() => stores.close());

test("MODEL-1 all twelve invariants hold on the SQLite store", { timeout: 3_600_000 }, async () => {
  const { failure, ...counts } = await explore({ stores, runs: runs(1500, 40_000), ...seed });
  console.log(`SQLite store: ${JSON.stringify(counts)}`);
  expect(failure).toBeNull();
});
