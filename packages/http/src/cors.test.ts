import { expect, test } from "vitest";
import { makeApi, secrets, signIn } from "./fixtures.ts";

const shop = "https://shop.example";
const corsOf = ({ headers }: { headers: Headers }): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control") || name === "vary"));

const preflight = {
  origin: shop,
  "access-control-request-method": "POST",
  "access-control-request-headers": "authorization",
};

test("HTTP-25 without an allowlist no origin gets any CORS header", async () => {
  const api = makeApi();
  const token = await signIn(api);
  const answer = await api.ask("GET", "/v1/card", { as: token, headers: { origin: shop } });
  expect([answer.status, corsOf(answer)]).toEqual([200, {}]);
  const asked = await api.raw("OPTIONS", "/v1/card/wr_1/confirm", { headers: preflight });
  expect([asked.status, corsOf(asked)]).toEqual([405, {}]);
});

test("HTTP-25 a page on an allowed origin may ask, call, and read ETag and replay", async () => {
  const api = makeApi({ http: { allowedOrigins: [shop] } });
  const asked = await api.raw("OPTIONS", "/v1/card/wr_1/confirm", { headers: preflight });
  expect([asked.status, corsOf(asked)]).toEqual([
    204,
    {
      vary: "origin",
      "access-control-allow-origin": shop,
      "access-control-allow-methods": "POST",
      "access-control-allow-headers":
        "authorization, content-type, idempotency-key, if-none-match, last-event-id",
      "access-control-expose-headers": "etag, idempotent-replayed, retry-after",
      "access-control-max-age": "600",
    },
  ]);
  const answer = await api.ask("GET", "/v1/card", { as: await signIn(api), headers: { origin: shop } });
  expect([answer.status, corsOf(answer)]).toEqual([
    200,
    {
      vary: "origin",
      "access-control-allow-origin": shop,
      "access-control-expose-headers": "etag, idempotent-replayed, retry-after",
    },
  ]);
  const refused = await api.ask("GET", "/v1/card", { headers: { origin: shop } });
  expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([401, shop]);
});

test.each(["https://evil.example", "null", "https://shop.example.evil.example", "http://shop.example"])(
  "HTTP-25 a page on %s is not allowed",
  async (origin) => {
    const api = makeApi({ http: { allowedOrigins: [shop] } });
    const asked = await api.raw("OPTIONS", "/v1/card/wr_1/confirm", { headers: { ...preflight, origin } });
    expect([asked.status, corsOf(asked)]).toEqual([405, { vary: "origin" }]);
  },
);

test("HTTP-25 a form of another site gets nowhere: without the header there is no credential", async () => {
  const api = makeApi({ http: { allowedOrigins: [shop] } });
  const answer = await api.ask("POST", "/v1/card/wr_1/confirm", {
    body: "version=1",
    headers: {
      origin: "https://evil.example",
      "content-type": "text/plain",
      cookie: `token=${secrets.host}`,
    },
  });
  expect(answer).toMatchObject({ status: 401, body: { code: "unauthorized" } });
});
