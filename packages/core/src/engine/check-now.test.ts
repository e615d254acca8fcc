import { expect, test } from "vitest";
import { memoryStore } from "../memory/store.ts";
import { applied, pending, rejected } from "../tool/outcome.ts";
import { call, granted, later, makeScene, proposed, ran, type Scene, signIn, writeIn } from "./fixtures.ts";

const fail = (): never => {
  throw new Error("lost");
};

function check({ engine }: Scene, writeId: string) {
  return engine.operator.check({ writeId, operator: "Ben" });
}

/** What a check may change of a write, and what it may not. */
async function known({ engine }: Scene, writeId: string) {
  const { state, checks, nextCheckAt, needsAttention, operationRef } = granted(
    await engine.operator.read(writeId),
  );
  return { state, checks, nextCheckAt, needsAttention, operationRef };
}

async function lastEvent({ engine }: Scene, writeId: string) {
  const { events } = granted(await engine.operator.journal(writeId));
  const { type, by, body } = events.at(-1) ?? {};
  return { type, by, body };
}

test("OPS-1 a check that cannot tell is journaled, and is none of the automatic ones", async () => {
  const { scene, card } = await ran(fail);
  const before = await known(scene, card.writeId);
  const asked: unknown[] = [];
  scene.status = (_known, { idempotencyKey }) => {
    asked.push(idempotencyKey);
    return fail();
  };
  for (let n = 0; n < 20; n += 1) granted(await check(scene, card.writeId));
  expect(await known(scene, card.writeId)).toEqual(before);
  expect(before).toMatchObject({ state: "unknown", checks: 0, nextCheckAt: expect.any(String) });
  expect(new Set(asked)).toEqual(new Set([scene.calls[0]?.context.idempotencyKey]));
  expect(asked.length).toBe(20);
  expect(await lastEvent(scene, card.writeId)).toEqual({
    type: "checked",
    by: { kind: "operator", ref: "Ben" },
    body: { check: 0, answered: false, nextCheckAt: Date.parse(before.nextCheckAt ?? "") },
  });
  // The eight automatic ones are all still to come.
  await scene.clock.set(Date.parse(before.nextCheckAt ?? ""));
  expect(await scene.engine.runDue()).toBe(1);
  expect(await known(scene, card.writeId)).toMatchObject({ checks: 1 });
});

test.each([
  ["applied", applied({ status: "cancelled" }), "applied"],
  ["rejected", rejected("It has shipped."), "not_applied"],
] as const)(
  "OPS-1 a check that answers %s settles the write in the operator's name",
  async (_name, answer, state) => {
    const { scene, card } = await ran(fail);
    scene.status = () => answer;
    expect(granted(await check(scene, card.writeId))).toMatchObject({
      id: card.writeId,
      state,
      checks: 0,
      nextCheckAt: null,
      needsAttention: false,
    });
    expect(await lastEvent(scene, card.writeId)).toEqual({
      type: "settled",
      by: { kind: "operator", ref: "Ben" },
      body: { attempt: 1, outcome: state, reason: "operator_check", valueWithheld: false, nextCheckAt: null },
    });
    await scene.clock.advance(86_400_000);
    expect(await scene.engine.runDue()).toBe(0);
    expect(scene.calls.length).toBe(1);
  },
);

test("OPS-1 a check that answers pending keeps the plan and may name another reference", async () => {
  const { scene, card } = await ran(fail);
  const { nextCheckAt } = await known(scene, card.writeId);
  scene.status = () => pending("op-2");
  granted(await check(scene, card.writeId));
  expect(await known(scene, card.writeId)).toEqual({
    state: "pending",
    checks: 0,
    nextCheckAt,
    needsAttention: false,
    operationRef: "op-2",
  });
});

test("OPS-1 a write whose automatic checks are used up, or that never has any, can be checked all the same", async () => {
  const { scene, card } = await ran(fail);
  for (let n = 0; n < 8; n += 1) {
    await scene.clock.advance(4 * 3_600_000);
    await scene.engine.runDue();
  }
  expect(await known(scene, card.writeId)).toMatchObject({ checks: 8, nextCheckAt: null });
  scene.status = () => pending("op-1");
  granted(await check(scene, card.writeId));
  expect(await known(scene, card.writeId)).toMatchObject({
    state: "pending",
    checks: 8,
    nextCheckAt: null,
    needsAttention: true,
  });

  const other = await ran(fail, { tool: { recovery: "operator" } });
  other.scene.status = () => applied({ status: "cancelled" });
  expect(granted(await check(other.scene, other.card.writeId))).toMatchObject({ state: "applied" });
});

test("OPS-2 while a check goes on, automatic or not, in this process or another, a second one is refused", async () => {
  const store = memoryStore();
  const { scene, card } = await ran(fail, { store });
  const { writeId } = card;
  const shop = later<unknown>();
  let asked = 0;
  scene.status = () => {
    asked += 1;
    return shop.promise;
  };
  const second = makeScene({ store });
  second.status = scene.status;
  const busy = { refused: "check_in_progress", writeId };
  const checking = check(scene, writeId);
  await scene.clock.settle();
  await scene.clock.advance(6000);
  await second.clock.set(scene.clock.now());
  expect([await check(scene, writeId), await check(second, writeId)]).toEqual([busy, busy]);
  expect([await scene.engine.runDue(), await second.engine.runDue(), asked]).toEqual([0, 0, 1]);
  shop.finish(undefined);
  granted(await checking);

  // And the other way round: the automatic one is due now.
  const again = later<unknown>();
  scene.status = () => {
    asked += 1;
    return again.promise;
  };
  const due = scene.engine.runDue();
  await scene.clock.settle();
  expect([await check(scene, writeId), await check(second, writeId), asked]).toEqual([busy, busy, 2]);
  again.finish(applied({ status: "cancelled" }));
  expect(await due).toBe(1);
  expect(await check(second, writeId)).toEqual({ refused: "not_resolvable", state: "applied" });
});

test("OPS-2 of many checks at once the tool is asked by one", async () => {
  const { scene, card } = await ran(fail);
  let asked = 0;
  scene.status = () => {
    asked += 1;
    return applied({ status: "cancelled" });
  };
  const answers = await Promise.all(Array.from({ length: 20 }, () => check(scene, card.writeId)));
  expect(asked).toBe(1);
  expect(answers.filter((answer) => !("refused" in answer)).length).toBeGreaterThan(0);
});

test("OPS-2 a check that takes too long lets go of the write", async () => {
  const { scene, card } = await ran(fail);
  scene.status = () => new Promise(() => {});
  const checking = check(scene, card.writeId);
  await scene.clock.advance(15_000);
  expect(granted(await checking)).toMatchObject({ state: "unknown", checks: 0 });
  scene.status = () => applied({ status: "cancelled" });
  expect(granted(await check(scene, card.writeId))).toMatchObject({ state: "applied" });
});

test("OPS-2 a check lets go of the write also when its outcome could not be recorded", async () => {
  const store = memoryStore();
  let broken = false;
  const append: typeof store.append = async (one) => {
    if (broken) throw new Error("the disk is full");
    return store.append(one);
  };
  const { scene, card } = await ran(fail, { store: { ...store, append }, report: () => {} });
  broken = true;
  await expect(check(scene, card.writeId)).rejects.toThrow("the disk is full");
  broken = false;
  scene.status = () => applied({ status: "cancelled" });
  expect(granted(await check(scene, card.writeId))).toMatchObject({ state: "applied" });
});

test("OPS-3 only what is unknown or pending can be checked, and only where the tool can be asked", async () => {
  const { scene, card } = await proposed();
  expect(await check(scene, card.writeId)).toEqual({ refused: "not_resolvable", state: "proposed" });
  expect(await check(scene, "wr_nobody")).toEqual({ refused: "not_found" });
  const mute = makeScene({ tool: { recovery: "operator", status: undefined } });
  await signIn(mute);
  mute.handler = fail;
  const { id } = writeIn(await call(mute, "add_note"));
  expect(await check(mute, id)).toEqual({ refused: "not_checkable", tool: "add_note" });
});

test("OPS-3 what a check says after a person has settled the write otherwise is kept as evidence", async () => {
  const { scene, card } = await ran(fail);
  const { writeId } = card;
  const shop = later<unknown>();
  scene.status = () => shop.promise;
  const checking = check(scene, writeId);
  await scene.clock.settle();
  granted(
    await scene.engine.operator.resolve({ writeId, outcome: "not_applied", note: "Asked.", operator: "Ana" }),
  );
  shop.finish(applied({ status: "cancelled" }));
  expect(granted(await checking)).toMatchObject({ state: "not_applied", needsAttention: true });
  expect(await lastEvent(scene, writeId)).toEqual({
    type: "contradicted",
    by: { kind: "operator", ref: "Ben" },
    body: { attempt: 1, outcome: "applied" },
  });
});
