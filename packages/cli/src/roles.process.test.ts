import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import {
  openToldShop,
  postgresConfig,
  startDatabase,
  type TestDatabase,
  type ToldShop,
} from "./postgres-fixtures.ts";
import {
  ask,
  type CardState,
  countersign,
  keys,
  makeFolder,
  proposeForAna,
  type Run,
} from "./process-fixtures.ts";

let database: TestDatabase;
let shop: ToldShop;
const runs = new Set<Run>();

beforeAll(async () => {
  database = await startDatabase();
});
afterEach(async () => {
  for (const run of runs) {
    run.child.kill("SIGKILL");
    await run.ended;
  }
  runs.clear();
  shop.close();
});
afterAll(() => database.stop());

type Served = { readonly name: string; readonly url: string; readonly run: Run };

/** Starts processes by their names; the part before the dash is the role. */
async function serve<const Names extends readonly string[]>(
  names: Names,
  to: string,
): Promise<{ [Index in keyof Names]: Served }> {
  shop = await openToldShop();
  const folder = makeFolder({ "countersign.config.ts": postgresConfig });
  const served = names.map(async (name): Promise<Served> => {
    const role = name.split("-")[0] as string;
    const run = countersign(folder, ["serve", "--role", role, "--port", "0"], {
      SHOP_URL: shop.url,
      COUNTERSIGN_SESSION_SECRET: "session-secret-of-at-least-32-bytes-0123456789",
      DATABASE_URL: to,
      PROCESS_NAME: name,
    });
    runs.add(run);
    return { name, run, url: (await run.firstLine).trim().split(" ").at(-1) as string };
  });
  return (await Promise.all(served)) as { [Index in keyof Names]: Served };
}

function confirm(
  url: string,
  token: string,
  { writeId, version, digest }: CardState,
): ReturnType<typeof ask> {
  return ask(url, "POST", `/v1/card/${writeId}/confirm`, token, { version, digest });
}

async function stateOf(url: string, writeId: string): Promise<string | undefined> {
  const { body } = await ask(url, "GET", `/v1/writes/${writeId}`, keys.agent);
  return (body as { state?: string }).state;
}

/** Reads a card stream until it holds `text`. */
async function streamOf(
  url: string,
  token: string,
): Promise<{ until(text: string): Promise<void>; end(): Promise<void> }> {
  const answer = await fetch(`${url}/v1/card/events`, { headers: { authorization: `Bearer ${token}` } });
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  let read = "";
  return {
    async until(text) {
      while (!read.includes(text)) read += new TextDecoder().decode((await reader.read()).value);
    },
    end: () => reader.cancel(),
  };
}

const patient = { timeout: 15_000, interval: 50 };

test("CLI-24 two web servers and two workers share one database: each thing is done once, by a process of its role", async () => {
  const url = await database.create("shared");
  const [one, two, third] = await serve(["web-1", "web-2", "worker-1", "worker-2"], url);
  shop.reply = ({ path }) => (path.startsWith("/cancel/") ? 500 : 200);

  // Proposed on the one, confirmed on the other, watched on both.
  const { token, card } = await proposeForAna(one.url);
  const stream = await streamOf(two.url, token);
  await stream.until('"state":"proposed"');
  expect(await confirm(two.url, token, card)).toMatchObject({ body: { card: { state: "unknown" } } });
  const other = await streamOf(one.url, token);
  await other.until('"state":"unknown"');

  // A worker asks what became of it, some five seconds later, and both hear of that.
  await Promise.all([stream.until('"state":"applied"'), other.until('"state":"applied"')]);
  await shop.called(/^\/outcome\/applied/);
  const again = await proposeForAna(one.url, "c-2");
  const watching = await streamOf(two.url, again.token);
  await watching.until('"state":"proposed"');
  const since = performance.now();
  await ask(one.url, "POST", `/v1/card/${again.card.writeId}/decline`, again.token, {
    version: again.card.version,
  });
  await watching.until('"state":"declined"');
  expect(performance.now() - since).toBeLessThan(2_000);
  await shop.called(/^\/outcome\/declined/);
  await Promise.all([stream.end(), other.end(), watching.end()]);

  const did = shop.calls.map(
    ({ path, by }) => `${path.replace(/^\/status\/.*/, "/status")} by ${by.split("-")[0]}`,
  );
  expect(did.sort()).toEqual([
    "/cancel/A-1042 by web",
    "/outcome/applied by worker",
    "/outcome/declined by worker",
    "/outcome/running by worker",
    "/outcome/unknown by worker",
    "/status by worker",
  ]);
  // A worker is no web server.
  expect((await fetch(`${third.url}/readyz`)).status).toBe(200);
  expect((await fetch(`${third.url}/healthz`)).status).toBe(200);
  expect(await ask(third.url, "GET", "/v1/card", token)).toMatchObject({
    status: 404,
    body: { code: "not_found" },
  });
  expect((await fetch(`${third.url}/openapi.json`)).status).toBe(404);
}, 60_000);

test("CLI-25 what a killed worker was doing comes back within a minute and is done by another one", async () => {
  const url = await database.create("killed");
  const [web, ...workers] = await serve(["web-1", "worker-1", "worker-2"], url);
  shop.reply = ({ path }) =>
    path.startsWith("/cancel/") ? 500 : path.startsWith("/status/") ? undefined : 200;
  const { token, card } = await proposeForAna(web.url);
  await confirm(web.url, token, card);
  const { by } = await shop.called(/^\/status/);
  const asking = workers.find(({ name }) => name === by) as Served;
  asking.run.child.kill("SIGKILL");
  await asking.run.ended;
  const [held] = await database.query(
    url,
    "select lease_until - extract(epoch from now()) * 1000 < 60000 as soon, lease_until > 0 as held from countersign.writes",
  );
  expect(held).toEqual({ soon: true, held: true });
  // Nobody waits for that minute here: it is made to have passed.
  shop.reply = () => 200;
  await database.query(url, "update countersign.writes set lease_until = 1");
  await expect.poll(() => stateOf(web.url, card.writeId), patient).toBe("applied");
  expect(shop.calls.filter(({ path }) => path.startsWith("/status/")).map((call) => call.by)).toEqual([
    by,
    workers.find(({ name }) => name !== by)?.name,
  ]);
  const left = workers.find(({ name }) => name !== by) as Served;
  left.run.child.kill("SIGTERM");
  expect(await left.run.ended).toMatchObject({ code: 0, stderr: "" });
}, 60_000);

test("CLI-26 while the database is down everybody is told to come back, and what was confirmed is recorded when it is up", async () => {
  const url = await database.create("away");
  const [web, worker] = await serve(["web-1", "worker-1"], url);
  shop.reply = ({ path }) => (path.startsWith("/cancel/") ? undefined : 200);
  const { token, card } = await proposeForAna(web.url);
  const confirming = confirm(web.url, token, card);
  const cancelling = await shop.called(/^\/cancel/);
  await database.halt("SIGQUIT");
  cancelling.answer();
  const tried: readonly (readonly [string, string, string])[] = [
    ["GET", "/v1/card", token],
    ["POST", "/v1/conversations/c-9/calls", keys.agent],
    ["GET", "/v1/writes", keys.operator],
    ["PUT", "/v1/conversations/c-9/customer", keys.host],
    ["GET", "/readyz", keys.agent],
  ];
  const bodies: { readonly [path: string]: unknown } = {
    "/v1/conversations/c-9/calls": { tool: "cancel_order", arguments: { orderId: "A-7" } },
    "/v1/conversations/c-9/customer": {
      customerId: "cus_ana",
      level: "high",
      authenticatedAt: new Date().toISOString(),
    },
  };
  for (const [method, path, as] of tried) {
    const answer = await fetch(web.url + path, {
      method,
      headers: { authorization: `Bearer ${as}`, "content-type": "application/json" },
      ...(path in bodies ? { body: JSON.stringify(bodies[path]) } : {}),
    });
    expect([path, answer.status, Number(answer.headers.get("retry-after")) > 0]).toEqual([path, 503, true]);
  }
  expect((await fetch(`${worker.url}/readyz`)).status).toBe(503);
  expect((await fetch(`${web.url}/healthz`)).status).toBe(200);
  await database.resume();
  await expect.poll(() => stateOf(web.url, card.writeId), patient).toBe("applied");
  expect(await confirm(web.url, token, card)).toMatchObject({
    status: 200,
    body: { card: { state: "applied" } },
  });
  await confirming;
  // The worker is back as well.
  await shop.called(/^\/outcome\/applied/);
  expect(shop.calls.filter(({ path }) => path.startsWith("/cancel/"))).toHaveLength(1);
}, 60_000);
