import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { appendOf, inboxRow, promptRow, proposal } from "@countersign/core/testing";
import Database from "better-sqlite3";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { migrations } from "./migrations/index.ts";
import { openDatabase } from "./open.ts";
import { sqliteStore } from "./store.ts";

let directory = "";
let files = 0;
const closing: (() => unknown)[] = [];

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "countersign-"));
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(() => rmSync(directory, { recursive: true }));

function newFile(): string {
  files += 1;
  return join(directory, `${files}.db`);
}

function openPlain(file: string): Database.Database {
  const db = new Database(file);
  closing.push(() => db.close());
  return db;
}

function openStore(...options: Parameters<typeof sqliteStore>): ReturnType<typeof sqliteStore> {
  const store = sqliteStore(...options);
  closing.push(() => store.close());
  return store;
}

test.each([undefined, "", 5])("STORE-27 %j names no file, which is said at once", (file) => {
  expect(() => sqliteStore({ file: file as never })).toThrowError(
    expect.objectContaining({
      name: "ConfigurationError",
      message: 'sqliteStore({ file }): give the path of the database file, such as "countersign.db"',
    }),
  );
});
test("STORE-25 a database is opened so that every commit is on the disk before it is answered", async () => {
  const { db } = await openDatabase(newFile(), 1234);
  closing.push(() => db.close());
  const pragma = (name: string): unknown => db.pragma(name, { simple: true });
  expect({
    journal: pragma("journal_mode"),
    synchronous: pragma("synchronous"),
    foreignKeys: pragma("foreign_keys"),
    busyTimeoutMs: pragma("busy_timeout"),
  }).toEqual({ journal: "wal", synchronous: 2, foreignKeys: 1, busyTimeoutMs: 1234 });
});

test("STORE-26 a new database holds every table, and the migrations it has had", async () => {
  const { db } = await openDatabase(newFile(), 1000);
  closing.push(() => db.close());
  expect(
    db.prepare("select name from sqlite_schema where type = 'table' order by name").pluck().all(),
  ).toEqual([
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
  ]);
  expect(db.prepare("select version, name from schema_migrations").all()).toEqual([
    { version: 1, name: "initial" },
    { version: 2, name: "chats" },
  ]);
});

test("STORE-26 a database that is opened again keeps what it holds", async () => {
  const file = newFile();
  const first = openStore({ file });
  await first.append(appendOf({ writes: [proposal("wr_1", "c-1")] }));
  await first.close();
  expect((await openStore({ file }).readConversation("c-1")).openWriteId).toBe("wr_1");
});

test("STORE-26 a database of the first schema is brought up to date and keeps what it holds", async () => {
  const file = newFile();
  const old = openPlain(file);
  old.exec(`${migrations[0].sql};
    create table schema_migrations (version integer primary key, name text not null, applied_at integer not null) strict;
    insert into schema_migrations (version, name, applied_at) values (1, 'initial', 0);
    insert into inbox (account, message_id, received_at, body) values ('shop', 'm-1', 1000, '{}')`);
  const store = openStore({ file });
  expect(await store.receive(inboxRow("m-1"), null)).toBe(false);
  await store.putPrompt(promptRow("t-1"));
  expect(await store.findPrompt("t-1")).toEqual(promptRow("t-1"));
});

test("STORE-27 a database of a newer schema is refused, with what to do", async () => {
  const file = newFile();
  const store = openStore({ file });
  await store.ready();
  openPlain(file)
    .prepare("insert into schema_migrations (version, name, applied_at) values (7, 'later', 0)")
    .run();
  await expect(store.ready()).rejects.toThrow(/from schema 2 to 7 .* restart this process/);
  const late = openStore({ file });
  await expect(late.ready()).rejects.toThrow(/has schema 7, .* knows up to 2; update @countersign\/sql/);
  await expect(late.append(appendOf({ writes: [proposal("wr_1", "c-1")] }))).rejects.toThrow(/has schema 7/);
});

test("STORE-27 a file that is no database is refused, with what to do", async () => {
  const file = newFile();
  writeFileSync(file, "a letter to Ana, long enough to be read as the first page of a file\n".repeat(40));
  await expect(openStore({ file }).ready()).rejects.toThrow(
    /cannot be used \(file is not a database\); give the path/,
  );
});

test("STORE-27 another program's database is refused and left as it was", async () => {
  const file = newFile();
  const other = openPlain(file);
  other.exec("create table writes (pen text)");
  await expect(openStore({ file }).ready()).rejects.toThrow(
    /tables of another program; give the store a file of its own/,
  );
  expect(other.prepare("select name from sqlite_schema").pluck().all()).toEqual(["writes"]);
});

test("STORE-27 a directory that is not there is named, with what to do", async () => {
  const file = join(directory, "nowhere", "1.db");
  await expect(openStore({ file }).ready()).rejects.toThrow(
    /nowhere.* cannot be opened .*; check that its directory exists/,
  );
});

test("STORE-27 a store without a file is refused, with what to use", async () => {
  await expect(openStore({ file: ":memory:" }).ready()).rejects.toThrow(/use memoryStore\(\)/);
});

test("STORE-47 asking where a file's schema stands makes no file, and bringing it up to date says what was done", async () => {
  const file = newFile();
  const store = openStore({ file });
  const pending = migrations.map(({ version, name }) => ({ version, name }));
  const known = migrations.length;
  expect(await store.schema.read()).toEqual({ database: file, version: 0, known, pending });
  expect(existsSync(file)).toBe(false);
  expect(await store.schema.migrate()).toEqual(pending);
  expect(await store.schema.migrate()).toEqual([]);
  expect(await store.schema.read()).toEqual({ database: file, version: known, known, pending: [] });
  openPlain(file).exec("insert into schema_migrations (version, name, applied_at) values (70, 'later', 0)");
  expect(await store.schema.read()).toEqual({ database: file, version: 70, known, pending: [] });
  await expect(store.schema.migrate()).rejects.toThrow(/has schema 70, .* update @countersign\/sql/);
});
