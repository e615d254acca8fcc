import { applied } from "@countersign/core";
import { expect, test } from "vitest";
import { makeApi, propose, refused, secrets, signIn } from "./fixtures.ts";

const as = secrets.operator;

async function lost(
  api: ReturnType<typeof makeApi>,
): Promise<{ readonly token: string; readonly writeId: string }> {
  const token = await signIn(api);
  api.shop = () => {
    throw new Error("connection lost");
  };
  const { writeId, version, digest } = await propose(api, token);
  await api.ask("POST", `/v1/card/${writeId}/confirm`, { as: token, body: { version, digest } });
  return { token, writeId };
}

test("HTTP-39 an operator asks the tool what became of a write, in their own or their key's name", async () => {
  const api = makeApi();
  const { writeId } = await lost(api);
  const check = (body?: unknown) => api.ask("POST", `/v1/writes/${writeId}/check`, { as, body });
  expect(await check()).toMatchObject({ status: 200, body: { id: writeId, state: "unknown", checks: 0 } });
  api.status = () => applied({ status: "cancelled" });
  expect(await check({ operator: "Ben" })).toMatchObject({
    status: 200,
    body: { id: writeId, state: "applied", result: { status: "cancelled" } },
  });
  const { body } = await api.ask("GET", `/v1/writes/${writeId}/journal`, { as });
  const { events } = body as { events: { type: string; by: object }[] };
  expect(events.slice(-2).map(({ type, by }) => [type, by])).toEqual([
    ["checked", { kind: "operator", ref: "ops" }],
    ["settled", { kind: "operator", ref: "Ben" }],
  ]);
});

test("HTTP-39 a check is refused while another one goes on, and where there is nothing to ask", async () => {
  const api = makeApi();
  const { writeId } = await lost(api);
  let answer: (value: unknown) => void = () => undefined;
  api.status = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  const check = (id = writeId) => api.ask("POST", `/v1/writes/${id}/check`, { as });
  const checking = check();
  await api.clock.settle();
  expect(await check()).toMatchObject(refused(409, "check_in_progress", { writeId }));
  answer(applied({ status: "cancelled" }));
  expect(await checking).toMatchObject({ status: 200, body: { state: "applied" } });
  expect(await check()).toMatchObject(refused(409, "not_resolvable", { state: "applied" }));
  expect(await check("wr_nothing")).toMatchObject(refused(404, "not_found"));
  const note = { tool: "add_note", arguments: { note: "lose" } };
  const { body } = await api.ask("POST", "/v1/conversations/c-1/calls", { as: secrets.agent, body: note });
  const { write } = body as { write: { id: string } };
  expect(await check(write.id)).toMatchObject(refused(409, "not_checkable", { tool: "add_note" }));
});

test("HTTP-40 an operator erases a customer once nothing of theirs is unfinished", async () => {
  const api = makeApi();
  const { token, writeId } = await lost(api);
  const erase = (customerId = "cus_ana", body?: unknown) =>
    api.ask("POST", `/v1/customers/${customerId}/erase`, { as, body });
  expect(await erase()).toMatchObject(refused(409, "unfinished_writes", { writeIds: [writeId] }));
  const settle = { outcome: "applied", note: "seen in the shop", operator: "Ben" };
  await api.ask("POST", `/v1/writes/${writeId}/resolve`, { as, body: settle });
  expect(await erase("cus_ana", { operator: "Ben" })).toMatchObject({ status: 200, body: { writes: 1 } });
  expect(await erase()).toMatchObject(refused(404, "not_found"));
  expect(await erase("%E0%A4%A")).toMatchObject(refused(404, "not_found"));
  expect(await erase("cus_ana", { reason: "x" })).toMatchObject(refused(422, "invalid_request"));
  const read = await api.ask("GET", `/v1/writes/${writeId}`, { as: secrets.agent });
  expect(read).toMatchObject({ status: 200, body: { state: "applied", result: null } });
  const journal = await api.ask("GET", `/v1/writes/${writeId}/journal`, { as });
  expect(journal.status).toBe(200);
  expect(JSON.stringify([read, journal])).not.toContain("A-1042");
  expect(await api.ask("GET", "/v1/card", { as: token })).toMatchObject(refused(401, "session_ended"));
  const fresh = await signIn(api);
  expect(await api.ask("GET", "/v1/card", { as: fresh })).toMatchObject({ body: { card: null, others: [] } });
});

test("HTTP-40 a customer's id may hold any character", async () => {
  const api = makeApi();
  const customerId = "Ana/ñ 50%?#";
  await signIn(api, "c-1", customerId);
  const path = `/v1/customers/${encodeURIComponent(customerId)}/erase`;
  expect(await api.ask("POST", path, { as })).toMatchObject({ status: 200, body: { writes: 0 } });
});
