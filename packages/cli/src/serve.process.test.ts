import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { Run, Shop } from "./process-fixtures.ts";
import {
  ask,
  countersign,
  keys,
  makeFolder,
  openShop,
  proposeForAna,
  sendGet,
  shopConfig,
} from "./process-fixtures.ts";

const opened: { shops: Shop[]; runs: Run[] } = { shops: [], runs: [] };

afterEach(async () => {
  for (const shop of opened.shops.splice(0)) shop.close();
  for (const run of opened.runs.splice(0)) {
    run.child.kill("SIGKILL");
    await run.ended;
  }
});

async function shop(): Promise<Shop> {
  const made = await openShop();
  opened.shops.push(made);
  return made;
}

const env = (made: Shop): Record<string, string> => ({
  SHOP_URL: made.url,
  COUNTERSIGN_SESSION_SECRET: "session-secret-of-at-least-32-bytes-0123456789",
});

function start(folder: string, args: readonly string[], variables: Record<string, string> = {}): Run {
  const run = countersign(folder, args, variables);
  opened.runs.push(run);
  return run;
}

async function serve(folder: string, made: Shop): Promise<{ run: Run; url: string }> {
  const run = start(folder, ["serve", "--port", "0"], env(made));
  const line = await run.firstLine;
  const url = /^countersign is ready at (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(line)?.[1];
  if (url === undefined) throw new Error(`unexpected output: ${line}`);
  return { run, url };
}

test("CLI-1 a server prints one line with its URL, answers, and ends well on SIGTERM", async () => {
  const { run, url } = await serve(makeFolder({ "countersign.config.ts": shopConfig }), await shop());
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect((await fetch(`${url}/nowhere`)).status).toBe(404);
  run.child.kill("SIGTERM");
  expect(await run.ended).toEqual({ code: 0, stdout: `countersign is ready at ${url}\n`, stderr: "" });
}, 30_000);

test("CLI-2 SIGTERM lets a confirmed run finish, answers who waits, closes streams, and takes nobody new", async () => {
  const made = await shop();
  const { run, url } = await serve(makeFolder({ "countersign.config.ts": shopConfig }), made);
  const { token, card } = await proposeForAna(url);
  const other = await proposeForAna(url, "c-2");
  const stream = await sendGet(url, "/v1/card/events", token);
  const confirming = ask(url, "POST", `/v1/card/${card.writeId}/confirm`, token, {
    version: card.version,
    digest: card.digest,
  });
  await made.called;
  const waiting = await sendGet(url, `/v1/writes/${card.writeId}?wait=60&state=running`, keys.agent);
  const idle = await sendGet(url, `/v1/writes/${other.card.writeId}?wait=60&state=proposed`, keys.agent);
  // Connections are accepted in order: once this one was answered, the ones before it are in.
  expect(await (await sendGet(url, "/healthz", keys.agent)).answer).toMatchObject({ status: 200 });
  run.child.kill("SIGTERM");
  // From now on nobody new is let in, whether or not a connection is still there.
  await expect
    .poll(
      () =>
        fetch(`${url}/healthz`).then(
          ({ status }) => status,
          () => "refused",
        ),
      { interval: 10 },
    )
    .not.toBe(200);
  made.answer();
  expect(await confirming).toMatchObject({ status: 200, body: { card: { state: "applied" } } });
  expect(await waiting.answer).toEqual({ status: 200, text: expect.stringContaining('"state":"applied"') });
  expect(await idle.answer).toEqual({ status: 200, text: expect.stringContaining('"state":"proposed"') });
  expect(await stream.answer).toEqual({ status: 200, text: expect.stringContaining('"state":"applied"') });
  expect(await run.ended).toMatchObject({ code: 0, stderr: "" });
  expect(made.calls()).toBe(1);
}, 30_000);

test("CLI-3 a second signal ends at once, and the next start on the same file goes on where it was", async () => {
  const made = await shop();
  const folder = makeFolder({ "countersign.config.ts": shopConfig });
  const first = await serve(folder, made);
  const { token, card } = await proposeForAna(first.url);
  first.run.child.kill("SIGTERM");
  expect(await first.run.ended).toMatchObject({ code: 0 });

  const second = await serve(folder, made);
  expect(await ask(second.url, "GET", "/v1/card", token)).toMatchObject({
    status: 200,
    body: { card: { ...card, state: "proposed" } },
  });
  const confirm = (url: string): ReturnType<typeof ask> =>
    ask(url, "POST", `/v1/card/${card.writeId}/confirm`, token, {
      version: card.version,
      digest: card.digest,
    });
  const cut = confirm(second.url).catch(() => "cut");
  await made.called;
  second.run.child.kill("SIGINT");
  await expect
    .poll(
      () =>
        fetch(`${second.url}/healthz`).then(
          ({ status }) => status,
          () => "refused",
        ),
      { interval: 10 },
    )
    .not.toBe(200);
  second.run.child.kill("SIGTERM");
  expect(await second.run.ended).toMatchObject({ code: 1 });
  expect(await cut).toBe("cut");

  const third = await serve(folder, made);
  expect(await ask(third.url, "GET", "/v1/card", token)).toMatchObject({
    body: { card: { writeId: card.writeId, state: "running" } },
  });
  third.run.child.kill("SIGTERM");
  expect(await third.run.ended).toMatchObject({ code: 0 });
  expect(made.calls()).toBe(1);
}, 60_000);

test("CLI-2 an error that a tool lets escape ends the server in order, lets other runs finish, and says nothing secret", async () => {
  const made = await shop();
  const config = shopConfig.replace(
    "async handler(_args, ctx): Promise<Status> {",
    `async handler(args, ctx): Promise<Status> {
        if (args.orderId === "A-666")
          setTimeout(() => {
            throw new Error("MARK-SECRET");
          });`,
  );
  const { run, url } = await serve(makeFolder({ "countersign.config.ts": config }), made);
  const { token, card } = await proposeForAna(url);
  const bad = await proposeForAna(url, "c-2", "A-666");
  const confirm = (as: string, { writeId, version, digest }: typeof card): ReturnType<typeof ask> =>
    ask(url, "POST", `/v1/card/${writeId}/confirm`, as, { version, digest });
  const good = confirm(token, card);
  await made.called;
  const escaping = confirm(bad.token, bad.card).catch(() => undefined);
  await expect
    .poll(
      () =>
        fetch(`${url}/healthz`).then(
          ({ status }) => status,
          () => "refused",
        ),
      { interval: 10 },
    )
    .not.toBe(200);
  made.answer();
  expect(await good).toMatchObject({ status: 200, body: { card: { state: "applied" } } });
  await escaping;
  const { code, stderr } = await run.ended;
  expect([code, stderr.includes("MARK-SECRET")]).toEqual([1, false]);
  expect(stderr).toMatch(
    /^countersign: an Error was thrown where nobody catches it; the server finishes what runs and ends\n {4}at .*countersign\.config\.ts/,
  );
}, 60_000);
test("CLI-4 a stream of one process tells what another process on the same file did", async () => {
  const made = await shop();
  const folder = makeFolder({ "countersign.config.ts": shopConfig });
  const [one, other] = [await serve(folder, made), await serve(folder, made)];
  const { token, card } = await proposeForAna(one.url);
  const stream = await fetch(`${one.url}/v1/card/events`, { headers: { authorization: `Bearer ${token}` } });
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
  let text = "";
  const readUntil = async (wanted: string): Promise<void> => {
    while (!text.includes(wanted)) text += new TextDecoder().decode((await reader.read()).value);
  };
  await readUntil('"state":"proposed"');
  const since = performance.now();
  await ask(other.url, "POST", `/v1/card/${card.writeId}/decline`, token, { version: card.version });
  await readUntil('"state":"declined"');
  expect(performance.now() - since).toBeLessThan(5_000);
  await reader.cancel();
}, 30_000);

test("CLI-5 a port in use is named, with what to do", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  const run = start(
    makeFolder({ "countersign.config.ts": shopConfig }),
    ["serve", "--port", String(port)],
    env(await shop()),
  );
  expect(await run.ended).toEqual({
    code: 1,
    stdout: "",
    stderr: `countersign serve: cannot listen on 127.0.0.1 port ${port}: the port is in use: stop what uses it, or choose another with --port\n`,
  });
  other.close();
}, 30_000);

test("CLI-8 what `init` wrote can be served as it is, by the keys in its .env", async () => {
  const folder = makeFolder();
  expect(await start(folder, ["init"]).ended).toMatchObject({ code: 0, stderr: "" });
  const run = start(folder, ["serve", "--port", "0"]);
  const url = (await run.firstLine).trim().split(" ").at(-1) as string;
  expect((await fetch(`${url}/v1/writes`)).status).toBe(401);
  run.child.kill("SIGTERM");
  expect(await run.ended).toMatchObject({ code: 0, stderr: "" });
}, 30_000);

const broken: [string, string, RegExp][] = [
  [
    "a missing variable",
    shopConfig,
    /countersign\.config\.ts: the environment variable COUNTERSIGN_SESSION_SECRET is not set: export it/,
  ],
  [
    "a misspelt option",
    shopConfig.replace("sessionSecret:", "sesionSecret:").replace('env("COUNTERSIGN_SESSION_SECRET")', '"x"'),
    /there is no option "sesionSecret"\. Did you mean "sessionSecret"\?/,
  ],
  [
    "a short session secret",
    shopConfig.replace('env("COUNTERSIGN_SESSION_SECRET")', '"short"'),
    /sessionSecret: use at least 32 bytes/,
  ],
  ["a broken file", "export default {", /countersign\.config\.ts cannot be loaded: /],
  [
    "no default export",
    "export const config = {};",
    /there is no option|export the configuration as default/,
  ],
];

test.each(broken)(
  "CLI-9 %s stops the start with what to do and no secret",
  async (_, config, message) => {
    const folder = makeFolder({ "countersign.config.ts": config });
    const { code, stdout, stderr } = await start(folder, ["serve", "--port", "0"]).ended;
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringMatching(message)]);
    for (const key of Object.values(keys)) expect(stderr).not.toContain(key);
  },
  30_000,
);

test("CLI-10 a configuration in JavaScript is found, and one that is named wins", async () => {
  const made = await shop();
  const script = shopConfig
    .replace("type Status = { status: string };", "")
    .replace("): Promise<Status>", ")")
    .replace(" as Status", "");
  const folder = makeFolder({ "countersign.config.mjs": script });
  const { run } = await serve(folder, made);
  run.child.kill("SIGTERM");
  expect(await run.ended).toMatchObject({ code: 0 });
  writeFileSync(join(folder, "other.mjs"), "export default { tools: 7 };");
  const named = await start(folder, ["serve", "--config", "other.mjs"]).ended;
  expect([named.code, named.stderr]).toEqual([
    1,
    expect.stringContaining('other.mjs: "tools" must be a list'),
  ]);
}, 30_000);

test.each([
  [["sreve"], 2, /there is no command "sreve"\. Did you mean "serve"\?/],
  [["serve", "--prot", "1"], 2, /countersign serve: .*--prot/],
  [["serve", "--port", "70000"], 2, /--port is a number from 0 to 65535/],
  [["serve", "extra"], 2, /countersign serve: /],
  [["serve"], 1, /there is no countersign\.config\.ts .*countersign init/],
  [["serve", "--config", "none.ts"], 1, /there is no file .*none\.ts/],
] as const)(
  "CLI-11 %j ends with code %i and a hint",
  async (args, code, message) => {
    const ended = await start(makeFolder(), args).ended;
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([code, "", expect.stringMatching(message)]);
  },
  30_000,
);

test.each([
  [["--help"], /Usage: countersign COMMAND/],
  [["serve", "--help"], /Usage: countersign serve/],
  [["init", "--help"], /Usage: countersign init/],
  [["verify", "--help"], /Usage: countersign verify FILE/],
  [["--version"], /^\d+\.\d+\.\d+\n$/],
] as const)(
  "CLI-12 %j answers on standard output",
  async (args, text) => {
    expect(await start(makeFolder(), args).ended).toEqual({
      code: 0,
      stdout: expect.stringMatching(text),
      stderr: "",
    });
  },
  30_000,
);
