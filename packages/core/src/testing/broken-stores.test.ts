import { describe, expect, test } from "vitest";
import { brokenStores } from "./broken-stores.ts";
import { storeContract } from "./store-contract.ts";

describe("the store contract finds the store that", () => {
  for (const { name, fails, open } of brokenStores) {
    test(`STORE-30 ${name}`, async () => {
      const failed: string[] = [];
      for (const promise of storeContract) {
        await promise.run({ open, reopen: null }).catch(() => failed.push(promise.name));
      }
      expect(failed).toContain(fails);
    });
  }
});

test("STORE-30 no two cases of the store contract have the same name", () => {
  const names = storeContract.map((promise) => promise.name);
  expect(names).toEqual([...new Set(names)]);
});
