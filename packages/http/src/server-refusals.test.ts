import { UnavailableError } from "@countersign/core";
import { expect, test } from "vitest";
import type { Answer } from "./fixtures.ts";
import { ana, makeApi, propose, refused, secrets, signIn } from "./fixtures.ts";

test.each(["state=gone", "limit=0", "limit=201", "attention=yes", "cursor=made-up"])(
  "HTTP-32 the list refuses %s",
  async (query) => {
    expect(await makeApi().ask("GET", `/v1/writes?${query}`, { as: secrets.operator })).toMatchObject(
      refused(422, "invalid_request"),
    );
  },
);

test("HTTP-32 a list is given in pages, newest first, and by conversation", async () => {
  const api = makeApi();
  for (const conversation of ["c-1", "c-2", "c-3"]) {
    await api.clock.advance(1000);
    await api.ask("POST", `/v1/conversations/${conversation}/calls`, {
      as: secrets.agent,
      body: { tool: "add_note", arguments: { note: conversation } },
    });
  }
  const ids = ({ body }: Answer): unknown[] =>
    (body as { writes: { conversationId: string }[] }).writes.map((write) => write.conversationId);
  const first = await api.ask("GET", "/v1/writes?limit=2&attention=false", { as: secrets.operator });
  expect(ids(first)).toEqual(["c-3", "c-2"]);
  const { nextCursor } = first.body as { nextCursor: string };
  const second = await api.ask("GET", `/v1/writes?limit=2&cursor=${encodeURIComponent(nextCursor)}`, {
    as: secrets.operator,
  });
  expect([ids(second), second.body]).toEqual([["c-1"], expect.objectContaining({ nextCursor: null })]);
  expect(ids(await api.ask("GET", "/v1/writes?conversation=c-2", { as: secrets.operator }))).toEqual(["c-2"]);
});

test("HTTP-33 who the customer is cannot be stated from the future, and chat contacts need a configured account", async () => {
  const api = makeApi();
  const put = (path: string, body: unknown): Promise<Answer> =>
    api.ask("PUT", `/v1/conversations/c-1/${path}`, { as: secrets.host, body });
  expect(await put("customer", { ...ana, authenticatedAt: "2026-11-30T00:01:00.001Z" })).toMatchObject(
    refused(422, "invalid_request", { issues: [expect.objectContaining({ pointer: "/authenticatedAt" })] }),
  );
  expect(await put("customer", { ...ana, authenticatedAt: "2026-11-30T00:01:00.000Z" })).toMatchObject({
    status: 200,
  });
  expect(await put("contact", { channel: "nowhere", address: "15550101" })).toMatchObject(
    refused(422, "invalid_request", { issues: [expect.objectContaining({ pointer: "/channel" })] }),
  );
});

test("HTTP-23 a sign-out ends the session and supersedes what waits", async () => {
  const api = makeApi();
  const token = await signIn(api);
  const { writeId } = await propose(api, token);
  expect(await api.ask("GET", "/v1/conversations/c-1", { as: secrets.host })).toMatchObject({
    status: 200,
    body: { customer: { verified: true, level: "standard", epoch: 1 }, openWriteId: writeId },
  });
  expect(await api.ask("DELETE", "/v1/conversations/c-1/customer", { as: secrets.host })).toMatchObject({
    status: 200,
    body: { epoch: 2, superseded: [writeId] },
  });
  expect(await api.ask("GET", "/v1/card", { as: token })).toMatchObject(
    refused(401, "session_ended", { reason: "signed_out" }),
  );
});

test("HTTP-34 an unknown outcome is resolved by an operator, a known one is not", async () => {
  const api = makeApi();
  const token = await signIn(api);
  api.shop = () => {
    throw new Error("connection lost");
  };
  const { writeId, version, digest } = await propose(api, token);
  await api.ask("POST", `/v1/card/${writeId}/confirm`, { as: token, body: { version, digest } });
  const resolve = (path: string): Promise<Answer> =>
    api.ask("POST", path, {
      as: secrets.operator,
      body: { outcome: "applied", note: "seen in the shop", operator: "Ben" },
    });
  expect(await resolve(`/v1/writes/${writeId}/resolve`)).toMatchObject({
    status: 200,
    body: { id: writeId, state: "applied" },
  });
  expect(await resolve(`/v1/writes/${writeId}/resolve`)).toMatchObject(
    refused(409, "not_resolvable", { state: "applied" }),
  );
  expect(await resolve("/v1/writes/wr_nothing/resolve")).toMatchObject(refused(404, "not_found"));
  expect(await api.ask("GET", "/v1/writes/wr_nothing/journal", { as: secrets.operator })).toMatchObject(
    refused(404, "not_found"),
  );
});

test("HTTP-35 paths of no endpoint are not found and wrong methods are told the right ones", async () => {
  const api = makeApi();
  for (const path of [
    "/",
    "/v1",
    "/v1/",
    "/v1/card/",
    "/v1/card/a/b/confirm",
    "/v1/writes/",
    "/v1/customers/cus_1",
    "/v1/channels/a/messages",
    "/healthz/",
  ]) {
    expect((await api.raw("POST", path, { as: secrets.agent })).status).toBe(404);
  }
  const wrong = await api.raw("PATCH", "/v1/conversations/c-1/customer");
  expect([wrong.status, wrong.headers.get("allow"), wrong.headers.get("cache-control")]).toEqual([
    405,
    "PUT, DELETE",
    "no-store",
  ]);
  const read = await api.raw("DELETE", "/v1/card");
  expect([read.status, read.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  const head = await api.raw("HEAD", "/healthz");
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

test("HTTP-8 a fault of the program is told without its message, and can be found in the log", async () => {
  const api = makeApi();
  const broken = makeApi({
    engine: {
      store: { ...api.store, readConversation: () => Promise.reject(new Error("password=hunter2")) },
    },
  });
  const answer = await broken.ask("GET", "/v1/conversations/c-1", { as: secrets.host });
  expect(answer).toMatchObject(refused(500, "internal", { requestId: expect.any(String) }));
  expect(JSON.stringify(answer.body)).not.toContain("hunter2");
  expect(broken.faults).toEqual([new Error("password=hunter2")]);
});

test("HTTP-8 a store that cannot be used for now is told as that, with when to come again", async () => {
  const api = makeApi();
  const broken = makeApi({
    engine: {
      store: {
        ...api.store,
        append: () => Promise.reject(new UnavailableError("locked by password=hunter2")),
      },
    },
  });
  const answer = await broken.ask("PUT", "/v1/conversations/c-1/customer", { as: secrets.host, body: ana });
  expect(answer).toMatchObject(refused(503, "not_ready"));
  expect([answer.headers.get("retry-after"), JSON.stringify(answer.body).includes("hunter2")]).toEqual([
    "5",
    false,
  ]);
  expect(broken.faults.map(String)).toEqual(["UnavailableError: locked by password=hunter2"]);
});

test("HTTP-27 a body that breaks off is the client's fault and stands in no log", async () => {
  const api = makeApi();
  const body = new ReadableStream({ start: (controller) => controller.error(new Error("aborted")) });
  const answer = await api.handler(
    new Request("http://api.example/v1/conversations/c-1/calls", {
      method: "POST",
      headers: { authorization: `Bearer ${secrets.agent}`, "content-type": "application/json" },
      body,
      duplex: "half",
    } as RequestInit),
  );
  expect([answer.status, ((await answer.json()) as { code: string }).code, api.faults]).toEqual([
    400,
    "malformed",
    [],
  ]);
});

test("HTTP-12 a number beyond its bounds in a query is told as that", async () => {
  expect(await makeApi().ask("GET", "/v1/writes?limit=201", { as: secrets.operator })).toMatchObject({
    status: 422,
    body: { issues: [{ pointer: "/limit", message: "in the query: Too big: expected number to be <=200" }] },
  });
});
test("HTTP-36 health says that the process lives, readiness that the store answers", async () => {
  const api = makeApi();
  expect(await api.ask("GET", "/healthz")).toMatchObject({ status: 200, body: { status: "ok" } });
  expect(await api.ask("GET", "/readyz")).toMatchObject({ status: 200, body: { status: "ok" } });
  const broken = makeApi({
    engine: { store: { ...api.store, ready: () => Promise.reject(new Error("no file")) } },
  });
  expect(await broken.ask("GET", "/healthz")).toMatchObject({ status: 200 });
  const answer = await broken.ask("GET", "/readyz");
  expect(answer).toMatchObject(refused(503, "not_ready"));
  expect(answer.headers.get("retry-after")).toBe("5");
});
