import { afterAll, beforeAll, expect, test } from "vitest";
import { type Column, encode, table } from "./columns.ts";
import { startTestServer, type TestServer } from "./fixtures.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

type Row = { readonly text: string | null; readonly count: number | null; readonly yes: boolean };

const columns: readonly Column<Row>[] = [
  ["text", "text", ({ text }) => text],
  ["count", "bigint", ({ count }) => count],
  ["yes", "boolean", ({ yes }) => yes],
];

const texts = [
  "",
  "NULL",
  "null",
  '{"a":"b\\\\c, {d}"}',
  'a "quoted" \\ word',
  "line\nbreak\ttab\rreturn\u0001\u001f",
  "né 😀 \u2028 \u202e",
  " spaces ",
  null,
];

test("STORE-1 texts, numbers and what is not there reach the server as they are, many at once", async () => {
  const rows = texts.map((text, n) => ({ text, count: n === 3 ? null : n * 2 ** 40, yes: n % 2 === 0 }));
  const found = await server.query(
    `select text, count::text, yes from ${table("t", columns, "many", 1)}`,
    server.connectionString,
    encode(columns, "many", rows),
  );
  expect(found).toEqual(
    rows.map(({ text, count, yes }) => ({ text, count: count === null ? null : String(count), yes })),
  );
});

test.each([1, 2] as const)(
  "STORE-1 texts, numbers and what is not there reach the server as they are, %d at once",
  async (shape) => {
    for (const text of texts) {
      const rows = Array.from({ length: shape }, (_, n) => ({
        text,
        count: n === 1 ? null : 7,
        yes: n === 1,
      }));
      const found = await server.query(
        `select text, count::integer as count, yes from ${table("t", columns, shape, 1)}`,
        server.connectionString,
        encode(columns, shape, rows),
      );
      expect(found).toEqual(rows);
    }
  },
);
