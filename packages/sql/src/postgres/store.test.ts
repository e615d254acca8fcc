import type { Store } from "@countersign/core";
import { storeContract } from "@countersign/core/testing";
import { afterAll, afterEach, beforeAll, describe, test } from "vitest";
import { startTestServer, type TestServer } from "./fixtures.ts";

let server: TestServer;
const databaseOf = new Map<Store, string>();

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
afterEach(() => server.closeStores());

async function openDatabase(connectionString: string): Promise<Store> {
  const store = await server.openStore(connectionString);
  databaseOf.set(store, connectionString);
  return store;
}

describe("the PostgreSQL store keeps the store contract", () => {
  for (const promise of storeContract) {
    test(promise.name, () =>
      promise.run({
        open: async () => openDatabase(await server.newDatabase("migrated")),
        reopen: (store) => openDatabase(databaseOf.get(store) ?? ""),
      }),
    );
  }
});
