import { expect, test } from "vitest";
import { rejected, stepUpRequired } from "../tool/outcome.ts";
import {
  call,
  cancelA1042,
  confirm,
  granted,
  later,
  makeScene,
  proposed,
  signIn,
  writeIn,
} from "./fixtures.ts";

const other = { orderId: "A-2", reason: "late" } as const;
const key = { idempotencyKey: "k-1" };
const found = { kind: "result", tool: "find_order", result: { total: 2400 }, replayed: false };

test("FLOW-23 the same call under the same key gives the same write, as it stands now", async () => {
  const scene = makeScene();
  const session = await signIn(scene);
  const { id } = writeIn(await call(scene, "cancel_order", cancelA1042, key));
  const { card } = granted(await scene.engine.customer.card(session));
  if (!card) throw new Error("no card");
  granted(await confirm(scene, session, card));
  expect(await call(scene, "cancel_order", { reason: "late", orderId: "A-1042" }, key)).toMatchObject({
    kind: "write",
    created: false,
    replayed: true,
    write: { id, state: "applied" },
  });
  expect(scene.calls.length).toBe(1);
});

test("FLOW-23 another call under the same key is refused", async () => {
  const { scene } = await proposed();
  writeIn(await call(scene, "cancel_order", cancelA1042, key));
  const reused = { refused: "idempotency_key_reused" };
  expect(await call(scene, "cancel_order", other, key)).toEqual(reused);
  expect(await call(scene, "find_order", { orderId: "A-1042" }, key)).toEqual(reused);
  expect(await call(scene, "cancel_order", { ...cancelA1042, note: "x" }, key)).toEqual(reused);
});

test("FLOW-23 a key that met the write that already waited never leads to a second one", async () => {
  const { scene, session, card } = await proposed();
  expect(writeIn(await call(scene, "cancel_order", cancelA1042, key)).id).toBe(card.writeId);
  granted(await confirm(scene, session, card));
  expect(await call(scene, "cancel_order", cancelA1042, key)).toMatchObject({
    replayed: true,
    write: { id: card.writeId, state: "applied" },
  });
  expect(granted(await scene.engine.operator.list({})).writes.length).toBe(1);
});

test("FLOW-23 parallel calls under one key make one write, with and without confirmation", async () => {
  for (const tool of ["cancel_order", "add_note"]) {
    const scene = makeScene();
    await signIn(scene);
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(scene, tool, cancelA1042, key)));
    expect(new Set(answers.map((answer) => writeIn(answer).id)).size).toBe(1);
    expect(scene.calls.length).toBe(tool === "add_note" ? 1 : 0);
  }
});

test("FLOW-24 a key belongs to one agent in one conversation", async () => {
  const scene = makeScene();
  await signIn(scene);
  await signIn(scene, "cus_ana", "c-2");
  const first = writeIn(await call(scene, "cancel_order", cancelA1042, key));
  const second = writeIn(await call(scene, "cancel_order", other, { ...key, conversationId: "c-2" }));
  expect(second.id).not.toBe(first.id);
  const foreign = await scene.engine.agent.call({
    agent: "other",
    conversationId: "c-1",
    tool: "cancel_order",
    arguments: cancelA1042,
    ...key,
  });
  expect(foreign).toMatchObject({ refused: "write_in_progress" });
});

test("FLOW-24 a refusal does not use a key up", async () => {
  const { scene, card } = await proposed();
  expect(await call(scene, "cancel_order", { orderId: 7 }, key)).toMatchObject({
    refused: "invalid_arguments",
  });
  expect(await call(scene, "cancel_order", other, key)).toMatchObject({ refused: "write_in_progress" });
  granted(await scene.engine.agent.withdraw({ agent: "bot", writeId: card.writeId }));
  expect(await call(scene, "cancel_order", { ...other, note: "x" }, key)).toMatchObject({ created: true });
});

test("FLOW-24 a refused read does not use a key up either", async () => {
  const scene = makeScene();
  scene.read = () => {
    throw new Error("secret-in-message");
  };
  expect(await call(scene, "find_order", { orderId: "A-1" }, key)).toEqual({ refused: "tool_failed" });
  scene.read = () => rejected("There is no such order.");
  expect(await call(scene, "find_order", { orderId: "A-1" }, key)).toEqual({
    refused: "tool_failed",
    message: "There is no such order.",
  });
  scene.read = () => ({ total: "many" });
  expect(await call(scene, "find_order", { orderId: "A-1" }, key)).toEqual({ refused: "tool_failed" });
  scene.read = () => ({ total: 2400 });
  expect(await call(scene, "find_order", { orderId: "A-1" }, key)).toEqual(found);
});

test("FLOW-24 a key counts for a day, to the millisecond", async () => {
  const scene = makeScene();
  let reads = 0;
  scene.read = () => {
    reads += 1;
    return { total: 2400 };
  };
  const read = () => call(scene, "find_order", { orderId: "A-1" }, key);
  expect(await read()).toEqual(found);
  await scene.clock.advance(86_399_999);
  expect(await read()).toEqual({ ...found, replayed: true });
  await scene.clock.advance(1);
  expect([await read(), reads]).toEqual([found, 2]);
});

test("FLOW-25 a read that is still going on is said to be, and is made once", async () => {
  const scene = makeScene();
  const shop = later<unknown>();
  let reads = 0;
  scene.read = () => {
    reads += 1;
    return shop.promise;
  };
  const read = () => call(scene, "find_order", { orderId: "A-1" }, key);
  const first = read();
  await scene.clock.settle();
  expect(await read()).toEqual({ refused: "call_in_progress" });
  expect(await call(scene, "find_order", { orderId: "A-2" }, key)).toEqual({
    refused: "idempotency_key_reused",
  });
  shop.finish({ total: 2400 });
  expect([await first, await read(), reads]).toEqual([found, { ...found, replayed: true }, 1]);
});

test("FLOW-25 a read that takes too long is refused, and its key is free again", async () => {
  const scene = makeScene();
  scene.read = () => new Promise(() => {});
  const slow = call(scene, "find_order", { orderId: "A-1" }, key);
  await scene.clock.advance(15_000);
  expect(await slow).toEqual({ refused: "tool_timed_out" });
  scene.read = () => ({ total: 2400 });
  expect(await call(scene, "find_order", { orderId: "A-1" }, key)).toEqual(found);
});

test("FLOW-25 an answer is repeated to the customer it was made for only", async () => {
  const scene = makeScene();
  await signIn(scene);
  scene.read = ({ customer }) => ({ total: customer?.customerId === "cus_ana" ? 1 : 2 });
  const read = () => call(scene, "find_order", { orderId: "A-1" }, key);
  expect(await read()).toEqual({ ...found, result: { total: 1 } });
  await signIn(scene, "cus_ben");
  expect(await read()).toEqual({ ...found, result: { total: 2 } });
  await signIn(scene);
  expect(await read()).toEqual({ ...found, result: { total: 1 }, replayed: true });
});

test("FLOW-25 a former customer's write is repeated without what is theirs", async () => {
  const scene = makeScene();
  const session = await signIn(scene);
  writeIn(await call(scene, "cancel_order", cancelA1042, key));
  const { card } = granted(await scene.engine.customer.card(session));
  if (!card) throw new Error("no card");
  granted(await confirm(scene, session, card));
  await signIn(scene, "cus_ben");
  expect(await call(scene, "cancel_order", cancelA1042, key)).toMatchObject({
    replayed: true,
    write: { state: "applied", result: null },
  });
});

test.each([
  [
    { level: "high", maxAuthAgeSeconds: 300 },
    { level: "high", maxAuthAgeSeconds: 300 },
  ],
  [{ level: "standard" }, { level: "standard" }],
  [{ maxAuthAgeSeconds: 0 }, { level: "low", maxAuthAgeSeconds: 0 }],
  [{}, { level: "high" }],
] as const)("RUN-15 a read that asks for %j says so and is not repeated by itself", async (need, told) => {
  const scene = makeScene();
  let reads = 0;
  scene.read = () => {
    reads += 1;
    return stepUpRequired(need);
  };
  expect(await call(scene, "find_order", { orderId: "A-1" }, key)).toEqual({
    refused: "verification_required",
    ...told,
  });
  await signIn(scene);
  expect(reads).toBe(1);
});

test("FLOW-2 an unknown tool, and a write for nobody in particular, are refused", async () => {
  const scene = makeScene();
  expect(await call(scene, "drop_tables")).toEqual({ refused: "unknown_tool" });
  expect(await call(scene)).toEqual({ refused: "verification_required", level: "low" });
  expect(scene.calls).toEqual([]);
});

test("FLOW-25 one visitor's answer is not repeated to the next one in the same conversation", async () => {
  const scene = makeScene();
  let total = 2400;
  scene.read = () => ({ total });
  const read = () => call(scene, "find_order", { orderId: "A-1042" }, { idempotencyKey: "k-1" });
  expect(await read()).toEqual({
    kind: "result",
    tool: "find_order",
    result: { total: 2400 },
    replayed: false,
  });
  await signIn(scene);
  await scene.engine.host.customerSignedOut("c-1");
  total = 100;
  expect(await read()).toEqual({
    kind: "result",
    tool: "find_order",
    result: { total: 100 },
    replayed: false,
  });
});
