import { expect, test } from "vitest";
import { ana, makeApi, secrets } from "./fixtures.ts";

test.each(["c 1", "c%2F1", "é", "c%00", "%E0%A4%A", "x".repeat(201), "c*1"])(
  "HTTP-31 the conversation id %s is refused",
  async (id) => {
    const api = makeApi();
    const path = `/v1/conversations/${id}`;
    expect(await api.ask("GET", path, { as: secrets.host })).toMatchObject({
      status: 422,
      body: { code: "invalid_request" },
    });
  },
);

test.each(["c.1_:-Z", "x".repeat(200), "c%2D1"])("HTTP-31 the conversation id %s is taken", async (id) => {
  expect(await makeApi().ask("GET", `/v1/conversations/${id}`, { as: secrets.host })).toMatchObject({
    status: 200,
  });
});

test.each([{ locale: "not a locale" }, { locale: "" }, { timeZone: "Mars/Olympus" }])(
  "HTTP-31 a session in %j is refused",
  async (body) => {
    expect(
      await makeApi().ask("POST", "/v1/conversations/c-1/sessions", { as: secrets.host, body }),
    ).toMatchObject({
      status: 422,
      body: { code: "invalid_request" },
    });
  },
);

test.each(["yesterday", "2026-11-30", "2026-02-30T00:00:00Z", "1796000000000", "2026-11-30T00:00:00"])(
  "HTTP-31 a sign-in at %j is refused",
  async (authenticatedAt) => {
    const answer = await makeApi().ask("PUT", "/v1/conversations/c-1/customer", {
      as: secrets.host,
      body: { ...ana, authenticatedAt },
    });
    expect(answer).toMatchObject({
      status: 422,
      body: { code: "invalid_request", issues: [{ pointer: "/authenticatedAt" }] },
    });
  },
);
