import { expect, test } from "vitest";
import { stepUpRequired } from "../tool/outcome.ts";
import { stepUpFromChallenge } from "../tool/step-up-challenge.ts";
import { call, cardOf, confirm, granted, makeScene, ran, type Scene, signIn, writeIn } from "./fixtures.ts";

const need = { level: "high", maxAuthAgeSeconds: 300 } as const;

/** The shop asks for a better sign-in on the first `times` calls, and cancels then. */
function askingFor(times: number): Scene["handler"] {
  return (_args, { attempt }) => (attempt <= times ? stepUpRequired(need) : { status: "cancelled" });
}

function verify(
  { engine, clock }: Scene,
  rest: { customerId?: string; level?: "low" | "standard" | "high"; authenticatedAt?: number } = {},
) {
  const verified = {
    conversationId: "c-1",
    customerId: "cus_ana",
    level: "high",
    authenticatedAt: clock.now(),
    ...rest,
  } as const;
  return engine.host.customerVerified(verified);
}

test("RUN-13 the write waits for a better sign-in, with nothing changed, and says what is needed", async () => {
  const { card, scene } = await ran(askingFor(1), {
    verifyUrl: ({ id }) => `https://shop.example/verify?write=${id}`,
  });
  expect({ state: card.state, stepUp: card.stepUp, receipt: card.receipt }).toEqual({
    state: "awaiting_verification",
    stepUp: {
      ...need,
      until: "2026-11-30T00:10:00.000Z",
      verifyUrl: `https://shop.example/verify?write=${card.writeId}`,
    },
    receipt: null,
  });
  expect(granted(await scene.engine.agent.read({ agent: "bot", writeId: card.writeId })).message).toBe(
    "The customer confirmed, and has to verify who they are first. Nothing has changed.",
  );
  expect(await call(scene, "cancel_order", { orderId: "A-2", reason: "late" })).toEqual({
    refused: "write_in_progress",
    writeId: card.writeId,
    state: "awaiting_verification",
  });
});

test("RUN-13 once the same customer has verified well enough it goes on: same arguments, same key, no second review", async () => {
  const { card, scene, session } = await ran(askingFor(1));
  expect(await verify(scene)).toEqual({ epoch: 1, superseded: [], rebound: [], resumed: [card.writeId] });
  await scene.clock.settle();
  expect((await cardOf(scene, session)).state).toBe("applied");
  const [first, second] = scene.calls;
  expect(second?.args).toEqual(first?.args);
  expect(
    scene.calls.map(({ context }) => [context.attempt, context.idempotencyKey, context.customer?.level]),
  ).toEqual([
    [1, first?.context.idempotencyKey, "standard"],
    [2, first?.context.idempotencyKey, "high"],
  ]);
});

test("ID-8 a sign-in that is too weak, too old, dated ahead or another's does not resume the write", async () => {
  const { card, scene, session } = await ran(askingFor(1));
  const asked = scene.clock.now();
  await scene.clock.advance(10_000);
  expect(await verify(scene, { level: "standard" })).toMatchObject({ resumed: [] });
  expect(await verify(scene, { authenticatedAt: asked - 290_001 })).toMatchObject({ resumed: [] });
  expect(await verify(scene, { authenticatedAt: scene.clock.now() + 60_001 })).toMatchObject({
    refused: "invalid_verification",
  });
  expect((await cardOf(scene, session)).state).toBe("awaiting_verification");
  expect(await verify(scene, { customerId: "cus_ben" })).toEqual({
    epoch: 2,
    superseded: [card.writeId],
    rebound: [],
    resumed: [],
  });
  await scene.clock.settle();
  expect(scene.calls.length).toBe(1);
});

test("RUN-14 nobody verifies in time: nothing was changed", async () => {
  const { card, scene, session } = await ran(askingFor(1));
  await scene.clock.advance(599_999);
  expect(await scene.engine.runDue()).toBe(0);
  await scene.clock.advance(1);
  expect(await verify(scene)).toMatchObject({ resumed: [] });
  expect(await scene.engine.runDue()).toBe(1);
  expect((await cardOf(scene, session)).receipt).toMatchObject({
    outcome: "not_applied",
    title: "Not done. Nothing was changed.",
  });
  expect(granted(await scene.engine.operator.read(card.writeId))).toMatchObject({
    state: "not_applied",
    needsAttention: false,
  });
  expect(scene.calls.length).toBe(1);
});

test("RUN-14 two better sign-ins may be asked for; a third request ends it with nothing changed", async () => {
  const { scene, session } = await ran(askingFor(3));
  const states: string[] = [];
  for (let round = 0; round < 2; round += 1) {
    await scene.clock.advance(1000);
    await verify(scene);
    await scene.clock.settle();
    states.push((await cardOf(scene, session)).state);
  }
  expect(states).toEqual(["awaiting_verification", "not_applied"]);
  expect(scene.calls.length).toBe(3);
  expect(new Set(scene.calls.map(({ context }) => context.idempotencyKey)).size).toBe(1);
});

test("FLOW-15 a write that waits for a sign-in can still be declined, and never runs again", async () => {
  const { card, scene, session } = await ran(askingFor(1));
  const declined = granted(
    await scene.engine.customer.decline({ session, writeId: card.writeId, version: 1 }),
  );
  expect(declined.card.state).toBe("declined");
  expect(await verify(scene)).toMatchObject({ resumed: [] });
  expect(await confirm(scene, session, card)).toEqual({ refused: "already_decided", card: declined.card });
  expect(scene.calls.length).toBe(1);
});

test("RUN-13 a repeated confirm while a sign-in is awaited answers with the same card and runs nothing", async () => {
  const { card, scene, session } = await ran(askingFor(1));
  expect(granted(await confirm(scene, session, card)).card).toEqual(card);
  expect(scene.calls.length).toBe(1);
});

test("ID-1 a visitor whose write waits for a sign-in verifies for the first time: they look at it afresh", async () => {
  const scene = makeScene({ tool: { customer: "any" } });
  const session = await scene.engine.host.startSession({ conversationId: "c-1" });
  const { id } = writeIn(await call(scene));
  await scene.clock.advance(899_000);
  scene.handler = askingFor(1);
  granted(await confirm(scene, session, await cardOf(scene, session)));
  await scene.clock.advance(60_000);
  expect(await verify(scene)).toEqual({ epoch: 1, superseded: [], rebound: [id], resumed: [] });
  const own = await scene.engine.host.startSession({ conversationId: "c-1" });
  const card = await cardOf(scene, own);
  expect({ state: card.state, version: card.version }).toEqual({ state: "proposed", version: 2 });
  scene.handler = () => ({ status: "cancelled" });
  expect(granted(await confirm(scene, own, card)).card.state).toBe("applied");
  expect(new Set(scene.calls.map(({ context }) => context.idempotencyKey)).size).toBe(1);
  // The second look starts a second attempt, not another first one.
  expect(scene.calls.map(({ context }) => context.attempt)).toEqual([1, 2]);
});

test("RUN-13 a provider's challenge becomes the step-up it asks for", async () => {
  const header = 'Bearer error="insufficient_user_authentication", acr_values="high", max_age="300"';
  const { card } = await ran(() => stepUpFromChallenge(header) ?? { status: "cancelled" });
  expect(card.stepUp).toMatchObject(need);
});

test("RUN-13 a tool without confirmation can wait for a sign-in too", async () => {
  const scene = makeScene();
  const session = await signIn(scene);
  scene.handler = askingFor(1);
  expect(writeIn(await call(scene, "add_note")).state).toBe("awaiting_verification");
  await verify(scene);
  await scene.clock.settle();
  expect((await cardOf(scene, session)).state).toBe("applied");
});

test("FLOW-22 a write that waited for a sign-in while its tool changed never runs", async () => {
  const { card, scene } = await ran(askingFor(1));
  const next = makeScene({ store: scene.store, clock: scene.clock, tool: { version: "2" } });
  expect(granted(await verify(next))).toMatchObject({ superseded: [card.writeId], resumed: [] });
  expect(next.calls).toEqual([]);
  expect(await next.engine.operator.read(card.writeId)).toMatchObject({
    state: "superseded",
    reason: "tool_changed",
  });
});
