import { describe, expect, test } from "vitest";
import { memoryStore } from "../memory/store.ts";
import { applied, pending, rejected } from "../tool/outcome.ts";
import { call, cardOf, confirm, granted, later, proposed, ran, type Scene, writeIn } from "./fixtures.ts";

const fail = (): never => {
  throw new Error("secret-in-message");
};

const table: readonly [string, Scene["handler"], object, object][] = [
  [
    "a value is applied",
    () => ({ status: "cancelled" }),
    { state: "applied", result: { status: "cancelled" }, message: "Done." },
    { needsAttention: false, operationRef: null },
  ],
  [
    "a promised value is applied",
    async () => ({ status: "cancelled" }),
    { state: "applied", result: { status: "cancelled" }, message: "Done." },
    { needsAttention: false, operationRef: null },
  ],
  [
    "applied(value) is applied",
    () => applied({ status: "cancelled" }),
    { state: "applied", result: { status: "cancelled" }, message: "Done." },
    { needsAttention: false, operationRef: null },
  ],
  [
    "nothing is applied without a result",
    () => undefined,
    { state: "applied", result: null, message: "Done." },
    { needsAttention: false, operationRef: null },
  ],
  [
    "a value that does not fit is applied and kept back",
    () => ({ status: 7 }),
    { state: "applied", result: null, message: "Done." },
    { needsAttention: true, operationRef: null },
  ],
  [
    "applied() with a value that does not fit, too",
    () => applied({}),
    { state: "applied", result: null, message: "Done." },
    { needsAttention: true, operationRef: null },
  ],
  [
    "a rejection is not applied",
    () => rejected("It has shipped."),
    { state: "not_applied", result: null, message: "Not done. Nothing was changed. It has shipped." },
    { needsAttention: false, operationRef: null },
  ],
  [
    "half a character in a rejection costs nothing but itself",
    () => rejected("It has shipped \ud83d"),
    { state: "not_applied", result: null, message: "Not done. Nothing was changed. It has shipped \ufffd" },
    { needsAttention: false, operationRef: null },
  ],
  [
    "a reference is pending",
    () => pending("op-1", "With the carrier."),
    { state: "pending", result: null, message: "Accepted, and not finished yet. With the carrier." },
    { needsAttention: false, operationRef: "op-1" },
  ],
  [
    "a reference without message is pending",
    () => pending("op-1"),
    { state: "pending", result: null, message: "Accepted, and not finished yet." },
    { needsAttention: false, operationRef: "op-1" },
  ],
  [
    "a throw is unknown",
    fail,
    {
      state: "unknown",
      result: null,
      message: "It may or may not have gone through. This is being checked.",
    },
    { needsAttention: false, operationRef: null },
  ],
  [
    "a broken promise is unknown",
    async () => fail(),
    {
      state: "unknown",
      result: null,
      message: "It may or may not have gone through. This is being checked.",
    },
    { needsAttention: false, operationRef: null },
  ],
  [
    "a thrown rejection is unknown",
    () => {
      throw rejected("It has shipped.");
    },
    {
      state: "unknown",
      result: null,
      message: "It may or may not have gone through. This is being checked.",
    },
    { needsAttention: false, operationRef: null },
  ],
  [
    "a bad reference is unknown",
    () => pending("op\n1"),
    {
      state: "unknown",
      result: null,
      message: "It may or may not have gone through. This is being checked.",
    },
    { needsAttention: false, operationRef: null },
  ],
];

describe.each(table)("RUN-2 %s", (_name, handler, told, known) => {
  test("the agent, the customer and the operator are told the same outcome", async () => {
    const { scene, card } = await ran(handler);
    const { state, result, message } = granted(
      await scene.engine.agent.read({ agent: "bot", writeId: card.writeId }),
    );
    expect({ state, result, message }).toEqual(told);
    expect({ state: card.state, outcome: card.receipt?.outcome }).toEqual({ state, outcome: state });
    const { needsAttention, operationRef } = granted(await scene.engine.operator.read(card.writeId));
    expect({ needsAttention, operationRef }).toEqual(known);
    expect(scene.calls.length).toBe(1);
  });
});

test("RUN-2 a receipt of an unknown outcome neither says done nor failed, and repeats no word of the handler", async () => {
  const { card } = await ran(fail);
  expect(card.receipt).toEqual({
    outcome: "unknown",
    title: "It may or may not have gone through.",
    message: "This is being checked.",
    fields: [
      { label: "Order", display: "A-1042" },
      { label: "Reason", display: "Arrives too late" },
      { label: "Note", display: "—" },
    ],
    settledAt: null,
    reference: card.writeId,
    undo: null,
  });
});

test("RUN-4 at the time limit the signal is aborted and the outcome is unknown", async () => {
  const { scene, session, card } = await proposed({ tool: { timeoutSeconds: 7 } });
  const aborted: number[] = [];
  scene.handler = (_args, { signal }) => {
    signal.addEventListener("abort", () => aborted.push(scene.clock.now()));
    return new Promise(() => {});
  };
  const startedAt = scene.clock.now();
  const answer = confirm(scene, session, card);
  await scene.clock.advance(6999);
  expect(aborted).toEqual([]);
  expect((await cardOf(scene, session)).state).toBe("running");
  await scene.clock.advance(1);
  expect(aborted).toEqual([startedAt + 7000]);
  expect(granted(await answer).card.state).toBe("unknown");
});

test("RUN-24 a handler is not called any more when a slow store used its time up", async () => {
  const store = memoryStore();
  const slow = later<void>();
  let isSlow = false;
  const { scene, session, card } = await proposed({
    store: {
      ...store,
      async findCustomerId(ref) {
        if (isSlow) await slow.promise;
        return store.findCustomerId(ref);
      },
    },
  });
  isSlow = true;
  const confirming = confirm(scene, session, card, { waitMs: 60_000 });
  await scene.clock.advance(15_000);
  expect(granted(await confirming).card.state).toBe("not_applied");
  slow.finish();
  await scene.clock.settle();
  expect(scene.calls).toEqual([]);
});

test("RUN-4 a confirm that waits too long is answered with the run still going", async () => {
  const { scene, session, card } = await proposed();
  const shop = later<unknown>();
  scene.handler = () => shop.promise;
  const answer = confirm(scene, session, card);
  await scene.clock.advance(10_000);
  expect(granted(await answer).card.state).toBe("running");
  shop.finish({ status: "cancelled" });
  await scene.clock.settle();
  expect((await cardOf(scene, session)).state).toBe("applied");
});

/** A run that timed out, and how to let it answer after all. */
async function timedOut(): Promise<
  Awaited<ReturnType<typeof proposed>> & { readonly finish: (value: unknown) => void }
> {
  const set = await proposed();
  const shop = later<unknown>();
  set.scene.handler = () => shop.promise;
  const answer = confirm(set.scene, set.session, set.card);
  await set.scene.clock.advance(15_000);
  await answer;
  return { ...set, finish: shop.finish };
}

test.each([
  ["a value", { status: "cancelled" }, "applied"],
  ["a rejection", rejected("It has shipped."), "not_applied"],
  ["a reference", pending("op-1"), "pending"],
])("RUN-5 %s that comes late settles the write", async (_name, value, state) => {
  const { scene, session, finish } = await timedOut();
  expect((await cardOf(scene, session)).state).toBe("unknown");
  finish(value);
  await scene.clock.settle();
  expect((await cardOf(scene, session)).state).toBe(state);
  expect(scene.calls.length).toBe(1);
});

test("RUN-5 a late result that contradicts a person's word is recorded and flagged, and changes nothing else", async () => {
  const { scene, card, finish } = await timedOut();
  const { writeId } = card;
  await scene.engine.operator.resolve({
    writeId,
    outcome: "not_applied",
    note: "Looked it up.",
    operator: "Ben",
  });
  finish({ status: "cancelled" });
  await scene.clock.settle();
  const { state, needsAttention } = granted(await scene.engine.operator.read(writeId));
  expect({ state, needsAttention }).toEqual({ state: "not_applied", needsAttention: true });
  const { events } = granted(await scene.engine.operator.journal(writeId));
  expect(events.slice(-2).map(({ type, body }) => [type, body])).toEqual([
    ["resolved", { attempt: 1, outcome: "not_applied" }],
    ["contradicted", { attempt: 1, outcome: "applied" }],
  ]);
});

test("RUN-5 a late result that agrees with a person's word is no news", async () => {
  const { scene, card, finish } = await timedOut();
  const { writeId } = card;
  await scene.engine.operator.resolve({
    writeId,
    outcome: "applied",
    note: "Looked it up.",
    operator: "Ben",
  });
  finish({ status: "cancelled" });
  await scene.clock.settle();
  expect(granted(await scene.engine.operator.read(writeId))).toMatchObject({
    state: "applied",
    needsAttention: false,
  });
});

test("FLOW-17 the handler's arguments are frozen to their leaves", async () => {
  const attempts: unknown[] = [];
  const { card } = await ran((args) => {
    try {
      (args as { orderId: string }).orderId = "A-9";
    } catch (error) {
      attempts.push(error);
    }
    return { status: args.orderId };
  });
  expect(attempts).toEqual([expect.any(TypeError)]);
  expect(card.receipt?.fields).toEqual([{ label: "Status", display: "A-1042" }]);
});

test("FLOW-17 what a caller does to its arguments after the call changes nothing", async () => {
  const { scene, session, card } = await proposed();
  await scene.engine.customer.decline({ session, writeId: card.writeId, version: 1 });
  const args = { orderId: "A-7", reason: "late" };
  const answer = call(scene, "cancel_order", args);
  args.orderId = "A-666";
  writeIn(await answer);
  args.reason = "other";
  granted(await confirm(scene, session, await cardOf(scene, session)));
  expect(scene.calls.map((each) => each.args)).toEqual([{ orderId: "A-7", reason: "late" }]);
});

test("RUN-12 stopping waits for what runs", async () => {
  const { scene, session, card } = await proposed();
  const shop = later<unknown>();
  scene.handler = () => shop.promise;
  const answer = confirm(scene, session, card);
  await scene.clock.settle();
  let stopped = false;
  const stopping = scene.engine.stop().then(() => {
    stopped = true;
  });
  await scene.clock.settle();
  expect(stopped).toBe(false);
  shop.finish({ status: "cancelled" });
  await stopping;
  expect(granted(await answer).card.state).toBe("applied");
});

test("RUN-12 stopping does not wait longer than it was told to", async () => {
  const { scene, session, card } = await proposed();
  scene.handler = () => new Promise(() => {});
  const answer = confirm(scene, session, card, { waitMs: 1000 });
  await scene.clock.settle();
  const stopping = scene.engine.stop({ graceMs: 2000 });
  await scene.clock.advance(2000);
  await stopping;
  expect(granted(await answer).card.state).toBe("running");
});
