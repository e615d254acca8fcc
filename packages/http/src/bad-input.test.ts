import { expect, test } from "vitest";
import type { Api, Ask } from "./fixtures.ts";
import { ana, listing, makeApi, propose, secrets, signIn } from "./fixtures.ts";

type Target = {
  readonly method: string;
  readonly path: string;
  readonly as: string;
  readonly good: Record<string, unknown>;
  readonly open?: string;
};

/** Every endpoint that takes a body, with a good one. `open` names a member that takes any JSON. */
async function targets(api: Api): Promise<Target[]> {
  const token = await signIn(api);
  const { writeId, version, digest } = await propose(api, token);
  const conversation = "/v1/conversations/c-1";
  const card = `/v1/card/${writeId}`;
  const customer = { method: "POST", as: token };
  const host = { method: "PUT", as: secrets.host };
  return [
    {
      method: "POST",
      path: `${conversation}/calls`,
      as: secrets.agent,
      good: { tool: "find_order", arguments: { orderId: "A-1" } },
      open: "arguments",
    },
    { method: "POST", path: `/v1/writes/${writeId}/withdraw`, as: secrets.agent, good: { reason: "wrong" } },
    { ...host, path: `${conversation}/customer`, good: { ...ana } },
    { ...host, path: `${conversation}/contact`, good: { channel: "chat", address: "15550101" } },
    {
      method: "POST",
      path: `${conversation}/sessions`,
      as: secrets.host,
      good: { locale: "en", timeZone: "Europe/Madrid" },
    },
    { ...customer, path: `${card}/edits`, good: { version, values: { "/reason": "other" } }, open: "values" },
    { ...customer, path: `${card}/confirm`, good: { version, digest } },
    { ...customer, path: `${card}/decline`, good: { version } },
    { ...customer, path: `${card}/extend`, good: { version } },
    {
      method: "POST",
      path: `/v1/writes/${writeId}/resolve`,
      as: secrets.operator,
      good: { outcome: "applied", note: "seen", operator: "Ben" },
    },
  ];
}

/** Sends to every endpoint and expects a problem with this code, and a store as it was. */
async function expectEverywhere(
  code: string | ((target: Target) => string | undefined),
  make: (target: Target) => Ask,
): Promise<void> {
  const api = makeApi();
  const all = await targets(api);
  const before = await listing(api);
  for (const target of all) {
    const wanted = typeof code === "string" ? code : code(target);
    if (wanted === undefined) continue;
    const answer = await api.ask(target.method, target.path, { as: target.as, ...make(target) });
    expect([target.path, answer.body]).toEqual([
      target.path,
      expect.objectContaining({
        code: wanted,
        status: answer.status,
        title: expect.any(String),
        detail: expect.any(String),
      }),
    ]);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
  }
  expect(await listing(api)).toEqual(before);
  expect(api.faults).toEqual([]);
  expect(api.handled).toEqual([]);
}

/** The good body's text with raw JSON of another member in front. */
const withMember = ({ good }: Target, raw: string): string => `{${raw},${JSON.stringify(good).slice(1)}`;

test("HTTP-26 a member that nobody asked for is refused by its name", async () => {
  const api = makeApi();
  for (const { method, path, as, good } of await targets(api)) {
    const { status, body } = await api.ask(method, path, { as, body: { ...good, "sur/prise": 1 } });
    expect([status, body]).toEqual([
      422,
      expect.objectContaining({
        code: "invalid_request",
        issues: [{ pointer: "/sur~1prise", message: "is not a member of this request" }],
      }),
    ]);
  }
});

test("HTTP-26 every required member that is missing and every one of the wrong type is refused", async () => {
  const api = makeApi();
  const all = await targets(api);
  const before = await listing(api);
  for (const { method, path, as, good } of all) {
    for (const name of Object.keys(good)) {
      const optional = path.endsWith("/sessions") || path.endsWith("/withdraw");
      const { [name]: _, ...without } = good;
      const wrong: unknown[] = [
        null,
        true,
        [],
        [good[name]],
        typeof good[name] === "string" ? 7 : "text",
        ...(typeof good[name] === "object" ? [] : [{}]),
      ];
      for (const body of [
        ...(optional ? [] : [without]),
        ...wrong.map((value) => ({ ...good, [name]: value })),
      ]) {
        const answer = await api.ask(method, path, { as, body });
        expect([path, body, answer.status, answer.body]).toEqual([
          path,
          body,
          422,
          expect.objectContaining({
            code: "invalid_request",
            issues: [expect.objectContaining({ pointer: `/${name}` })],
          }),
        ]);
      }
    }
  }
  expect(await listing(api)).toEqual(before);
});

test.each(["null", "[]", "7", '"text"', "true"])("HTTP-27 a body that is %s is no request", async (body) => {
  await expectEverywhere("invalid_request", () => ({ body }));
});

test.each(["{", "", " ", "{'version':1}", '{"version":1,}', '{"version":NaN}', "\ufeff{}", "version=1"])(
  "HTTP-27 a body of %j is malformed",
  async (body) => {
    // A body without bytes is one that was not sent: fine where nothing is required.
    const mayBeEmpty = ({ path }: Target): boolean =>
      body === "" && (path.endsWith("/sessions") || path.endsWith("/withdraw"));
    await expectEverywhere(
      (target) => (mayBeEmpty(target) ? undefined : "malformed"),
      () => ({ body }),
    );
  },
);

test("HTTP-27 bytes that are not UTF-8 are malformed", async () => {
  await expectEverywhere("malformed", () => ({
    body: new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  }));
  await expectEverywhere("malformed", () => ({
    body: new Uint8Array([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
  }));
});

test.each(["0", "1"])("HTTP-27 two members of one name are malformed, even when %s agrees", async (value) => {
  await expectEverywhere("malformed", (target) => ({
    body: withMember(target, `"version":${value},"version":1`),
  }));
  await expectEverywhere("malformed", (target) => ({
    body: withMember(target, `"x":{"a":1,"\\u0061":${value}}`),
  }));
});

test.each(['"__proto__":{}', '"x":{"y":[{"__proto__":1}]}', '"\\u005f_proto__":1'])(
  "HTTP-27 %s is malformed",
  async (raw) => {
    await expectEverywhere("malformed", (target) => ({ body: withMember(target, raw) }));
  },
);

const nested = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;

test.each([
  ["half of a surrogate pair", '"\\ud800"'],
  ["a name with half of a surrogate pair", '{"\\udfff":1}'],
  ["an integer beyond 2^53-1", "9007199254740993"],
  ["a large negative integer in a list", "[-1e30]"],
  ["a number beyond all bounds", "1e999"],
  ["40 levels of nesting", nested(40)],
  ["100 000 levels of nesting", nested(100_000)],
])("HTTP-28 %s outside of arguments does not fit the request", async (_, raw) => {
  await expectEverywhere("invalid_request", (target) => ({ body: withMember(target, `"x":${raw}`) }));
});

test.each([
  ["half of a surrogate pair", '"\\ud800"'],
  ["a name with half of a surrogate pair", '{"\\udfff":1}'],
  ["an integer beyond 2^53-1", "9007199254740992"],
  ["a large negative integer in a list", "[-1e30]"],
  ["a number beyond all bounds", "1e999"],
  ["32 levels of nesting in a member", nested(32)],
  ["100 000 levels of nesting", nested(100_000)],
])("HTTP-28 %s within arguments does not fit the tool, by its pointer", async (_, raw) => {
  const api = makeApi();
  const all = (await targets(api)).filter(({ open }) => open !== undefined);
  const before = await listing(api);
  for (const { method, path, as, good, open } of all) {
    const name = open === "values" ? "/note" : "note";
    const member = { ...(good[open as string] as object), [name]: "HERE" };
    const text = JSON.stringify({ ...good, [open as string]: member });
    const answer = await api.ask(method, path, { as, body: text.replace('"HERE"', raw) });
    expect([path, answer.status, answer.body]).toEqual([
      path,
      422,
      expect.objectContaining({
        code: "invalid_arguments",
        issues: [expect.objectContaining({ pointer: expect.stringMatching(/^\/note/) })],
      }),
    ]);
  }
  expect(await listing(api)).toEqual(before);
  expect(api.faults).toEqual([]);
});

test("HTTP-28 arguments of 31 nested containers and the largest safe integer are passed on", async () => {
  const api = makeApi();
  const body = `{"tool":"find_order","arguments":{"orderId":"A-1","more":${"[".repeat(31)}9007199254740991${"]".repeat(31)}}}`;
  expect(await api.ask("POST", "/v1/conversations/c-1/calls", { as: secrets.agent, body })).toMatchObject({
    status: 200,
  });
});

test("HTTP-29 arguments beyond 64 KiB do not fit the tool", async () => {
  const api = makeApi();
  const body = { tool: "find_order", arguments: { orderId: "x".repeat(70_000) } };
  expect(await api.ask("POST", "/v1/conversations/c-1/calls", { as: secrets.agent, body })).toMatchObject({
    status: 422,
    body: { code: "invalid_arguments" },
  });
});

test("HTTP-29 a body of 300 KB is too large, and no more of it is read than the limit", async () => {
  await expectEverywhere("too_large", ({ good }) => ({
    body: JSON.stringify({ ...good, filling: "x".repeat(300_000) }),
  }));
  const api = makeApi();
  let pulled = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new Uint8Array(64 * 1024).fill(0x20));
    },
  });
  const request = new Request("http://countersign.example/v1/conversations/c-1/calls", {
    method: "POST",
    headers: { authorization: `Bearer ${secrets.agent}`, "content-type": "application/json" },
    body: endless,
    duplex: "half",
  } as RequestInit);
  expect((await api.handler(request)).status).toBe(413);
  expect(pulled).toBeLessThan(10);
});

test("HTTP-29 a body of exactly 256 KiB is read, one byte more is too large", async () => {
  const api = makeApi();
  const send = (length: number): Promise<{ body: unknown }> =>
    api.ask("POST", "/v1/conversations/c-1/calls", { as: secrets.agent, body: "{}".padEnd(length, " ") });
  expect(await send(256 * 1024)).toMatchObject({ body: { code: "invalid_request" } });
  expect(await send(256 * 1024 + 1)).toMatchObject({ body: { code: "too_large" } });
});

test.each([
  "text/plain",
  "application/x-www-form-urlencoded",
  "application/jsonp",
  "multipart/form-data; boundary=x",
])("HTTP-30 %s is not JSON", async (type) => {
  await expectEverywhere("unsupported_media_type", ({ good }) => ({
    body: JSON.stringify(good),
    headers: { "content-type": type },
  }));
});

test("HTTP-30 a media type with a charset, and none at all, are JSON", async () => {
  const api = makeApi();
  for (const type of ["application/json; charset=utf-8", "Application/JSON"]) {
    const answer = await api.ask("POST", "/v1/conversations/c-1/sessions", {
      as: secrets.host,
      body: "{}",
      headers: { "content-type": type },
    });
    expect(answer.status).toBe(201);
  }
  const bytes = { as: secrets.host, body: new Uint8Array([0x7b, 0x7d]) };
  const request = new Request("http://countersign.example/v1/conversations/c-1/sessions", {
    method: "POST",
    headers: { authorization: `Bearer ${bytes.as}` },
    body: bytes.body,
  });
  expect((await api.handler(request)).status).toBe(201);
});
