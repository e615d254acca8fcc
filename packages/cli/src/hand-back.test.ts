import { defineTool, type ServerConfig } from "@countersign/core";
import { postgresStore } from "@countersign/sql/postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { startDatabase, type TestDatabase } from "./postgres-fixtures.ts";
import { ask, keys } from "./process-fixtures.ts";
import { serveConfig } from "./serve-config.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.stop());

/** A configuration whose outcomes go to `tell`. */
function config(connectionString: string, tell: () => Promise<void>): ServerConfig {
  return {
    tools: [
      defineTool({
        name: "add_note",
        title: "Add note",
        description: "Adds a note to the ticket.",
        effect: "write",
        confirmation: "none",
        customer: "any",
        recovery: "operator",
        input: z.strictObject({ text: z.string() }),
        output: z.object({ added: z.boolean() }),
        handler: () => ({ added: true }),
      }),
    ],
    store: postgresStore({ connectionString, poolSize: 2 }),
    apiKeys: [{ name: "bot", roles: ["agent"], secret: keys.agent }],
    sessionSecret: "session-secret-of-at-least-32-bytes-0123456789",
    onOutcome: tell,
  };
}

function signal(): { readonly given: Promise<void>; give(): void } {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}

test("CLI-25 a worker that stops hands back what it cannot finish, and another one does it at once", async () => {
  const url = await database.create("handed");
  const [begun, done] = [signal(), signal()];
  const web = await serveConfig(
    config(url, async () => done.give()),
    { port: 0, role: "web" },
  );
  const hanging = (): Promise<never> => {
    begun.give();
    return new Promise(() => {});
  };
  const first = await serveConfig(config(url, hanging), { port: 0, role: "worker" });
  const call = { tool: "add_note", arguments: { text: "late" } };
  expect(await ask(web.url, "POST", "/v1/conversations/c-1/calls", keys.agent, call)).toMatchObject({
    status: 201,
    body: { write: { state: "applied" } },
  });
  await begun.given;
  await first.close({ graceMs: 0 });
  const held = "select count(*)::integer as held from countersign.deliveries where lease_until > 0";
  expect(await database.query(url, held)).toEqual([{ held: 0 }]);
  const second = await serveConfig(
    config(url, async () => done.give()),
    { port: 0, role: "worker" },
  );
  await done.given;
  await second.close();
  await web.close();
  expect(await database.query(url, "select id from countersign.deliveries")).toEqual([]);
}, 30_000);
