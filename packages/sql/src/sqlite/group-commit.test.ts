import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type GroupCommit, groupCommit } from "./group-commit.ts";

let directory = "";
let db: Database.Database;
let commits: GroupCommit;
/** What was run on the connection, in order. */
let statements: string[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "countersign-"));
  db = new Database(join(directory, "1.db"), { timeout: 20, verbose: (sql) => statements.push(String(sql)) });
  db.pragma("journal_mode = WAL");
  db.exec("create table notes (text text primary key)");
  commits = groupCommit(db, "1.db");
  statements = [];
});
afterEach(() => {
  db.close();
  rmSync(directory, { recursive: true });
});

function write(text: string): () => string {
  const insert = db.prepare("insert into notes (text) values (?)");
  return () => {
    insert.run(text);
    return `wrote ${text}`;
  };
}

function notes(): readonly unknown[] {
  return db.prepare("select text from notes order by text").pluck().all();
}

test("STORE-22 what is asked at the same time is committed together, in the order it was asked", async () => {
  const answers = await Promise.all([
    commits.ask(write("a")),
    commits.ask(write("b")),
    commits.ask(write("c")),
  ]);
  expect(answers).toEqual(["wrote a", "wrote b", "wrote c"]);
  expect(statements).toEqual([
    "begin immediate",
    "insert into notes (text) values ('a')",
    "insert into notes (text) values ('b')",
    "insert into notes (text) values ('c')",
    "commit",
  ]);
});

test("STORE-22 what is asked alone does not wait for company", async () => {
  const order: string[] = [];
  const alone = commits.ask(write("a")).then(() => order.push("committed"));
  setImmediate(() => setImmediate(() => order.push("two turns later")));
  await alone;
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(order).toEqual(["committed", "two turns later"]);
});

test("STORE-22 what many hand over turn by turn is committed together after the turn that brings no more", async () => {
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const kept: Promise<string>[] = [];
  for (const text of ["a", "b", "c"]) {
    kept.push(commits.askTogether(write(text)));
    await turn();
  }
  await Promise.all(kept);
  expect(statements).toEqual([
    "begin immediate",
    "insert into notes (text) values ('a')",
    "insert into notes (text) values ('b')",
    "insert into notes (text) values ('c')",
    "commit",
  ]);
});

test("STORE-22 who asks beside what many hand over does not wait for more of it", async () => {
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const order: string[] = [];
  void commits.askTogether(write("a"));
  await turn();
  void commits.askTogether(write("b"));
  const asked = commits.ask(write("asked")).then(() => order.push("asked"));
  await turn();
  const late = commits.askTogether(write("c")).then(() => order.push("late"));
  await Promise.all([asked, late]);
  expect(order).toEqual(["asked", "late"]);
  expect(statements.filter((sql) => sql === "commit")).toHaveLength(2);
});

test("STORE-23 work that fails halfway leaves nothing behind and its neighbours are committed", async () => {
  const insertA = write("a");
  const results = await Promise.allSettled([
    commits.ask(write("before")),
    commits.ask(() => {
      insertA();
      throw new Error("failed halfway");
    }),
    commits.ask(write("after")),
  ]);
  expect(results).toEqual([
    { status: "fulfilled", value: "wrote before" },
    { status: "rejected", reason: new Error("failed halfway") },
    { status: "fulfilled", value: "wrote after" },
  ]);
  expect(notes()).toEqual(["after", "before"]);
});

test("STORE-23 what happens after a commit happens once, after it, and not for work that failed", async () => {
  const seen: unknown[] = [];
  const look = (answer: string): void => {
    seen.push([answer, db.inTransaction, statements.at(-1)]);
  };
  const fails = commits.ask((): string => {
    throw new Error("failed");
  }, look);
  await Promise.allSettled([commits.ask(write("a"), look), fails]);
  expect(seen).toEqual([["wrote a", false, "commit"]]);
});

test("STORE-22 a batch larger than one transaction should be is split and committed whole", async () => {
  const texts = Array.from({ length: 600 }, (_, n) => String(n).padStart(3, "0"));
  await Promise.all(texts.map((text) => commits.ask(write(text))));
  expect(notes()).toEqual(texts);
  expect(statements.filter((sql) => sql === "commit").length).toBe(3);
});

test("STORE-24 a lock that another connection keeps rejects what was asked, says why, and changes nothing", async () => {
  const other = new Database(join(directory, "1.db"));
  other.exec("begin immediate");
  const asked = await Promise.allSettled([commits.ask(write("a")), commits.ask(write("b"))]);
  expect(asked.map((result) => result.status === "rejected" && String(result.reason))).toEqual(
    Array.from({ length: 2 }, () =>
      expect.stringMatching(/1\.db stayed locked .* nothing was changed; find what holds/),
    ),
  );
  other.exec("rollback");
  other.close();
  expect(notes()).toEqual([]);
  expect(await commits.ask(write("a"))).toBe("wrote a");
});

test("STORE-6 a full disk rejects what was asked as for now, changes nothing, and goes on once there is room", async () => {
  db.pragma("max_page_count = 3");
  const long = "x".repeat(20_000);
  await expect(commits.ask(write(long))).rejects.toMatchObject({
    name: "UnavailableError",
    message:
      "the database 1.db could not be written (database or disk is full) and nothing was changed; " +
      "make room on its disk or let this process write there, and ask again",
  });
  expect(notes()).toEqual([]);
  db.pragma("max_page_count = 1000");
  expect(await commits.ask(write(long))).toBe(`wrote ${long}`);
});
test("STORE-22 finishing commits what nobody has yet come to commit", async () => {
  const asked = commits.ask(write("a"));
  commits.finish();
  expect(notes()).toEqual(["a"]);
  expect(await asked).toBe("wrote a");
});
