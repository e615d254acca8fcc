import { createServer } from "node:net";
import { appendOf, inboxRow, promptRow, proposal } from "@countersign/core/testing";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "./fixtures.ts";
import { migrations } from "./migrations/index.ts";
import type { PostgresStoreOptions } from "./open.ts";
import { postgresStore } from "./store.ts";

let server: TestServer;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  server = await startTestServer();
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await server.closeStores();
});
afterAll(() => server.stop());

function openStore(options: PostgresStoreOptions): ReturnType<typeof postgresStore> {
  const store = postgresStore(options);
  closing.push(() => store.close());
  return store;
}

test.each([
  [{}],
  [{ connectionString: "" }],
  [{ connectionString: "postgresql://db.example/shop", pool: new pg.Pool() }],
])("STORE-27 %o names no database, or two, which is said at once", (options) => {
  expect(() => postgresStore(options as never)).toThrowError(
    expect.objectContaining({
      name: "ConfigurationError",
      message:
        "postgresStore({ connectionString }): give where the database is, such as " +
        '"postgresql://countersign@db.example/shop", or a pool of pg, and not both',
    }),
  );
});

test.each([
  ["poolSize", 0, 100],
  ["poolSize", 101, 100],
  ["connectTimeoutMs", 1.5, 3_600_000],
  ["statementTimeoutMs", -1, 3_600_000],
] as const)("STORE-27 %s of %d makes no sense, which is said at once", (name, value, most) => {
  expect(() => postgresStore({ connectionString: "postgresql://db.example/shop", [name]: value })).toThrow(
    `postgresStore({ ${name} }) is ${value}; give a whole number from 1 to ${most}`,
  );
});

test("STORE-27 a connection string that cannot be read is refused without its password", async () => {
  const store = openStore({ connectionString: "postgresql://ana:hunter2@db.example:port/shop" });
  const error: unknown = await store.ready().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "ConfigurationError" });
  expect(error).not.toHaveProperty("cause");
  expect(String(error)).toMatch(/cannot be read; write it as postgresql:\/\/user@host:port\/database/);
  expect(String(error)).not.toContain("hunter2");
});

test("STORE-27 a database that is not there is refused, with what to do", async () => {
  const store = openStore({ connectionString: server.database("nowhere") });
  await expect(store.ready()).rejects.toMatchObject({
    name: "ConfigurationError",
    message: expect.stringMatching(
      /^the database 127\.0\.0\.1:\d+\/nowhere refuses this process \(.*\); create the database/,
    ),
  });
});

test("STORE-27 a user who may not make the schema is refused, with what to grant", async () => {
  const connectionString = await server.newDatabase("bare");
  await server.query("create role ben login");
  const store = openStore({ connectionString: connectionString.replace("postgres@", "ben@") });
  await expect(store.ready()).rejects.toMatchObject({
    name: "ConfigurationError",
    message: expect.stringMatching(/permission denied for database .*; grant its user what it needs/),
  });
});

test("STORE-26 a new database gets every table in a schema of its own, once, also when eight open it at the same moment", async () => {
  const connectionString = await server.newDatabase("bare");
  await Promise.all(Array.from({ length: 8 }, () => openStore({ connectionString, poolSize: 2 }).ready()));
  const tables = await server.query(
    "select table_name from information_schema.tables where table_schema = 'countersign' order by table_name",
    connectionString,
  );
  expect(tables).toEqual(
    [
      "channel_content",
      "contacts",
      "conversations",
      "customers",
      "deliveries",
      "inbox",
      "journal",
      "keys",
      "plain",
      "prompts",
      "schema_migrations",
      "writes",
    ].map((name) => ({ table_name: name })),
  );
  expect(
    await server.query("select version, name from countersign.schema_migrations", connectionString),
  ).toEqual([
    { version: 1, name: "initial" },
    { version: 2, name: "chats" },
  ]);
});

test("STORE-26 a database of the first schema is brought up to date and keeps what it holds", async () => {
  const connectionString = await server.newDatabase("bare");
  await server.query(
    `create schema countersign; ${migrations[0].sql};
      create table countersign.schema_migrations
        (version integer primary key, name text not null, applied_at timestamptz not null default now());
      insert into countersign.schema_migrations (version, name) values (1, 'initial');
      insert into countersign.inbox (account, message_id, received_at, body) values ('shop', 'm-1', 1000, '{}')`,
    connectionString,
  );
  const store = openStore({ connectionString });
  expect(await store.receive(inboxRow("m-1"), null)).toBe(false);
  await store.putPrompt(promptRow("t-1"));
  expect(await store.findPrompt("t-1")).toEqual(promptRow("t-1"));
});

test("STORE-27 a database of a newer schema is refused, with what to do", async () => {
  const connectionString = await server.newDatabase("bare");
  const store = openStore({ connectionString });
  await store.ready();
  await server.query(
    "insert into countersign.schema_migrations (version, name) values (7, 'later')",
    connectionString,
  );
  await expect(store.ready()).rejects.toThrow(/from schema 2 to 7 .* restart this process/);
  const late = openStore({ connectionString });
  await expect(late.ready()).rejects.toThrow(/has schema 7, .* knows up to 2; update @countersign\/sql/);
  await expect(late.append(appendOf({ writes: [proposal("wr_1", "c-1")] }))).rejects.toThrow(/has schema 7/);
});

test("STORE-27 another program's schema is refused and left as it was", async () => {
  const connectionString = await server.newDatabase("bare");
  await server.query(
    "create schema countersign; create table countersign.writes (pen text)",
    connectionString,
  );
  await expect(openStore({ connectionString }).ready()).rejects.toThrow(/holds tables of another program/);
  expect(
    await server.query(
      "select table_name from information_schema.tables where table_schema = 'countersign'",
      connectionString,
    ),
  ).toEqual([{ table_name: "writes" }]);
});

test("STORE-25 a connection answers nothing before it is on the disk, whatever its user is set up for", async () => {
  const connectionString = await server.newDatabase("bare");
  await server.query("create role late login superuser; alter role late set synchronous_commit = off");
  const pool = new pg.Pool({ connectionString: connectionString.replace("postgres@", "late@"), max: 1 });
  closing.push(() => pool.end());
  const store = openStore({ pool });
  await store.append(appendOf({ writes: [proposal("wr_1", "c-1")] }));
  const { rows } = await pool.query("show synchronous_commit");
  expect(rows).toEqual([{ synchronous_commit: "on" }]);
});

test("STORE-18 a pool of one's own is left open when the store closes", async () => {
  const pool = new pg.Pool({ connectionString: await server.newDatabase("migrated") });
  closing.push(() => pool.end());
  const store = postgresStore({ pool });
  await store.append(appendOf({ writes: [proposal("wr_1", "c-1")] }));
  await store.close();
  const { rows } = await pool.query("select id from countersign.writes");
  expect(rows).toEqual([{ id: "wr_1" }]);
});

test("STORE-36 a server that is down rejects what is asked as for now, and is used by itself when it is there", async () => {
  const nobody = createServer().listen(0, "127.0.0.1");
  const address = nobody.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  nobody.close();
  const store = openStore({ connectionString: `postgresql://ana:hunter2@127.0.0.1:${port}/shop` });
  const error: unknown = await store.ready().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "UnavailableError" });
  expect(String(error)).toMatch(
    /the database 127\.0\.0\.1:\d+\/shop cannot be used for now .* nothing was changed; see that its server runs/,
  );
  expect(String(error)).not.toContain("hunter2");
});

test("STORE-36 a server that stops and starts again is used again, without the store being opened anew", async () => {
  const store = await server.openStore(await server.newDatabase("migrated"));
  await store.append(appendOf({ writes: [proposal("wr_1", "c-1")] }));
  await server.halt("SIGINT");
  const asked = await Promise.allSettled([
    store.append(appendOf({ writes: [proposal("wr_2", "c-2")] })),
    store.readWrite("wr_1"),
    store.ready(),
    store.takeDue({ now: 1, limit: 1, leaseMs: 1 }),
  ]);
  await server.resume();
  expect(asked.map((result) => result.status === "rejected" && result.reason.name)).toEqual(
    Array.from({ length: 4 }, () => "UnavailableError"),
  );
  await store.ready();
  expect((await store.readWrite("wr_1"))?.row.id).toBe("wr_1");
  expect(await store.readWrite("wr_2")).toBeUndefined();
  expect(await store.append(appendOf({ writes: [proposal("wr_2", "c-2")] }))).toEqual({ kind: "appended" });
});

test("STORE-24 a lock that another connection keeps rejects what was asked, says why, and changes nothing", async () => {
  const connectionString = await server.newDatabase("migrated");
  const store = openStore({ connectionString, statementTimeoutMs: 100 });
  await store.append(appendOf({ writes: [proposal("wr_1", "c-1")] }));
  const other = new pg.Client({ connectionString });
  await other.connect();
  await other.query("begin; lock table countersign.journal in exclusive mode");
  const asked = await Promise.allSettled([
    store.append(appendOf({ writes: [proposal("wr_2", "c-2")] })),
    store.append(appendOf({ writes: [proposal("wr_3", "c-3")] })),
  ]);
  await other.query("rollback");
  await other.end();
  expect(asked.map((result) => result.status === "rejected" && String(result.reason))).toEqual(
    Array.from({ length: 2 }, () =>
      expect.stringMatching(/^UnavailableError: .* cannot be used for now \(canceling statement due to/),
    ),
  );
  expect((await store.listWrites({ limit: 9 })).rows.map((row) => row.id)).toEqual(["wr_1"]);
  expect(await store.append(appendOf({ writes: [proposal("wr_2", "c-2")] }))).toEqual({ kind: "appended" });
});

test("STORE-47 asking where a database's schema stands changes nothing, and of eight who bring it up to date each step is done by one", async () => {
  const connectionString = await server.newDatabase("bare");
  const stores = Array.from({ length: 8 }, () => openStore({ connectionString, poolSize: 1 }));
  const pending = migrations.map(({ version, name }) => ({ version, name }));
  const known = migrations.length;
  const database = expect.stringMatching(/^127\.0\.0\.1:\d+\/test_\d+$/);
  expect(await stores[0]?.schema.read()).toEqual({ database, version: 0, known, pending });
  const schemas = await server.query(
    "select from information_schema.schemata where schema_name = 'countersign'",
    connectionString,
  );
  expect(schemas).toEqual([]);
  const done = await Promise.all(stores.map((store) => store.schema.migrate()));
  expect(done.flat().sort((a, b) => a.version - b.version)).toEqual(pending);
  expect(await stores[0]?.schema.read()).toEqual({ database, version: known, known, pending: [] });
});
