import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { postgresStore } from "@countersign/sql/postgres";
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from "vitest";
import { parse } from "yaml";
import { main } from "./main.ts";
import { startDatabase } from "./postgres-fixtures.ts";

const folder = join(dirname(fileURLToPath(import.meta.url)), "../../../docs");
const read = (path: string): string => readFileSync(join(folder, path), "utf8");

let said: MockInstance[] = [];
beforeEach(() => {
  said = [vi.spyOn(console, "log"), vi.spyOn(console, "error")].map((spy) => spy.mockReturnValue(undefined));
});
afterEach(() => {
  for (const spy of said) spy.mockRestore();
});

/** 0 when every word is understood: help is printed once the whole line was. */
function understood(args: readonly string[]): Promise<number> {
  return main([...args, "--help"]);
}

type Service = {
  readonly command?: readonly string[];
  readonly stop_grace_period?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly ports?: readonly string[];
};

const roleOf = (args: readonly string[]): string | undefined => args[args.indexOf("--role") + 1];

test("CLI-27 compose.yaml starts two web servers and two workers, by commands that there are", async () => {
  const { services } = parse(read("deployment/compose.yaml"), { merge: true }) as {
    readonly services: { readonly [name: string]: Service };
  };
  const roles: string[] = [];
  for (const [name, { command, stop_grace_period: grace, healthcheck, ports }] of Object.entries(services)) {
    if (name === "postgres") continue;
    expect([name, await understood(command ?? [])]).toEqual([name, 0]);
    if (command?.[0] !== "serve") continue;
    roles.push(`${name} ${roleOf(command)} ${ports?.join() ?? "-"}`);
    expect(Number.parseInt(grace ?? "0", 10)).toBeGreaterThan(30);
    expect(healthcheck?.test.join(" ")).toContain("http://127.0.0.1:4820/healthz");
    expect(command.slice(-2)).toEqual(["--port", "4820"]);
  }
  expect(roles).toEqual([
    "web-1 web 127.0.0.1:4821:4820",
    "web-2 web 127.0.0.1:4822:4820",
    "worker-1 worker -",
    "worker-2 worker -",
  ]);
  expect(await understood(["serve", "--no-such-option"])).toBe(2);
});

test.each([
  ["countersign-web@.service", "serve", "web"],
  ["countersign-worker@.service", "serve", "worker"],
  ["countersign-migrate.service", "migrate", undefined],
] as const)("CLI-27 %s runs a command that there is, and waits for its end", async (unit, name, role) => {
  const lines = read(`deployment/${unit}`).split("\n");
  const faults = lines.filter((line) => line !== "" && !/^(#|\[\w+\]$|\w+=\S)/.test(line));
  expect(faults).toEqual([]);
  const value = (key: string): string | undefined =>
    lines.find((line) => line.startsWith(`${key}=`))?.slice(key.length + 1);
  const [program, ...args] = (value("ExecStart") ?? "").replaceAll("%i", "4821").split(" ");
  expect(program).toBe("/srv/countersign/node_modules/.bin/countersign");
  expect([args[0], await understood(args)]).toEqual([name, 0]);
  if (role === undefined) return;
  expect(roleOf(args)).toBe(role);
  expect(Number(value("TimeoutStopSec"))).toBeGreaterThan(30);
});

test("CLI-27 the page names commands that there are, connections that add up, and statements that run", async () => {
  const page = read("deployment.md");
  const commands = [
    ...page.matchAll(/(?:^ *(?:PGPASSWORD=\S+ )?|`)countersign ((?:serve|migrate|copy|verify)[^`\n]*)/gm),
  ].map(([, words = ""]) => words.trim().split(" "));
  expect(commands.map(([name]) => name)).toEqual([
    "serve",
    "serve",
    "serve",
    "copy",
    "migrate",
    "migrate",
    "verify",
  ]);
  // What `verify --head` is to be compared with is the reader's.
  for (const args of commands) {
    const whole = args.at(-1) === "--head" ? [...args, "0".repeat(64)] : args;
    expect([args.join(" "), await understood(whole)]).toEqual([args.join(" "), 0]);
  }
  const sums = [
    ...page.matchAll(/^\| (\d+)(?: web, (\d+) worker)? \| (\d+)(?: \(default\))? \| (\d+) \|$/gm),
  ];
  expect(sums).toHaveLength(5);
  for (const [row, web, worker = "0", pool, sum] of sums)
    expect([row, (Number(web) + Number(worker)) * (Number(pool) + 1)]).toEqual([row, Number(sum)]);

  const statements = [...page.matchAll(/^```sql\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);
  expect(statements).toHaveLength(2);
  const database = await startDatabase();
  try {
    const store = postgresStore({ connectionString: database.connectionString });
    await store.ready();
    await store.close();
    for (const statement of statements)
      expect(await database.query(database.connectionString, statement)).toEqual([{ count: "0" }]);
  } finally {
    await database.stop();
  }
});
