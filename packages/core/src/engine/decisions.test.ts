import { expect, test } from "vitest";
import { rejected } from "../tool/outcome.ts";
import {
  call,
  cancelA1042,
  cardOf,
  confirm,
  granted,
  later,
  proposed,
  ran,
  signIn,
  writeIn,
} from "./fixtures.ts";

test("FLOW-12 a hundred confirms at once call the handler once and are all told the same", async () => {
  const { scene, session, card } = await proposed();
  scene.handler = async () => {
    await Promise.resolve();
    return { status: "cancelled" };
  };
  const answers = await Promise.all(Array.from({ length: 100 }, () => confirm(scene, session, card)));
  const [first] = answers;
  expect(granted(first ?? {})).toMatchObject({ card: { state: "applied", seq: 4 } });
  expect(answers).toEqual(answers.map(() => first));
  expect(scene.calls.length).toBe(1);
});

test("FLOW-13 a confirm of another version, or with another digest, is refused with the card as it stands", async () => {
  const { scene, session, card } = await proposed();
  const others = [
    { ...card, version: 2 },
    { ...card, version: 0 },
    { ...card, digest: "0".repeat(64) },
    { ...card, digest: "" },
  ];
  for (const other of others) {
    expect(await confirm(scene, session, other)).toEqual({ refused: "stale_version", card });
  }
  expect(scene.calls).toEqual([]);
});

test("FLOW-6 a confirm in the last millisecond runs", async () => {
  const { scene, session, card } = await proposed();
  await scene.clock.advance(899_999);
  expect(granted(await confirm(scene, session, card)).card.state).toBe("applied");
});

test("FLOW-6 from the expiry on every command is told that it expired, with the expired card", async () => {
  const { scene, session, card } = await proposed({ tool: { extend: { seconds: 60, times: 1 } } });
  await scene.clock.advance(900_000);
  const { writeId, version, digest } = card;
  const { customer } = scene.engine;
  const expired = { refused: "expired", card: { ...card, state: "expired", seq: 2, canExtend: false } };
  expect(await customer.edit({ session, writeId, version, values: { "/reason": "other" } })).toEqual(expired);
  expect(await customer.confirm({ session, writeId, version, digest })).toEqual(expired);
  expect(await customer.decline({ session, writeId, version })).toEqual(expired);
  expect(await customer.extend({ session, writeId, version })).toEqual(expired);
  expect(scene.calls).toEqual([]);
});

test("FLOW-14 repeating the confirm gives the original receipt, also after the expiry", async () => {
  const { scene, session, card } = await proposed();
  const first = granted(await confirm(scene, session, card));
  const again = granted(await confirm(scene, session, card));
  await scene.clock.advance(3_000_000);
  const long = granted(await confirm(scene, session, card));
  expect([again, long]).toEqual([first, first]);
  expect(scene.calls.length).toBe(1);
});

test("FLOW-14 repeating the confirm of a write that was not applied runs nothing", async () => {
  const { scene, session, card } = await ran(() => rejected("It has shipped."));
  expect(granted(await confirm(scene, session, { ...card, version: 1 })).card).toEqual(card);
  expect(scene.calls.length).toBe(1);
});

test("FLOW-14 a different decision afterwards is refused with the truth", async () => {
  const { scene, session, card } = await ran(() => ({ status: "cancelled" }));
  const { writeId, version } = card;
  const { customer } = scene.engine;
  const decided = { refused: "already_decided", card };
  expect(await customer.decline({ session, writeId, version })).toEqual(decided);
  expect(await customer.confirm({ session, writeId, version: 2, digest: card.digest })).toEqual(decided);
  expect(await customer.edit({ session, writeId, version, values: { "/reason": "other" } })).toEqual(decided);
  expect(await customer.extend({ session, writeId, version })).toEqual(decided);
});

test("FLOW-15 a declined write never runs; declining again is the same, confirming is refused", async () => {
  const { scene, session, card } = await proposed();
  const { writeId, version } = card;
  const declined = granted(await scene.engine.customer.decline({ session, writeId, version }));
  expect(declined.card.receipt).toEqual({
    outcome: "declined",
    title: "You decided against it. Nothing was changed.",
    message: null,
    fields: expect.any(Array),
    settledAt: "2026-11-30T00:00:00.000Z",
    reference: writeId,
    undo: null,
  });
  expect(await scene.engine.customer.decline({ session, writeId, version })).toEqual(declined);
  expect(await confirm(scene, session, card)).toEqual({ refused: "already_decided", card: declined.card });
  expect(scene.calls).toEqual([]);
  const { state, message, decidedAt } = granted(await scene.engine.agent.read({ agent: "bot", writeId }));
  expect({ state, message, decidedAt }).toEqual({
    state: "declined",
    message: "The customer decided against it. Nothing was changed.",
    decidedAt: "2026-11-30T00:00:00.000Z",
  });
});

test("FLOW-15 a decline of an older version counts", async () => {
  const { scene, session, card } = await proposed();
  const { writeId } = card;
  granted(await scene.engine.customer.edit({ session, writeId, version: 1, values: { "/reason": "other" } }));
  expect(granted(await scene.engine.customer.decline({ session, writeId, version: 1 })).card.state).toBe(
    "declined",
  );
});

test("FLOW-11 a withdrawn write is refused as withdrawn, with the agent's reason", async () => {
  const { scene, session, card } = await proposed();
  const { writeId } = card;
  granted(await scene.engine.agent.withdraw({ agent: "bot", writeId, reason: "Wrong order." }));
  const withdrawn = {
    refused: "withdrawn",
    card: { ...card, state: "withdrawn", seq: 2, reason: "Wrong order." },
  };
  expect(await confirm(scene, session, card)).toEqual(withdrawn);
  expect(await scene.engine.customer.decline({ session, writeId, version: 1 })).toEqual(withdrawn);
  expect(scene.calls).toEqual([]);
});

test("FLOW-11 a withdrawal after a decision is refused; of a withdrawn one it is the same", async () => {
  const { scene, card } = await ran(() => ({ status: "cancelled" }));
  expect(await scene.engine.agent.withdraw({ agent: "bot", writeId: card.writeId })).toEqual({
    refused: "already_decided",
  });
  const next = writeIn(await call(scene, "cancel_order", { orderId: "A-2", reason: "late" }));
  const once = await scene.engine.agent.withdraw({ agent: "bot", writeId: next.id, reason: "half \ud83d" });
  expect(once).toMatchObject({ state: "withdrawn" });
  expect(await scene.engine.agent.withdraw({ agent: "bot", writeId: next.id })).toEqual(once);
});

test("FLOW-11 another agent's write does not exist", async () => {
  const { scene, card } = await proposed();
  const { writeId } = card;
  const { agent } = scene.engine;
  const unknown = { refused: "not_found" };
  expect(await agent.read({ agent: "other", writeId })).toEqual(unknown);
  expect(await agent.readWhen({ agent: "other", writeId, state: "proposed", waitMs: 1000 })).toEqual(unknown);
  expect(await agent.withdraw({ agent: "other", writeId })).toEqual(unknown);
  expect(await agent.read({ agent: "bot", writeId: "wr_nobody" })).toEqual(unknown);
});

test("ID-9 a write of another conversation is answered as if there were none", async () => {
  const { scene, card } = await proposed();
  const other = await signIn(scene, "cus_ana", "c-2");
  const { writeId, version, digest } = card;
  const { customer } = scene.engine;
  const unknown = { refused: "not_found" };
  expect(await customer.confirm({ session: other, writeId, version, digest })).toEqual(unknown);
  expect(await customer.decline({ session: other, writeId, version })).toEqual(unknown);
  expect(await customer.edit({ session: other, writeId, version, values: {} })).toEqual(unknown);
  expect(await customer.extend({ session: other, writeId, version })).toEqual(unknown);
  expect(await customer.confirm({ session: other, writeId: "wr_nobody", version, digest })).toEqual(unknown);
  expect(scene.calls).toEqual([]);
});

test("FLOW-21 more time is given as often as the tool allows", async () => {
  const { scene, session, card } = await proposed({ tool: { extend: { seconds: 900, times: 2 } } });
  const extend = () => scene.engine.customer.extend({ session, writeId: card.writeId, version: 1 });
  expect(card.canExtend).toBe(true);
  await scene.clock.advance(600_000);
  expect(granted(await extend()).card).toMatchObject({
    expiresAt: "2026-11-30T00:30:00.000Z",
    canExtend: true,
    version: 1,
    digest: card.digest,
  });
  expect(granted(await extend()).card).toMatchObject({ canExtend: false });
  expect(await extend()).toEqual({ refused: "not_extendable" });
  await scene.clock.advance(45 * 60_000 - 600_000 - 1);
  expect(granted(await confirm(scene, session, card)).card.state).toBe("applied");
});

test("FLOW-21 a tool that says nothing about it gives no more time", async () => {
  const { scene, session, card } = await proposed();
  expect(await scene.engine.customer.extend({ session, writeId: card.writeId, version: 1 })).toEqual({
    refused: "not_extendable",
  });
  expect(await scene.engine.customer.extend({ session, writeId: card.writeId, version: 9 })).toEqual({
    refused: "stale_version",
    card,
  });
});

test("FLOW-14 whoever asks while it runs waits for the same outcome", async () => {
  const { scene, session, card } = await proposed();
  const shop = later<unknown>();
  scene.handler = () => shop.promise;
  const answers = [confirm(scene, session, card)];
  await scene.clock.settle();
  answers.push(confirm(scene, session, card));
  const reading = scene.engine.agent.readWhen({
    agent: "bot",
    writeId: card.writeId,
    state: "running",
    waitMs: 5000,
  });
  await scene.clock.settle();
  shop.finish({ status: "cancelled" });
  const [one, two] = await Promise.all(answers);
  expect(one).toEqual(two);
  expect(await reading).toMatchObject({ state: "applied", result: { status: "cancelled" } });
  expect(scene.calls.map(({ args }) => args)).toEqual([cancelA1042]);
  expect((await cardOf(scene, session)).state).toBe("applied");
});
