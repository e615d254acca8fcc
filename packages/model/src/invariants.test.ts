import { afterAll, expect, test } from "vitest";
import { explore } from "./explore.ts";
import { runs, seed } from "./settings.ts";
import { memoryStores } from "./stores.ts";

const stores = memoryStores();
afterAll(() => stores.close());

test("MODEL-1 all twelve invariants hold on the memory store", { timeout: 3_600_000 }, async () => {
  const { failure, ...counts } = await explore({ stores, runs: runs(2500, 65_000), ...seed });
  console.log(`memory store: ${JSON.stringify(counts)}`);
  expect(failure).toBeNull();
});
