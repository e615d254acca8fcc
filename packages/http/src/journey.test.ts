import { expect, test } from "vitest";
import { cancelA1042, makeApi, propose, secrets, signIn } from "./fixtures.ts";

const now = "2026-11-30T00:00:00.001Z";

test("HTTP-1 a proposed write is confirmed by its customer, runs once, and everyone is told the truth", async () => {
  const api = makeApi();
  const token = await signIn(api);
  const proposed = await api.ask("POST", "/v1/conversations/c-1/calls", {
    as: secrets.agent,
    body: cancelA1042,
  });
  expect(proposed).toMatchObject({
    status: 201,
    body: {
      kind: "write",
      write: { conversationId: "c-1", tool: "cancel_order", state: "proposed", version: 1 },
    },
  });
  const { writeId, version, digest } = await propose(api, token);
  const confirmed = await api.ask("POST", `/v1/card/${writeId}/confirm`, {
    as: token,
    body: { version, digest },
  });
  expect(confirmed).toMatchObject({
    status: 200,
    body: {
      card: { state: "applied", receipt: { outcome: "applied", title: "Order cancelled" } },
      serverTime: now,
    },
  });
  const repeated = await api.ask("POST", `/v1/card/${writeId}/confirm`, {
    as: token,
    body: { version, digest },
  });
  expect(repeated.body).toEqual(confirmed.body);
  expect(api.handled).toEqual([{ orderId: "A-1042", idempotencyKey: expect.any(String) }]);
  expect(await api.ask("GET", `/v1/writes/${writeId}`, { as: secrets.agent })).toMatchObject({
    status: 200,
    body: { state: "applied", result: { status: "cancelled" } },
  });
  expect(await api.ask("GET", "/v1/writes?state=applied", { as: secrets.operator })).toMatchObject({
    status: 200,
    body: { writes: [{ id: writeId, state: "applied", attempts: 1, surface: "web" }], nextCursor: null },
  });
  const { body } = await api.ask("GET", `/v1/writes/${writeId}/journal`, { as: secrets.operator });
  const { events, head } = body as { head: string; events: { type: string; hash: string }[] };
  expect(events.map(({ type }) => type)).toEqual(["proposed", "confirmed", "started", "settled"]);
  expect(head).toBe(events.at(-1)?.hash);
});
