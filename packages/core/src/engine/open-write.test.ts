import { expect, test } from "vitest";
import { pending } from "../tool/outcome.ts";
import {
  call,
  cancelA1042,
  cardOf,
  confirm,
  granted,
  later,
  makeScene,
  proposed,
  ran,
  signIn,
  writeIn,
} from "./fixtures.ts";

const other = { orderId: "A-2", reason: "late" } as const;

const fail = (): never => {
  throw new Error("lost");
};

test("FLOW-3 of two parallel proposals one wins, and the other is told which write is in the way", async () => {
  for (let round = 0; round < 200; round += 1) {
    const scene = makeScene();
    await signIn(scene);
    const answers = await Promise.all([call(scene), call(scene, "cancel_order", other)]);
    const [winner, ...more] = answers.filter((answer) => !("refused" in answer));
    const { id } = writeIn(winner ?? { refused: "not_found" });
    expect(more).toEqual([]);
    expect(answers.filter((answer) => "refused" in answer)).toEqual([
      { refused: "write_in_progress", writeId: id, state: "proposed" },
    ]);
  }
});

test("FLOW-3 of fifty parallel proposals one wins", async () => {
  const scene = makeScene({ limits: { proposalsPerMinute: 0 } });
  await signIn(scene);
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => call(scene, "cancel_order", { ...other, orderId: `A-${n}` })),
  );
  expect(answers.filter((answer) => !("refused" in answer)).length).toBe(1);
  expect(granted(await scene.engine.operator.list({})).writes.length).toBe(1);
});

test("FLOW-4 reads and other conversations go on while a write is open", async () => {
  const { scene } = await proposed();
  expect(await call(scene, "find_order", { orderId: "A-1042" })).toEqual({
    kind: "result",
    tool: "find_order",
    result: { total: 2400 },
    replayed: false,
  });
  await signIn(scene, "cus_ana", "c-2");
  expect(writeIn(await call(scene, "cancel_order", cancelA1042, { conversationId: "c-2" })).state).toBe(
    "proposed",
  );
});

test("FLOW-5 a running and an unknown write block the next; once resolved it is free again", async () => {
  const { scene, session, card } = await proposed();
  const shop = later<unknown>();
  scene.handler = () => shop.promise;
  const answer = confirm(scene, session, card);
  await scene.clock.settle();
  const inTheWay = (state: string) => ({ refused: "write_in_progress", writeId: card.writeId, state });
  expect(await call(scene, "cancel_order", other)).toEqual(inTheWay("running"));
  expect(await call(scene)).toEqual(inTheWay("running"));
  await scene.clock.advance(15_000);
  await answer;
  expect(await call(scene, "cancel_order", other)).toEqual(inTheWay("unknown"));
  expect(await call(scene, "add_note", other)).toEqual(inTheWay("unknown"));
  const { writeId } = card;
  granted(
    await scene.engine.operator.resolve({
      writeId,
      outcome: "not_applied",
      note: "Looked it up.",
      operator: "Ben",
    }),
  );
  expect(writeIn(await call(scene, "cancel_order", other)).state).toBe("proposed");
});

test("FLOW-5 a pending write does not block the next", async () => {
  const { scene, session, card } = await ran(() => pending("op-1"));
  const next = writeIn(await call(scene, "cancel_order", other));
  expect(next.state).toBe("proposed");
  const page = granted(await scene.engine.customer.card(session));
  expect({ shown: page.card?.writeId, others: page.others }).toEqual({
    shown: next.id,
    others: [{ writeId: card.writeId, receipt: card.receipt }],
  });
});

test("FLOW-5 a pending write blocks the next where its tool says so, until it is settled", async () => {
  const { scene, card } = await ran(() => pending("op-1"), { tool: { whilePending: "block" } });
  const { writeId } = card;
  expect(await call(scene, "cancel_order", other)).toEqual({
    refused: "write_in_progress",
    writeId,
    state: "pending",
  });
  granted(
    await scene.engine.operator.resolve({ writeId, outcome: "applied", note: "Arrived.", operator: "Ben" }),
  );
  expect(writeIn(await call(scene, "cancel_order", other)).state).toBe("proposed");
});

test("FLOW-7 an overdue proposal is expired by the one that meets it", async () => {
  const { scene, card } = await proposed();
  await scene.clock.advance(899_999);
  expect(await call(scene, "cancel_order", other)).toEqual({
    refused: "write_in_progress",
    writeId: card.writeId,
    state: "proposed",
  });
  await scene.clock.advance(1);
  const next = writeIn(await call(scene, "cancel_order", other));
  expect(next).toMatchObject({ state: "proposed", seq: 1 });
  expect(granted(await scene.engine.agent.read({ agent: "bot", writeId: card.writeId })).state).toBe(
    "expired",
  );
});

test("FLOW-7 the very same proposal after the expiry is a new write", async () => {
  const { scene, card } = await proposed();
  await scene.clock.advance(900_000);
  expect(writeIn(await call(scene)).id).not.toBe(card.writeId);
});

test("FLOW-8 proposing again what already waits gives the same write", async () => {
  const { scene, card } = await proposed();
  const again = await call(scene, "cancel_order", { reason: "late", orderId: "A-1042" });
  expect(again).toMatchObject({
    kind: "write",
    created: false,
    replayed: false,
    write: { id: card.writeId, seq: 1 },
  });
  expect(granted(await scene.engine.operator.list({})).writes.length).toBe(1);
});

test("FLOW-8 another agent's same proposal is refused like any other", async () => {
  const { scene, card } = await proposed();
  const answer = await scene.engine.agent.call({
    agent: "other",
    conversationId: "c-1",
    tool: "cancel_order",
    arguments: cancelA1042,
  });
  expect(answer).toEqual({ refused: "write_in_progress", writeId: card.writeId, state: "proposed" });
});

test("FLOW-9 the same proposal right after a decline is refused for a minute, another one is not", async () => {
  const { scene, session, card } = await proposed();
  const { writeId } = card;
  await scene.clock.advance(30_000);
  granted(await scene.engine.customer.decline({ session, writeId, version: 1 }));
  expect(await call(scene)).toEqual({ refused: "recently_declined", writeId, retryAfterSeconds: 60 });
  await scene.clock.advance(59_001);
  expect(await call(scene)).toEqual({ refused: "recently_declined", writeId, retryAfterSeconds: 1 });
  const different = writeIn(await call(scene, "cancel_order", other));
  granted(await scene.engine.agent.withdraw({ agent: "bot", writeId: different.id }));
  await scene.clock.advance(998);
  expect(await call(scene)).toEqual({ refused: "recently_declined", writeId, retryAfterSeconds: 1 });
  await scene.clock.advance(1);
  expect(writeIn(await call(scene)).state).toBe("proposed");
});

test("FLOW-9 another customer's decline does not count", async () => {
  const { scene, session, card } = await proposed();
  granted(await scene.engine.customer.decline({ session, writeId: card.writeId, version: 1 }));
  await signIn(scene, "cus_ben");
  expect(writeIn(await call(scene)).state).toBe("proposed");
});

test("FLOW-10 a flood of proposals is refused with the time to wait, per conversation", async () => {
  const scene = makeScene({ limits: { proposalsPerMinute: 3 } });
  await signIn(scene);
  await signIn(scene, "cus_ana", "c-2");
  for (let n = 0; n < 3; n += 1) {
    const { id } = writeIn(await call(scene, "cancel_order", { ...other, orderId: `A-${n}` }));
    granted(await scene.engine.agent.withdraw({ agent: "bot", writeId: id }));
    await scene.clock.advance(1000);
  }
  expect(await call(scene)).toEqual({ refused: "rate_limited", retryAfterSeconds: 57 });
  expect(writeIn(await call(scene, "cancel_order", cancelA1042, { conversationId: "c-2" })).state).toBe(
    "proposed",
  );
  await scene.clock.advance(56_999);
  expect(await call(scene)).toEqual({ refused: "rate_limited", retryAfterSeconds: 1 });
  await scene.clock.advance(1);
  expect(writeIn(await call(scene)).state).toBe("proposed");
});

test("FLOW-10 a limit of zero is no limit", async () => {
  const { scene, session, card } = await proposed({
    limits: { proposalsPerMinute: 0, repeatAfterDeclineSeconds: 0 },
  });
  let { writeId } = card;
  for (let n = 0; n < 40; n += 1) {
    granted(await scene.engine.customer.decline({ session, writeId, version: 1 }));
    writeId = writeIn(await call(scene)).id;
  }
  expect((await cardOf(scene, session)).state).toBe("proposed");
});

test("RUN-11 a tool without confirmation runs at once, with a key and a recorded outcome", async () => {
  const scene = makeScene();
  const write = writeIn(await call(scene, "add_note"));
  expect(write).toMatchObject({ state: "applied", result: { status: "cancelled" }, decidedAt: null, seq: 3 });
  expect(scene.calls.map(({ context }) => context.attempt)).toEqual([1]);
  expect(scene.calls[0]?.context.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
});

test("RUN-11 it obeys the one-write rule, and can become unknown and block too", async () => {
  const { scene, card } = await proposed();
  expect(await call(scene, "add_note")).toEqual({
    refused: "write_in_progress",
    writeId: card.writeId,
    state: "proposed",
  });
  expect(scene.calls).toEqual([]);
  granted(await scene.engine.agent.withdraw({ agent: "bot", writeId: card.writeId }));
  scene.handler = fail;
  const note = writeIn(await call(scene, "add_note"));
  expect(note.state).toBe("unknown");
  expect(await call(scene, "add_note", other)).toEqual({
    refused: "write_in_progress",
    writeId: note.id,
    state: "unknown",
  });
});

test("RUN-10 where writes do not run, a confirm ends as not applied and names the mode", async () => {
  for (const mode of ["hosted", "eval"] as const) {
    const { scene, session, card } = await proposed({ mode });
    const message = `This system runs in "${mode}" mode: writes are recorded and never run.`;
    const confirmed = granted(await confirm(scene, session, card));
    expect(confirmed.card.receipt).toMatchObject({ outcome: "not_applied", message });
    expect(granted(await confirm(scene, session, card))).toEqual(confirmed);
    const note = writeIn(await call(scene, "add_note"));
    expect({ state: note.state, message: note.message }).toEqual({
      state: "not_applied",
      message: `Not done. Nothing was changed. ${message}`,
    });
    expect(scene.calls).toEqual([]);
    expect(await call(scene, "find_order", { orderId: "A-1042" })).toMatchObject({ kind: "result" });
  }
});

test("ID-7 what waits for a former customer is out of the way, although whoever changed the customer was cut off", async () => {
  const { scene, card } = await proposed();
  const { conversation } = await scene.store.readConversation("c-1");
  if (!conversation) throw new Error("there is no conversation");
  const customerRef = await scene.store.customerRefOf("cus_ben", "cu_ben");
  await scene.store.append({
    guards: [],
    conversations: [{ ...conversation, epoch: conversation.epoch + 1, customerRef }],
    writes: [],
    key: null,
    deliveries: [],
    now: scene.clock.now(),
  });
  const next = writeIn(await call(scene, "cancel_order", { orderId: "B-1", reason: "late" }));
  expect(next.state).toBe("proposed");
  expect(await scene.engine.operator.read(card.writeId)).toMatchObject({
    state: "superseded",
    reason: "customer_changed",
  });
});
