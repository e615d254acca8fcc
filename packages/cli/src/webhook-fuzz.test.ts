import { createHmac } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { instagram } from "@countersign/channels/instagram";
import { messenger } from "@countersign/channels/messenger";
import { twilio } from "@countersign/channels/twilio";
import { whatsapp } from "@countersign/channels/whatsapp";
import type { Channel, Engine } from "@countersign/core";
import { createEngine, defineTool, memoryStore } from "@countersign/core";
import { manualClock } from "@countersign/core/testing";
import { createHandler } from "@countersign/http";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";

// `npm run test:fuzz -- --long` sets it: more than 100 000 bodies over the four platforms.
const runs = Number(process.env.FUZZ_RUNS ?? 400);
const bodiesARun = 5;

const appSecret = "demo_app_secret_do_not_use";
const authToken = "demo_auth_token_do_not_use";
const publicUrl = "https://hooks.example";
const secrets = { accessToken: "demo_access_token", appSecret, verifyToken: "demo_verify_token" };
const fixtures = fileURLToPath(new URL("../../channels/fixtures", import.meta.url));

type Side = {
  readonly folder: string;
  /** An address that no recorded webhook comes from. */
  readonly address: string;
  readonly channel: Channel;
  encode(value: unknown): string;
  sign(body: string, target: string): Record<string, string>;
};

function metaSigned(body: string): Record<string, string> {
  const digest = createHmac("sha256", appSecret).update(body).digest("hex");
  return { "content-type": "application/json", "x-hub-signature-256": `sha256=${digest}` };
}

function asForm(value: unknown): string {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return new URLSearchParams(
    entries.map(([name, one]) => [name, typeof one === "string" ? one : JSON.stringify(one)]),
  ).toString();
}

function twilioSigned(body: string, target: string): Record<string, string> {
  const form = new URLSearchParams(body);
  const names = [...new Set(form.keys())].sort();
  const fields = names.flatMap((name) => [...new Set(form.getAll(name))].sort().map((value) => name + value));
  const text = publicUrl + target + fields.join("");
  return {
    "content-type": "application/x-www-form-urlencoded",
    "x-twilio-signature": createHmac("sha1", authToken).update(text).digest("base64"),
  };
}

// Nobody listens there: what the server wants to say goes nowhere, at once.
const nowhere = "http://127.0.0.1:9";
const json = { encode: (value: unknown): string => JSON.stringify(value) ?? "", sign: metaSigned };
const sides: { readonly [account: string]: Side } = {
  whatsapp: {
    folder: "whatsapp",
    address: "15550100299",
    channel: whatsapp({ phoneNumberId: "300100200300", ...secrets, graphBaseUrl: nowhere }),
    ...json,
  },
  messenger: {
    folder: "messenger",
    address: "7001099",
    channel: messenger({ pageId: "400100200", ...secrets, graphBaseUrl: nowhere }),
    ...json,
  },
  instagram: {
    folder: "instagram",
    address: "910010020099",
    channel: instagram({
      accountId: "17840000000000001",
      login: "instagram",
      ...secrets,
      graphBaseUrl: nowhere,
    }),
    ...json,
  },
  twilio: {
    folder: "twilio-whatsapp",
    address: "whatsapp:+15550100299",
    channel: twilio({
      accountSid: "AC00000000000000000000000000000001",
      authToken,
      from: "whatsapp:+15550109999",
      publicUrl,
      baseUrl: nowhere,
    }),
    encode: asForm,
    sign: twilioSigned,
  },
};

/** One change of a recorded webhook: at the place that `at` picks. */
type Mutation = { readonly at: number; readonly how: number; readonly value: unknown };

function placesIn(value: unknown, path: readonly (string | number)[] = []): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => {
    const here = [...path, Array.isArray(value) ? Number(name) : name];
    return [here, ...placesIn(one, here)];
  });
}

function mutate(recorded: unknown, mutations: readonly Mutation[]): unknown {
  const whole = structuredClone(recorded) as Record<string, unknown>;
  for (const { at, how, value } of mutations) {
    const places = placesIn(whole);
    const place = places[at % Math.max(1, places.length)];
    if (place === undefined) continue;
    const parent = place.slice(0, -1).reduce<unknown>((one, name) => (one as never)[name], whole) as Record<
      string | number,
      unknown
    >;
    const last = place.at(-1) ?? 0;
    if (how === 0) delete parent[last];
    else if (how === 1) parent[last] = value;
    else if (how === 2) parent[last] = [parent[last], parent[last]];
    else if (how === 3 && Array.isArray(parent)) parent.push(structuredClone(parent[Number(last)]));
    else parent[last] = `${JSON.stringify(parent[last])}${JSON.stringify(value)}`;
  }
  return whole;
}

type World = {
  readonly engine: Engine;
  readonly faults: string[];
  readonly calls: string[];
  post(side: string, body: string, headers: Record<string, string>): Promise<number>;
};

/** A server with the four platforms, and on each a customer with a write that waits. */
async function makeWorld(): Promise<
  World & { readonly tokens: readonly string[]; readonly writeIds: readonly string[] }
> {
  const faults: string[] = [];
  const calls: string[] = [];
  const tokens: string[] = [];
  const channels = Object.fromEntries(
    Object.entries(sides).map(([account, { channel }]) => {
      // The tokens of the prompts are what somebody on the way could have read.
      const spied: Channel = {
        ...channel,
        prompt(card, given, time) {
          tokens.push(given.confirm, given.decline);
          return channel.prompt(card, given, time);
        },
        send: async () => ({ kind: "unknown", detail: "nobody is there" }),
      };
      return [account, spied];
    }),
  );
  const engine = createEngine({
    tools: [
      defineTool({
        name: "cancel_order",
        title: "Cancel order",
        description: "Cancels an open order.",
        effect: "write",
        customer: "any",
        recovery: "operator",
        input: z.object({ orderId: z.string() }),
        output: z.object({ status: z.string() }),
        handler: async ({ orderId }) => {
          calls.push(orderId);
          return { status: "cancelled" };
        },
      }),
    ],
    store: memoryStore(),
    clock: manualClock(Date.UTC(2026, 10, 30)),
    logger: {
      info: () => {},
      warn: () => {},
      // That a platform reports trouble with the account is told to the operator, and is no fault of ours.
      error: ({ error }, message) => void (error === "ConfigurationError" || faults.push(message)),
    },
    channels,
    onMessage: () => {},
  });
  const handler = createHandler(engine, {
    apiKeys: [{ name: "bot", roles: ["agent"], secret: "agent-secret-0123456789" }],
    sessionSecret: "session-secret-of-at-least-32-bytes",
    logger: { fault: ({ error }) => void faults.push(String(error)) },
  });
  const writeIds: string[] = [];
  for (const [account, { address }] of Object.entries(sides)) {
    await engine.host.setContact({ conversationId: account, channel: account, address });
    const called = await engine.agent.call({
      agent: "bot",
      conversationId: account,
      tool: "cancel_order",
      arguments: { orderId: account },
    });
    if ("refused" in called || called.kind !== "write") throw new Error(JSON.stringify(called));
    writeIds.push(called.write.id);
  }
  await engine.runDue();
  return {
    engine,
    faults,
    calls,
    tokens,
    writeIds,
    async post(account, body, headers) {
      const url = `https://hooks.example/v1/channels/${account}/webhook`;
      return (await handler(new Request(url, { method: "POST", body, headers }))).status;
    },
  };
}

for (const account of Object.keys(sides)) {
  test(`CHAT-20 no body of a webhook of ${account}, signed or not, breaks the server or decides anything`, async () => {
    const side = sides[account] as Side;
    const folder = join(fixtures, side.folder);
    const recorded = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
    const world = await makeWorld();
    const target = `/v1/channels/${account}/webhook`;
    const mutation = fc.record({
      at: fc.nat(),
      how: fc.nat(4),
      value: fc.oneof(fc.constantFrom(...world.tokens), fc.string(), fc.jsonValue({ maxDepth: 2 })),
    });
    const body = fc.oneof(
      { weight: 8, arbitrary: fc.tuple(fc.constantFrom(...recorded), fc.array(mutation, { maxLength: 6 })) },
      { weight: 1, arbitrary: fc.jsonValue().map((value) => [value, []] as const) },
    );
    const sent = fc.record({
      body: fc.oneof(
        { weight: 9, arbitrary: body.map(([value, changes]) => side.encode(mutate(value ?? {}, changes))) },
        { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
      ),
      signed: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(sent, { minLength: bodiesARun, maxLength: bodiesARun }), async (bodies) => {
        for (const { body: text, signed } of bodies) {
          const headers = side.sign(signed ? text : `${text} `, target);
          const status = await world.post(account, text, headers);
          // A form of nothing signs the address alone, which a space more does not change.
          const mayPass = signed || (account === "twilio" && text.trim() === "");
          if (mayPass) expect([200, 401]).toContain(status);
          else expect(status).toBe(401);
        }
        await world.engine.runDue();
        expect(world.faults).toEqual([]);
        expect(world.calls).toEqual([]);
      }),
      { numRuns: runs },
    );
    for (const writeId of world.writeIds) {
      expect(await world.engine.operator.read(writeId)).toMatchObject({ state: "proposed" });
    }
  }, 3_600_000);
}
