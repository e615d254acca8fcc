import { expect, test } from "vitest";
import type { Api } from "./fixtures.ts";
import { cancelA1042, listing, makeApi, propose, secrets, signIn } from "./fixtures.ts";
import type { Credential } from "./route.ts";
import { routes } from "./routes.ts";
import { sessionSeal } from "./session-token.ts";

const pathOf = (path: string, writeId: string): string =>
  path.replace("{conversationId}", "c-1").replace("{writeId}", writeId);

/** What each kind of caller would present. */
async function credentials(api: Api): Promise<Record<string, string | undefined>> {
  return {
    nobody: undefined,
    stranger: "stranger-secret-0123456789",
    agent: secrets.agent,
    host: secrets.host,
    operator: secrets.operator,
    customer: await signIn(api),
  };
}

function expected(wanted: Credential, kind: string): "in" | 401 | 403 {
  if (wanted === "none" || wanted === kind) return "in";
  const isKey = (name: string): boolean => ["agent", "host", "operator"].includes(name);
  return isKey(wanted) && isKey(kind) ? 403 : 401;
}

test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  "HTTP-22 %s lets in exactly one kind of credential",
  async (_, route) => {
    const api = makeApi();
    const all = await credentials(api);
    const { writeId } = await propose(api, all.customer as string);
    const before = await listing(api);
    for (const [kind, as] of Object.entries(all)) {
      const wanted = expected(route.credential, kind);
      if (wanted === "in") continue;
      const answer = await api.ask(route.method, pathOf(route.path, writeId), {
        as,
        ...(route.body ? { body: {} } : {}),
      });
      expect([kind, answer.status, answer.body]).toEqual([
        kind,
        wanted,
        expect.objectContaining(
          wanted === 403 ? { code: "forbidden", role: route.credential } : { code: "unauthorized" },
        ),
      ]);
      expect(answer.headers.get("www-authenticate")).toBe(wanted === 401 ? "Bearer" : null);
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
    expect(await listing(api)).toEqual(before);
    const own = await api.raw(route.method, pathOf(route.path, writeId), {
      as: all[route.credential],
      ...(route.body ? { body: {} } : {}),
    });
    expect([401, 403]).not.toContain(own.status);
    await own.body?.cancel();
  },
);

test("HTTP-22 a credential is taken from the bearer header only", async () => {
  const api = makeApi();
  const token = await signIn(api);
  for (const headers of [
    { authorization: token },
    { authorization: `Basic ${token}` },
    { authorization: `Bearer ${token} ${token}` },
    { authorization: "Bearer" },
    { cookie: `token=${token}` },
    { "x-api-key": token },
  ] as Record<string, string>[]) {
    expect(await api.ask("GET", `/v1/card?token=${token}&access_token=${token}`, { headers })).toMatchObject({
      status: 401,
    });
  }
  expect(await api.ask("GET", "/v1/card", { headers: { authorization: `bearer ${token}` } })).toMatchObject({
    status: 200,
  });
});

test("HTTP-22 a key with two roles is let in by both", async () => {
  const apiKeys = [{ name: "back-office", roles: ["host", "operator"] as const, secret: secrets.host }];
  const api = makeApi({ http: { apiKeys } });
  expect(await api.ask("GET", "/v1/writes", { as: secrets.host })).toMatchObject({ status: 200 });
  expect(await api.ask("GET", "/v1/conversations/c-1", { as: secrets.host })).toMatchObject({ status: 200 });
});

test("HTTP-23 a session ends by time, one millisecond after it still counted", async () => {
  const api = makeApi();
  const token = await signIn(api);
  await api.clock.advance(3_600_000 - 1);
  expect(await api.ask("GET", "/v1/card", { as: token })).toMatchObject({ status: 200 });
  await api.clock.advance(1);
  expect(await api.ask("GET", "/v1/card", { as: token })).toMatchObject({
    status: 401,
    body: { code: "session_ended", reason: "expired" },
  });
});

test("HTTP-23 another customer ends the sessions of the one before, and a first verification those of nobody", async () => {
  const api = makeApi();
  const { body } = await api.ask("POST", "/v1/conversations/c-1/sessions", { as: secrets.host });
  const nobody = (body as { token: string }).token;
  expect(await api.ask("GET", "/v1/card", { as: nobody })).toMatchObject({
    status: 200,
    body: { card: null, others: [] },
  });
  const ofAna = await signIn(api);
  const { writeId, version, digest } = await propose(api, ofAna);
  const ofBen = await signIn(api, "c-1", "cus_ben");
  for (const as of [nobody, ofAna]) {
    const answer = await api.ask("POST", `/v1/card/${writeId}/confirm`, { as, body: { version, digest } });
    expect(answer).toMatchObject({
      status: 401,
      body: { code: "session_ended", reason: "customer_changed" },
    });
  }
  expect(await api.ask("GET", "/v1/card", { as: ofBen })).toMatchObject({
    status: 200,
    body: { card: null },
  });
  expect(api.handled).toEqual([]);
});

test("HTTP-24 sessions survive a rotation of the secret as long as the old one is listed", async () => {
  const api = makeApi();
  const token = await signIn(api);
  const rotated = "another-secret-of-at-least-32-bytes-0123";
  const both = makeApi({ engine: { store: api.store }, http: { sessionSecret: [rotated, secrets.session] } });
  expect(await both.ask("GET", "/v1/card", { as: token })).toMatchObject({ status: 200 });
  const one = makeApi({ engine: { store: api.store }, http: { sessionSecret: rotated } });
  expect(await one.ask("GET", "/v1/card", { as: token })).toMatchObject({
    status: 401,
    body: { code: "unauthorized" },
  });
});

test("HTTP-24 a session says neither more nor longer than it was sealed for", async () => {
  const api = makeApi({ http: { sessionLifetimeMs: 1000 } });
  const { body } = await api.ask("POST", "/v1/conversations/c-1/sessions", { as: secrets.host });
  const { token, expiresAt } = body as { token: string; expiresAt: string };
  expect(expiresAt).toBe("2026-11-30T00:00:01.000Z");
  expect(sessionSeal([secrets.session]).open(token)).toEqual({
    conversationId: "c-1",
    epoch: 0,
    expiresAt: Date.parse(expiresAt),
  });
});

test("HTTP-13 no answer to anyone holds a secret, a token it did not ask for, or the write's own key", async () => {
  const api = makeApi();
  const token = await signIn(api);
  const { writeId, version, digest } = await propose(api, token);
  await api.ask("POST", `/v1/card/${writeId}/confirm`, { as: token, body: { version, digest } });
  const key = api.handled[0]?.idempotencyKey as string;
  const answers = [
    await api.ask("POST", "/v1/conversations/c-1/calls", { as: secrets.agent, body: cancelA1042 }),
    await api.ask("GET", `/v1/writes/${writeId}`, { as: secrets.agent }),
    await api.ask("GET", "/v1/writes", { as: secrets.operator }),
    await api.ask("GET", `/v1/writes/${writeId}/journal`, { as: secrets.operator }),
    await api.ask("GET", "/v1/card", { as: token }),
    await api.ask("GET", "/v1/card", { as: `${token}x` }),
    await api.ask("GET", "/v1/writes", { as: secrets.agent }),
    await api.ask("GET", "/openapi.json"),
  ];
  const text = JSON.stringify(answers.map(({ body, headers }) => [body, [...headers]]));
  for (const hidden of [...Object.values(secrets), token, key]) expect(text).not.toContain(hidden);
});
