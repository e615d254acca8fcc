import { expect, test } from "vitest";
import { memoryStore } from "../memory/store.ts";
import { applied, pending, rejected } from "../tool/outcome.ts";
import {
  call,
  cardOf,
  confirm,
  granted,
  later,
  makeScene,
  proposed,
  ran,
  type Scene,
  signIn,
  writeIn,
} from "./fixtures.ts";

const fail = (): never => {
  throw new Error("lost");
};

async function known({ engine }: Scene, writeId: string) {
  const { state, checks, nextCheckAt, needsAttention, operationRef } = granted(
    await engine.operator.read(writeId),
  );
  return { state, checks, nextCheckAt, needsAttention, operationRef };
}

/** Moves the clock to the next check that is due and does it. */
async function nextCheck(scene: Scene, writeId: string): Promise<number> {
  const { nextCheckAt } = await known(scene, writeId);
  if (nextCheckAt === null) throw new Error("no check is planned");
  await scene.clock.set(Date.parse(nextCheckAt) - 1);
  expect(await scene.engine.runDue()).toBe(0);
  await scene.clock.advance(1);
  expect(await scene.engine.runDue()).toBe(1);
  return Date.parse(nextCheckAt);
}

test("RUN-7 an unknown write is checked eight times at growing gaps, and then a person is called for", async () => {
  const { scene, card } = await ran(fail);
  const asked: { readonly key: string; readonly ref: string | undefined }[] = [];
  scene.status = ({ operationRef }, { idempotencyKey }) => {
    asked.push({ key: idempotencyKey, ref: operationRef });
    return fail();
  };
  const times = [scene.clock.now()];
  for (let check = 0; check < 8; check += 1) {
    expect(await known(scene, card.writeId)).toMatchObject({
      state: "unknown",
      checks: check,
      needsAttention: false,
    });
    times.push(await nextCheck(scene, card.writeId));
  }
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(gaps).toEqual([...gaps].sort((a, b) => a - b));
  expect(new Set(gaps).size).toBe(8);
  expect(await known(scene, card.writeId)).toEqual({
    state: "unknown",
    checks: 8,
    nextCheckAt: null,
    needsAttention: true,
    operationRef: null,
  });
  await scene.clock.advance(7 * 86_400_000);
  expect(await scene.engine.runDue()).toBe(0);
  expect(asked).toEqual(
    Array.from({ length: 8 }, () => ({ key: scene.calls[0]?.context.idempotencyKey, ref: undefined })),
  );
  expect(scene.calls.length).toBe(1);
  expect(granted(await scene.engine.operator.list({ attention: true })).writes.map(({ id }) => id)).toEqual([
    card.writeId,
  ]);
});

test.each([
  ["applied", applied({ status: "cancelled" }), { state: "applied", operationRef: null }],
  ["rejected", rejected("It has shipped."), { state: "not_applied", operationRef: null }],
  ["pending, with another reference", pending("op-2"), { state: "pending", operationRef: "op-2", checks: 1 }],
])("RUN-7 a check that answers %s settles the write", async (_name, answer, expected) => {
  const { scene, card } = await ran(() => pending("op-1"));
  const refs: unknown[] = [];
  scene.status = ({ operationRef }) => {
    refs.push(operationRef);
    return answer;
  };
  await nextCheck(scene, card.writeId);
  expect(await known(scene, card.writeId)).toMatchObject(expected);
  expect([refs, scene.calls.length]).toEqual([["op-1"], 1]);
});

test.each([
  ["nothing", undefined],
  ["a text", "applied"],
  ["a bare value", { status: "cancelled" }],
  ["a look-alike", { outcome: "applied", value: 1 }],
])("RUN-8 a check that answers %s leaves the write as it is", async (_name, answer) => {
  const { scene, card } = await ran(() => pending("op-1"));
  scene.status = () => answer;
  await nextCheck(scene, card.writeId);
  expect(await known(scene, card.writeId)).toMatchObject({
    state: "pending",
    checks: 1,
    operationRef: "op-1",
    needsAttention: false,
  });
});

test("RUN-7 eight checks are for both states together", async () => {
  const { scene, card } = await ran(fail);
  let check = 0;
  scene.status = () => {
    check += 1;
    return check % 2 === 1 ? fail() : pending(`op-${check}`);
  };
  const times = [scene.clock.now()];
  for (let n = 0; n < 8; n += 1) times.push(await nextCheck(scene, card.writeId));
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(gaps).toEqual([...new Set(gaps)].sort((a, b) => a - b));
  expect(await known(scene, card.writeId)).toEqual({
    state: "pending",
    checks: 8,
    nextCheckAt: null,
    needsAttention: true,
    operationRef: "op-8",
  });
});

test("RUN-7 a check that is still going on is not joined by a second one, in this process or another", async () => {
  const store = memoryStore();
  const { scene, card } = await ran(fail, { store });
  const shop = later<unknown>();
  let asked = 0;
  scene.status = () => {
    asked += 1;
    return shop.promise;
  };
  const second = makeScene({ store });
  second.status = scene.status;
  await scene.clock.advance(6000);
  await second.clock.set(scene.clock.now());
  const checking = scene.engine.runDue();
  await scene.clock.settle();
  expect([await scene.engine.runDue(), await second.engine.runDue(), asked]).toEqual([0, 0, 1]);
  shop.finish(applied({ status: "cancelled" }));
  expect(await checking).toBe(1);
  expect((await known(scene, card.writeId)).state).toBe("applied");
});

test("RUN-8 a check that takes too long counts as one that could not tell", async () => {
  const { scene, card } = await ran(fail);
  scene.status = () => new Promise(() => {});
  await scene.clock.advance(6000);
  const checking = scene.engine.runDue();
  await scene.clock.advance(15_000);
  await checking;
  expect(await known(scene, card.writeId)).toMatchObject({ state: "unknown", checks: 1 });
});

test("RUN-9 a tool without status handler has no checks: a person is called for at once", async () => {
  const { scene, card } = await ran(fail, { tool: { recovery: "operator", status: undefined } });
  expect(await known(scene, card.writeId)).toEqual({
    state: "unknown",
    checks: 0,
    nextCheckAt: null,
    needsAttention: true,
    operationRef: null,
  });
});

test.each(["applied", "not_applied"] as const)(
  "RUN-9 a person settles an unknown write as %s",
  async (outcome) => {
    const { scene, session, card } = await ran(fail);
    const { writeId } = card;
    const resolved = granted(
      await scene.engine.operator.resolve({ writeId, outcome, note: "Looked it up.", operator: "Ben" }),
    );
    expect(resolved).toMatchObject({
      state: outcome,
      result: null,
      needsAttention: false,
      nextCheckAt: null,
    });
    const shown = await cardOf(scene, session);
    expect(shown.receipt).toMatchObject({ outcome, message: null });
    expect(
      JSON.stringify([shown, granted(await scene.engine.agent.read({ agent: "bot", writeId }))]),
    ).not.toContain("Looked");
    expect(
      await scene.engine.operator.resolve({ writeId, outcome, note: "Again.", operator: "Ben" }),
    ).toEqual({ refused: "not_resolvable", state: outcome });
  },
);

test("RUN-9 a person can settle nothing that is not unknown or pending", async () => {
  const { scene, card } = await proposed();
  const resolve = (writeId: string) =>
    scene.engine.operator.resolve({ writeId, outcome: "applied", note: "Hm.", operator: "Ben" });
  expect(await resolve(card.writeId)).toEqual({ refused: "not_resolvable", state: "proposed" });
  expect(await resolve("wr_nobody")).toEqual({ refused: "not_found" });
});

test("RUN-6 a run that its process never finished is unknown from the end of its lease on, and asked about", async () => {
  const store = memoryStore();
  const { scene, session, card } = await proposed({ store, tool: { timeoutSeconds: 15 } });
  scene.handler = () => new Promise(() => {});
  // The first process is gone from here on: its clock stands still.
  confirm(scene, session, card).catch(() => {});
  await scene.clock.settle();
  const next = makeScene({ store });
  await next.clock.advance(44_999);
  expect(await next.engine.runDue()).toBe(0);
  await next.clock.advance(1);
  expect(await next.engine.runDue()).toBe(1);
  expect(await known(next, card.writeId)).toMatchObject({ state: "unknown", needsAttention: false });
  next.status = () => applied({ status: "cancelled" });
  await nextCheck(next, card.writeId);
  expect(await known(next, card.writeId)).toMatchObject({ state: "applied" });
  expect([scene.calls.length, next.calls.length]).toEqual([1, 0]);
});

test("FLOW-7 the worker expires what is overdue by itself", async () => {
  const { scene, session } = await proposed();
  scene.engine.start();
  await scene.clock.advance(899_999);
  expect((await cardOf(scene, session)).state).toBe("proposed");
  await scene.clock.advance(1000);
  expect((await cardOf(scene, session)).state).toBe("expired");
  await scene.engine.stop();
});

test("RUN-1 ten thousand writes have ten thousand keys, also for equal arguments", async () => {
  const scene = makeScene({ limits: { proposalsPerMinute: 0, repeatAfterDeclineSeconds: 0 } });
  for (let n = 0; n < 10_000; n += 1)
    await call(scene, "add_note", { orderId: "A-1", reason: "late" }, { conversationId: `c-${n}` });
  expect(new Set(scene.calls.map(({ context }) => context.idempotencyKey)).size).toBe(10_000);
}, 60_000);

test("RUN-1 a read has no key", async () => {
  const scene = makeScene();
  const contexts: object[] = [];
  scene.read = (context) => {
    contexts.push(context);
    return { total: 1 };
  };
  await signIn(scene);
  await call(scene, "find_order", { orderId: "A-1" }, { idempotencyKey: "k-1" });
  expect(contexts.map((context) => Object.keys(context).sort())).toEqual([
    ["conversationId", "customer", "secrets", "signal"],
  ]);
});

test("RUN-1 a client's own key is not the write's", async () => {
  const scene = makeScene();
  writeIn(
    await call(scene, "add_note", { orderId: "A-1", reason: "late" }, { idempotencyKey: "client-key" }),
  );
  expect(scene.calls[0]?.context.idempotencyKey).not.toBe("client-key");
});

test("RUN-7 a check that a killed worker had taken is made by another as soon as its hold is over", async () => {
  const store = memoryStore();
  const killed = makeScene({ store });
  killed.handler = fail;
  const session = await signIn(killed);
  const { id } = writeIn(await call(killed));
  granted(await confirm(killed, session, await cardOf(killed, session)));
  const { nextCheckAt } = await known(killed, id);
  const due = Date.parse(nextCheckAt ?? "");
  await killed.clock.set(due);
  // Its clock stands still from here on, as that of a killed process does.
  killed.status = () => new Promise(() => {});
  const never = killed.engine.runDue();
  await killed.clock.settle();

  const other = makeScene({ store });
  other.status = () => applied({ status: "cancelled" });
  await other.clock.set(due + 45_000 - 1);
  expect(await other.engine.runDue()).toBe(0);
  await other.clock.advance(1);
  expect(await other.engine.runDue()).toBe(1);
  expect((await known(other, id)).state).toBe("applied");
  expect(never).toBeInstanceOf(Promise);
});
