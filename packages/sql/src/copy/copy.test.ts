import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  appendOf,
  contactRow,
  conversationRow,
  deliveryRow,
  inboxRow,
  keyRow,
  nextStep,
  promptRow,
  proposal,
} from "@countersign/core/testing";
import Database from "better-sqlite3";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../postgres/fixtures.ts";
import { sqliteStore } from "../sqlite/store.ts";
import { copyToPostgres } from "./copy.ts";
import { tableCopies } from "./tables.ts";

let server: TestServer;
let directory = "";
let files = 0;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "countersign-copy-"));
  server = await startTestServer();
});
afterEach(() => server.closeStores());
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await server.stop();
});

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);

/** A file with something in every table, and more writes than go into one batch. */
async function filledFile(): Promise<string> {
  files += 1;
  const file = join(directory, `${files}.db`);
  const store = sqliteStore({ file });
  const customerRef = await store.customerRefOf("cus_ana", "ref_ana");
  const first = proposal("wr_first", "c-1", { customerRef, dueAt: 9_000 });
  await store.append(
    appendOf({
      conversations: [
        conversationRow("c-1", { epoch: 1, customerRef, level: "high", authenticatedAt: 900, locale: "ar" }),
        conversationRow("c-2", { channel: "shop", address: "555-0101", timeZone: "Europe/Madrid" }),
      ],
      writes: [first],
      key: keyRow('k-"1"', { answer: '{"a":"\\\\n, {}"}' }),
      deliveries: [deliveryRow("d-1", { writeId: "wr_first", attempts: 3 }), deliveryRow("d-2")],
    }),
  );
  await store.append(appendOf({ writes: [nextStep(first.row, { state: "running", attention: true })] }));
  for (const part of numbers(25)) {
    const ids = numbers(50).map((n) => part * 50 + n);
    const writes = ids.map((n) => proposal(`wr_${n}`, `c-${n + 10}`, { dueAt: n % 2 === 0 ? n : null }));
    await store.append(appendOf({ writes }));
  }
  await store.receive(inboxRow("m-1", { body: '{"text":"ja, „gerne“ 👍\\u0000"}' }), deliveryRow("d-3"));
  // Put in an order that is not the tokens' own.
  for (const token of ["t-9", "t-1", "t-5"]) await store.putPrompt(promptRow(token));
  await store.notePrompt("t-1", { providerMessageId: "wamid.1", aliases: ["555-0101", "555-0102"] });
  await store.putContacts([contactRow("555-0101")]);
  await store.keepContent("shop", "hash", "content");
  await store.takeDue({ now: 9_000, limit: 3, leaseMs: 60_000 });
  await store.close();
  return file;
}

/** Every row of the file, by table, in no order, under the names and in the types of PostgreSQL. */
function readFile(file: string): { readonly [table: string]: readonly string[] } {
  const db = new Database(file, { readonly: true });
  const booleans = ["open", "attention"];
  const read = ({ name, from = name, given = {} }: (typeof tableCopies)[number]): readonly string[] =>
    (db.prepare(`select * from ${from}`).all() as Record<string, unknown>[])
      .map(({ id, ...row }) =>
        name === "journal" || name === "plain" || name === "prompts" ? row : { id, ...row },
      )
      .map((row) => (name === "plain" ? pick(row, plainNames) : row))
      .map((row) => {
        const typed = Object.entries({ ...row, ...given }).filter(([, value]) => value !== undefined);
        return Object.fromEntries(
          typed.map(([column, value]) => [column, booleans.includes(column) ? value === 1 : value]),
        );
      })
      .map(asText)
      .sort();
  const rows = Object.fromEntries(tableCopies.map((table) => [table.name, read(table)]));
  db.close();
  return rows;
}

const plainNames = ["write_id", "seq", "salt", "args", "card", "plan", "outcome", "idempotency_key"];

function pick(row: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}

function asText(row: Record<string, unknown>): string {
  return JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function readDatabase(url: string): Promise<{ readonly [table: string]: readonly string[] }> {
  const found: { [table: string]: readonly string[] } = {};
  for (const { name } of tableCopies) {
    const rows = await server.query(`select row_to_json(r)::text as row from countersign.${name} r`, url);
    found[name] = rows
      .map((each) => JSON.parse((each as { row: string }).row) as Record<string, unknown>)
      .map(({ id, ...row }) => (name === "prompts" ? row : { ...(id === undefined ? {} : { id }), ...row }))
      .map(asText)
      .sort();
  }
  return found;
}

test("STORE-46 a copy holds every row of every table as it stands, and the file is left as it was", async () => {
  const file = await filledFile();
  const before = readFile(file);
  const url = await server.newDatabase("bare");
  const result = await copyToPostgres({ file, connectionString: url });
  const rows = Object.fromEntries(Object.entries(before).map(([table, list]) => [table, list.length]));
  expect(result).toEqual({
    kind: "copied",
    database: expect.stringMatching(/^127\.0\.0\.1:\d+\/test_/),
    rows,
  });
  expect(Object.entries(rows).filter(([, count]) => count === 0)).toEqual([]);
  expect(rows).toMatchObject({ writes: 1_251, journal: 1_252, plain: 1_251 });
  expect(await readDatabase(url)).toEqual(before);
  expect(readFile(file)).toEqual(before);
  const store = await server.openStore(url);
  expect((await store.listPrompts("wr_1")).map(({ token }) => token)).toEqual(["t-9", "t-1", "t-5"]);
  await store.putPrompt(promptRow("t-2"));
  expect((await store.listPrompts("wr_1")).map(({ token }) => token)).toEqual(["t-9", "t-1", "t-5", "t-2"]);
});

test("STORE-46 every table of both schemas is copied", async () => {
  const copied = tableCopies.map(({ name }) => name).sort();
  const url = await server.newDatabase("migrated");
  const tables = await server.query(
    `select table_name as name from information_schema.tables
      where table_schema = 'countersign' and table_name <> 'schema_migrations'`,
    url,
  );
  expect(tables.map((row) => (row as { name: string }).name).sort()).toEqual(copied);
  const db = new Database(await filledFile(), { readonly: true });
  const inFile = db
    .prepare(
      "select name from sqlite_schema where type = 'table' and name <> 'schema_migrations' order by name",
    )
    .pluck()
    .all();
  db.close();
  expect(inFile).toEqual(copied);
});

test("STORE-46 a database that holds anything is refused and stays as it is, and so is a second copy", async () => {
  const file = await filledFile();
  const url = await server.newDatabase("migrated");
  const store = await server.openStore(url);
  await store.keepContent("shop", "hash", "another");
  const before = await readDatabase(url);
  const database = expect.any(String);
  const refused = { kind: "not_empty", database, table: "channel_content" };
  expect(await copyToPostgres({ file, connectionString: url })).toEqual(refused);
  expect(await readDatabase(url)).toEqual(before);

  const empty = await server.newDatabase("bare");
  const both = await Promise.allSettled([
    copyToPostgres({ file, connectionString: empty }),
    copyToPostgres({ file, connectionString: empty }),
  ]);
  const kinds = both.map((each) => each.status === "fulfilled" && each.value.kind).sort();
  expect([
    ["copied", "in_use"],
    ["copied", "not_empty"],
  ]).toContainEqual(kinds);
});

test("STORE-46 a file that another process has open is refused, and nothing is copied", async () => {
  const file = await filledFile();
  const url = await server.newDatabase("bare");
  const store = sqliteStore({ file });
  await store.ready();
  expect(await copyToPostgres({ file, connectionString: url })).toEqual({ kind: "in_use" });
  await store.close();
  expect(await copyToPostgres({ file, connectionString: url })).toMatchObject({ kind: "copied" });
});

test("STORE-46 a copy that fails on the way leaves the database empty, and can be made again", async () => {
  const file = await filledFile();
  const url = await server.newDatabase("migrated");
  await server.query(
    `create function countersign.full() returns trigger language plpgsql as $$ begin
        raise exception using errcode = '53100', message = 'disk full'; end $$;
      create trigger stop before insert on countersign.channel_content
        for each row execute function countersign.full()`,
    url,
  );
  await expect(copyToPostgres({ file, connectionString: url })).rejects.toMatchObject({
    name: "UnavailableError",
    message: expect.stringContaining("disk full"),
  });
  expect(Object.values(await readDatabase(url)).flat()).toEqual([]);
  await server.query("drop function countersign.full() cascade", url);
  expect(await copyToPostgres({ file, connectionString: url })).toMatchObject({ kind: "copied" });
});

test("STORE-46 a file of another schema is refused with both numbers, and one that is not there by its name", async () => {
  const url = await server.newDatabase("bare");
  const file = await filledFile();
  const db = new Database(file);
  db.exec("insert into schema_migrations (version, name, applied_at) values (70, 'later', 0)");
  db.close();
  const known = expect.any(Number);
  expect(await copyToPostgres({ file, connectionString: url })).toEqual({
    kind: "other_schema",
    version: 70,
    known,
  });
  const none = join(directory, "none.db");
  await expect(copyToPostgres({ file: none, connectionString: url })).rejects.toThrow(
    `there is no file ${none}; give the path`,
  );
  const other = join(directory, "other.db");
  new Database(other).exec("create table pens (color text)").close();
  expect(await copyToPostgres({ file: other, connectionString: url })).toEqual({
    kind: "other_schema",
    version: 0,
    known,
  });
});
