import { afterAll, expect, test } from "vitest";
import { explore } from "./explore.ts";
import { runs, seed } from "./settings.ts";
import { postgresStores } from "./stores.ts";

const stores = postgresStores();
afterAll(() => stores.close());

test("MODEL-1 all twelve invariants hold on the PostgreSQL store", { timeout: 3_600_000 }, async () => {
  const { failure, ...counts } = await explore({ stores, runs: runs(150, 5_000), ...seed });
  console.log(`PostgreSQL store: ${JSON.stringify(counts)}`);
  expect(failure).toBeNull();
});
