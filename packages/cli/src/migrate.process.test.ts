import { existsSync } from "node:fs";
import { join } from "node:path";
import { verifyJournal } from "@countersign/core/verify";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { postgresConfig, startDatabase, type TestDatabase } from "./postgres-fixtures.ts";
import {
  ask,
  countersign,
  keys,
  makeFolder,
  openShop,
  proposeForAna,
  type Run,
  type Shop,
  shopConfig,
} from "./process-fixtures.ts";

let database: TestDatabase;
let shop: Shop;
const runs: Run[] = [];

beforeAll(async () => {
  database = await startDatabase();
  shop = await openShop();
  shop.answer();
});
afterEach(async () => {
  for (const run of runs.splice(0)) {
    run.child.kill("SIGKILL");
    await run.ended;
  }
});
afterAll(async () => {
  shop.close();
  await database.stop();
});

function start(folder: string, args: readonly string[], url = ""): Run {
  const run = countersign(folder, args, {
    SHOP_URL: shop.url,
    COUNTERSIGN_SESSION_SECRET: "session-secret-of-at-least-32-bytes-0123456789",
    DATABASE_URL: url,
    PROCESS_NAME: "one",
  });
  runs.push(run);
  return run;
}

async function serve(folder: string, url = ""): Promise<{ readonly run: Run; readonly url: string }> {
  const run = start(folder, ["serve", "--port", "0"], url);
  return { run, url: (await run.firstLine).trim().split(" ").at(-1) as string };
}

test("CLI-22 `migrate --check` says what is to be done and does nothing, `migrate` does it, on a file", async () => {
  const folder = makeFolder({ "countersign.config.ts": shopConfig });
  const check = (): Run["ended"] => start(folder, ["migrate", "--check"]).ended;
  expect(await check()).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(
      /^countersign migrate: the database countersign\.db is at schema 0 and lacks 1 \(initial\), .*\nRun countersign migrate, or start a server of this release\.\n$/,
    ),
  });
  expect(existsSync(join(folder, "countersign.db"))).toBe(false);
  const pending = await start(folder, ["migrate", "--check", "--json"]).ended;
  const { error } = JSON.parse(pending.stderr) as {
    error: { details: { pending: unknown[]; known: number } };
  };
  const { known } = error.details;
  expect(error).toMatchObject({ code: "PENDING", exitCode: 1, retryable: false, details: { version: 0 } });
  const { code, stdout, stderr } = await start(folder, ["migrate", "--json"]).ended;
  expect([code, stderr, JSON.parse(stdout)]).toEqual([
    0,
    "",
    {
      applied: error.details.pending,
      database: "countersign.db",
      known,
      pending: [],
      schemaVersion: 1,
      version: known,
    },
  ]);
  const text = `The database countersign.db is up to date, at schema ${known}.\n`;
  expect(await check()).toEqual({ code: 0, stdout: text, stderr: "" });
}, 30_000);

test("CLI-22 eight processes that migrate a PostgreSQL database at once all succeed, and each step is done by one", async () => {
  const url = await database.create("eight");
  const folder = makeFolder({ "countersign.config.ts": postgresConfig });
  const all = Array.from({ length: 8 }, () => start(folder, ["migrate", "--json"], url));
  const ended = await Promise.all(all.map((run) => run.ended));
  expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
    Array.from({ length: 8 }, () => ({ code: 0, stderr: "" })),
  );
  const said = ended.map(({ stdout }) => JSON.parse(stdout) as { applied: Step[]; known: number });
  const applied = said.flatMap((one) => one.applied).sort((a, b) => a.version - b.version);
  expect(applied.map(({ version }) => version)).toEqual(
    Array.from({ length: said[0]?.known ?? 0 }, (_, index) => index + 1),
  );
  expect(
    await database.query(url, "select version, name from countersign.schema_migrations order by 1"),
  ).toEqual(applied);
}, 60_000);

type Step = { readonly version: number; readonly name: string };

test("CLI-22 a newer database is refused with what to do, and one that is away with when to try again", async () => {
  const url = await database.create("newer");
  const folder = makeFolder({ "countersign.config.ts": postgresConfig });
  expect((await start(folder, ["migrate"], url).ended).code).toBe(0);
  await database.query(url, "insert into countersign.schema_migrations (version, name) values (70, 'later')");
  const { code, stdout, stderr } = await start(folder, ["migrate", "--check", "--json"], url).ended;
  expect({ code, stdout, error: JSON.parse(stderr) as unknown }).toEqual({
    code: 4,
    stdout: "",
    error: {
      error: {
        code: "NEWER_SCHEMA",
        details: expect.objectContaining({ version: 70 }),
        exitCode: 4,
        hint: "Use the release of Countersign that the other processes use, or a newer one.",
        message: expect.stringMatching(
          /^the database \S+\/newer is at schema 70, .* up to \d+; nothing was changed$/,
        ),
        retryable: false,
      },
      schemaVersion: 1,
    },
  });
  const away = await start(folder, ["migrate"], "postgresql://ana:hunter2@127.0.0.1:9/shop").ended;
  expect(away).toEqual({
    code: 6,
    stdout: "",
    stderr: expect.stringMatching(
      /^countersign migrate: the database 127\.0\.0\.1:9\/shop cannot be used for now .*\nSee that its server runs/,
    ),
  });
  expect(away.stderr).not.toContain("hunter2");
}, 30_000);

test("CLI-28 a server goes on answering when a newer release brings the schema further, and is not ready any more", async () => {
  const to = await database.create("moved");
  const { run, url } = await serve(makeFolder({ "countersign.config.ts": postgresConfig }), to);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  await database.query(to, "insert into countersign.schema_migrations (version, name) values (70, 'later')");
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
  expect((await proposeForAna(url)).card.state).toBe("proposed");
  run.child.kill("SIGTERM");
  expect(await run.ended).toMatchObject({ code: 0 });
}, 30_000);

test("CLI-23 what a server did on a file goes on in PostgreSQL after `copy`, and every journal verifies", async () => {
  const folder = makeFolder({ "countersign.config.ts": shopConfig });
  const first = await serve(folder);
  const writes = await Promise.all(["c-1", "c-2", "c-3"].map((id) => proposeForAna(first.url, id)));
  const [{ token, card }, declined, open] = writes as [Written, Written, Written];
  const decide = (url: string, what: string, { token: as, card: on }: Written) =>
    ask(url, "POST", `/v1/card/${on.writeId}/${what}`, as, {
      version: on.version,
      ...(what === "confirm" ? { digest: on.digest } : {}),
    });
  expect(await decide(first.url, "confirm", { token, card })).toMatchObject({ status: 200 });
  expect(await decide(first.url, "decline", declined)).toMatchObject({ status: 200 });

  const to = await database.create("copied");
  const copy = ["copy", "--from", "countersign.config.ts", "--to", to];
  const busy = await start(folder, [...copy, "--json"]).ended;
  expect([busy.code, JSON.parse(busy.stderr)]).toEqual([
    6,
    {
      error: {
        code: "IN_USE",
        details: {},
        exitCode: 6,
        hint: "Stop every countersign process that uses it, and run the same command again.",
        message:
          "another process has countersign.db open, so that it may change while it is copied; nothing was copied",
        retryable: true,
      },
      schemaVersion: 1,
    },
  ]);
  first.run.child.kill("SIGTERM");
  expect(await first.run.ended).toMatchObject({ code: 0 });
  const { code, stdout, stderr } = await start(folder, [...copy, "--json"]).ended;
  expect([code, stderr, JSON.parse(stdout)]).toEqual([
    0,
    "",
    {
      database: expect.stringMatching(/\/copied$/),
      file: "countersign.db",
      rows: expect.objectContaining({ conversations: 3, customers: 1, journal: 7, plain: 4, writes: 3 }),
      schemaVersion: 1,
    },
  ]);
  expect(await start(folder, ["copy", "--from", "countersign.db", "--to", to]).ended).toEqual({
    code: 4,
    stdout: "",
    stderr: expect.stringMatching(/holds rows already .*; nothing was copied\nName an empty database/),
  });

  const second = await serve(makeFolder({ "countersign.config.ts": postgresConfig }), to);
  for (const { card: one } of writes) {
    const { body } = await ask(second.url, "GET", `/v1/writes/${one.writeId}/journal`, keys.operator);
    expect(await verifyJournal(body)).toMatchObject({ ok: true });
  }
  const listed = (await ask(second.url, "GET", "/v1/writes", keys.operator)).body as {
    writes: { conversationId: string; state: string }[];
  };
  expect(listed.writes.map(({ conversationId, state }) => `${conversationId} ${state}`).sort()).toEqual([
    "c-1 applied",
    "c-2 declined",
    "c-3 proposed",
  ]);
  expect(await decide(second.url, "decline", open)).toMatchObject({ body: { card: { state: "declined" } } });
}, 60_000);

type Written = Awaited<ReturnType<typeof proposeForAna>>;

test("CLI-23 `copy` says what it needs, and never repeats a password", async () => {
  const folder = makeFolder();
  expect((await start(folder, ["copy", "--from", "x.db"]).ended).stderr).toMatch(
    /both --from and --to are needed/,
  );
  const to = "postgresql://ana:hunter2@127.0.0.1:9/shop";
  const missing = await start(folder, ["copy", "--from", "x.db", "--to", to]).ended;
  expect([missing.code, missing.stderr.includes("hunter2")]).toEqual([6, false]);
  const odd = await start(folder, ["copy", "--from", "x.db", "--to", "mysql://ana:hunter2@db.example/shop"])
    .ended;
  expect([odd.code, odd.stderr.includes("hunter2")]).toEqual([2, false]);
}, 30_000);
