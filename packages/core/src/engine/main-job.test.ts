import { expect, test } from "vitest";
import { call, cancelA1042, makeScene, signIn, writeIn } from "./fixtures.ts";

test("FLOW-2 a proposal runs nothing until the customer confirms it, and then exactly what the card showed, once", async () => {
  const scene = makeScene();
  const session = await signIn(scene);
  const write = writeIn(await call(scene));
  expect(write).toEqual({
    id: write.id,
    conversationId: "c-1",
    tool: "cancel_order",
    state: "proposed",
    version: 1,
    seq: 1,
    message: "It waits for the customer's decision. Nothing has changed.",
    result: null,
    changedByCustomer: [],
    undelivered: null,
    createdAt: "2026-11-30T00:00:00.000Z",
    expiresAt: "2026-11-30T00:15:00.000Z",
    decidedAt: null,
    settledAt: null,
  });
  expect(scene.calls).toEqual([]);

  const page = await scene.engine.customer.card(session);
  if ("refused" in page || !page.card) throw new Error("no card");
  const { version, digest } = page.card;
  const confirmed = await scene.engine.customer.confirm({ session, writeId: write.id, version, digest });
  if ("refused" in confirmed) throw new Error(confirmed.refused);
  expect(confirmed.card.state).toBe("applied");
  expect(confirmed.card.receipt).toEqual({
    outcome: "applied",
    title: "Order cancelled",
    message: null,
    fields: [{ label: "Status", display: "cancelled" }],
    settledAt: "2026-11-30T00:00:00.000Z",
    reference: write.id,
    undo: null,
  });
  expect(scene.calls.map(({ args }) => args)).toEqual([cancelA1042]);
});
