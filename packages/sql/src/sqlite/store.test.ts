import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@countersign/core";
import { storeContract } from "@countersign/core/testing";
import { afterAll, afterEach, beforeAll, describe, test } from "vitest";
import { sqliteStore } from "./store.ts";

let directory = "";
let files = 0;
const opened: Store[] = [];
const fileOf = new Map<Store, string>();

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "countersign-"));
});
afterAll(() => rmSync(directory, { recursive: true }));
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
});

function openFile(file: string): Store {
  const store = sqliteStore({ file });
  opened.push(store);
  fileOf.set(store, file);
  return store;
}

describe("the SQLite store keeps the store contract", () => {
  for (const promise of storeContract) {
    test(promise.name, () =>
      promise.run({
        async open() {
          files += 1;
          return openFile(join(directory, `${files}.db`));
        },
        reopen: async (store) => openFile(fileOf.get(store) ?? ""),
      }),
    );
  }
});
