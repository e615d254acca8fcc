import { memoryStore, type Store } from "@countersign/core";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answers, anyAppend, everything } from "../fixtures.ts";
import { startTestServer, type TestServer } from "./fixtures.ts";

let server: TestServer;
let connectionString: string;
let postgres: Store;

beforeAll(async () => {
  server = await startTestServer();
  connectionString = await server.newDatabase("migrated");
  postgres = await server.openStore(connectionString);
});
afterAll(async () => {
  await server.closeStores();
  await server.stop();
});

test("STORE-29 whatever is appended, the memory store and the PostgreSQL store answer and hold the same", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyAppend, { minLength: 1, maxLength: 20 }),
      fc.boolean(),
      async (given, together) => {
        // Asked together, a conversation outside of any chat may give up its address before or after another wants it.
        const appends = together
          ? given.map((one) => ({
              ...one,
              conversations: one.conversations.map((row) => ({ ...row, channel: "whatsapp" })),
            }))
          : given;
        const memory = memoryStore();
        await server.empty(connectionString);
        expect(await answers(postgres, appends, together)).toEqual(await answers(memory, appends, together));
        expect(await everything(postgres)).toEqual(await everything(memory));
        const take = { now: 50, limit: 100, leaseMs: 10 };
        expect(await postgres.takeDue(take)).toEqual(await memory.takeDue(take));
        expect(await postgres.takeDeliveries(take)).toEqual(await memory.takeDeliveries(take));
      },
    ),
    { numRuns: 60 },
  );
}, 60_000);
