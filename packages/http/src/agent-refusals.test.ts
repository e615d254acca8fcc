import { expect, test } from "vitest";
import type { Answer, Api } from "./fixtures.ts";
import { cancelA1042, makeApi, propose, refused, secrets, signIn } from "./fixtures.ts";

const calls = "/v1/conversations/c-1/calls";
const call = (api: Api, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  api.ask("POST", calls, { as: secrets.agent, body, headers });

test("HTTP-5 a tool that is not configured is unknown", async () => {
  expect(await call(makeApi(), { tool: "delete_all", arguments: {} })).toMatchObject(
    refused(404, "unknown_tool"),
  );
});

test("HTTP-5 arguments that the tool does not take are named by pointer", async () => {
  const answer = await call(makeApi(), { tool: "cancel_order", arguments: { orderId: 7, extra: true } });
  expect(answer).toMatchObject(
    refused(422, "invalid_arguments", {
      issues: expect.arrayContaining([expect.objectContaining({ pointer: "/orderId" })]),
    }),
  );
});

test("HTTP-5 a write for a verified customer needs one", async () => {
  expect(await call(makeApi(), cancelA1042)).toMatchObject(
    refused(403, "verification_required", { level: "low" }),
  );
});

test("HTTP-5 a second write is refused with the open one; the same proposal again is answered with it", async () => {
  const api = makeApi();
  const { writeId } = await propose(api, await signIn(api));
  const other = { ...cancelA1042, arguments: { orderId: "A-2", reason: "late" } };
  expect(await call(api, other)).toMatchObject(
    refused(409, "write_in_progress", { writeId, state: "proposed" }),
  );
  expect(await call(api, cancelA1042)).toMatchObject({
    status: 200,
    body: { kind: "write", write: { id: writeId } },
  });
});

test("HTTP-5 what was just declined is refused for a minute, with when to come back", async () => {
  const api = makeApi();
  const token = await signIn(api);
  const { writeId } = await propose(api, token);
  await api.ask("POST", `/v1/card/${writeId}/decline`, { as: token, body: { version: 1 } });
  const answer = await call(api, cancelA1042);
  expect(answer).toMatchObject(refused(409, "recently_declined", { writeId, retryAfterSeconds: 60 }));
  expect(answer.headers.get("retry-after")).toBe("60");
});

test("HTTP-5 too many proposals are answered with when to come back", async () => {
  const api = makeApi({ engine: { limits: { proposalsPerMinute: 1 } } });
  await call(api, { tool: "add_note", arguments: { note: "one" } });
  const answer = await call(api, { tool: "add_note", arguments: { note: "two" } });
  expect(answer).toMatchObject(refused(429, "rate_limited", { retryAfterSeconds: 60 }));
  expect(answer.headers.get("retry-after")).toBe("60");
});

test("HTTP-6 a key repeats the first answer for the same body and refuses another one", async () => {
  const api = makeApi();
  await signIn(api);
  const key = { "idempotency-key": "k-1" };
  const first = await call(api, cancelA1042, key);
  const again = await call(api, cancelA1042, key);
  expect([again.status, again.body, again.headers.get("idempotent-replayed")]).toEqual([
    201,
    first.body,
    "true",
  ]);
  expect(first.headers.get("idempotent-replayed")).toBeNull();
  const other = { ...cancelA1042, arguments: { orderId: "A-2", reason: "late" } };
  expect(await call(api, other, key)).toMatchObject(refused(409, "idempotency_key_reused"));
});

test("HTTP-6 a key that met a refusal can be used again", async () => {
  const api = makeApi();
  const key = { "idempotency-key": "k-1" };
  expect(await call(api, { tool: "cancel_order", arguments: { orderId: 7 } }, key)).toMatchObject({
    status: 422,
  });
  expect(await call(api, cancelA1042, key)).toMatchObject({ status: 403 });
  await signIn(api);
  expect(await call(api, cancelA1042, key)).toMatchObject({ status: 201 });
});

test("HTTP-6 a repeated read is answered from the record", async () => {
  const api = makeApi();
  const read = { tool: "find_order", arguments: { orderId: "A-1" } };
  const first = await call(api, read, { "idempotency-key": "k-2" });
  expect(first).toMatchObject({
    status: 200,
    body: { kind: "result", tool: "find_order", result: { total: 2400 } },
  });
  const again = await call(api, read, { "idempotency-key": "k-2" });
  expect([again.body, again.headers.get("idempotent-replayed")]).toEqual([first.body, "true"]);
});

test("HTTP-6 a call whose key is still in flight is refused", async () => {
  const api = makeApi();
  const slow = { tool: "find_order", arguments: { orderId: "slow" } };
  const first = call(api, slow, { "idempotency-key": "k-3" });
  await api.clock.settle();
  expect(await call(api, slow, { "idempotency-key": "k-3" })).toMatchObject(refused(409, "call_in_progress"));
  await api.clock.advance(1000);
  expect(await first).toMatchObject(refused(504, "tool_timed_out"));
});

test.each(["", "k".repeat(201), "clé"])(
  "HTTP-7 the key %j is refused before anything is stored",
  async (key) => {
    const api = makeApi();
    await signIn(api);
    expect(await call(api, cancelA1042, { "idempotency-key": key })).toMatchObject(
      refused(422, "invalid_request"),
    );
    expect(await api.engine.operator.list({})).toEqual({ writes: [], nextCursor: null });
  },
);

test("HTTP-7 a key of 200 printable characters is taken", async () => {
  const api = makeApi();
  await signIn(api);
  expect(await call(api, cancelA1042, { "idempotency-key": `~ ${"k".repeat(198)}` })).toMatchObject({
    status: 201,
  });
});

test("HTTP-8 a read that fails is the tool's failure, without its message", async () => {
  const answer = await call(makeApi(), { tool: "find_order", arguments: { orderId: "broken" } });
  expect(answer).toMatchObject(refused(502, "tool_failed"));
  expect(JSON.stringify(answer.body)).not.toContain("the shop is down");
});

test("HTTP-9 a write without confirmation is answered with its outcome", async () => {
  const api = makeApi();
  expect(await call(api, { tool: "add_note", arguments: { note: "hello" } })).toMatchObject({
    status: 201,
    body: { kind: "write", write: { state: "applied", result: { status: "noted" } } },
  });
  expect(await call(api, { tool: "add_note", arguments: { note: "refuse" } })).toMatchObject({
    status: 201,
    body: { kind: "write", write: { state: "not_applied" } },
  });
});

test("HTTP-10 an agent does not find another agent's write, and no write by a foreign id", async () => {
  const api = makeApi();
  const { writeId } = await propose(api, await signIn(api));
  for (const path of [
    `/v1/writes/${writeId}`,
    "/v1/writes/wr_nothing",
    `/v1/writes/${"x".repeat(300)}`,
    "/v1/writes/%00",
  ]) {
    expect(await api.ask("GET", path, { as: secrets.otherAgent })).toMatchObject(refused(404, "not_found"));
  }
  expect(await api.ask("POST", `/v1/writes/${writeId}/withdraw`, { as: secrets.otherAgent })).toMatchObject(
    refused(404, "not_found"),
  );
});

test("HTTP-11 a proposal is withdrawn, again without harm; one that was decided is not, and the agent is shown no card", async () => {
  const api = makeApi();
  const token = await signIn(api);
  const { writeId } = await propose(api, token);
  const withdraw = (id: string): Promise<Answer> =>
    api.ask("POST", `/v1/writes/${id}/withdraw`, { as: secrets.agent, body: { reason: "wrong order" } });
  const first = await withdraw(writeId);
  expect(first).toMatchObject({ status: 200, body: { id: writeId, state: "withdrawn" } });
  expect((await withdraw(writeId)).body).toEqual(first.body);
  const declined = await propose(api, token);
  await api.ask("POST", `/v1/card/${declined.writeId}/decline`, { as: token, body: { version: 1 } });
  const refusal = await withdraw(declined.writeId);
  expect(refusal).toMatchObject(refused(409, "already_decided"));
  expect(refusal.body).not.toHaveProperty("card");
});

test("HTTP-12 a wait is answered when the state changes, and at its end when it does not", async () => {
  const api = makeApi();
  const token = await signIn(api);
  const { writeId } = await propose(api, token);
  const wait = (): Promise<Answer> =>
    api.ask("GET", `/v1/writes/${writeId}?wait=30&state=proposed`, { as: secrets.agent });
  const unchanged = wait();
  await api.clock.advance(30_000);
  expect(await unchanged).toMatchObject({ status: 200, body: { state: "proposed" } });
  const changed = wait();
  await api.clock.settle();
  await api.ask("POST", `/v1/card/${writeId}/decline`, { as: token, body: { version: 1 } });
  expect(await changed).toMatchObject({ status: 200, body: { state: "declined" } });
  expect(await wait()).toMatchObject({ status: 200, body: { state: "declined" } });
});

test("HTTP-12 a server that is about to stop answers who waits", async () => {
  const closing = new AbortController();
  const api = makeApi({ http: { closing: closing.signal } });
  const { writeId } = await propose(api, await signIn(api));
  const waiting = api.ask("GET", `/v1/writes/${writeId}?wait=60&state=proposed`, { as: secrets.agent });
  await api.clock.settle();
  closing.abort();
  expect(await waiting).toMatchObject({ status: 200, body: { state: "proposed" } });
});

test.each([
  "wait=61&state=proposed",
  "wait=-1&state=proposed",
  "wait=1.5&state=proposed",
  "wait=x&state=proposed",
  "wait=",
  "wait=5",
  "wait=5&state=nowhere",
])("HTTP-12 the query %s is refused", async (query) => {
  const api = makeApi();
  const { writeId } = await propose(api, await signIn(api));
  expect(await api.ask("GET", `/v1/writes/${writeId}?${query}`, { as: secrets.agent })).toMatchObject(
    refused(422, "invalid_request"),
  );
});
