import { describe, test } from "vitest";
import { storeContract } from "../testing/store-contract.ts";
import { memoryStore } from "./store.ts";

describe("the memory store keeps the store contract", () => {
  for (const promise of storeContract) {
    test(promise.name, () => promise.run({ open: async () => memoryStore(), reopen: null }));
  }
});
