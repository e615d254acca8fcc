import { expect, test } from "vitest";
import { manualClock } from "../testing/manual-clock.ts";
import { rejected, stepUpRequired } from "../tool/outcome.ts";
import { cardOf, confirm, granted, later, makeScene, proposed, ran, type Scene } from "./fixtures.ts";

const tool = { recovery: "same_key", status: undefined };
const quiet = { report: () => {} };

/** The handler throws on its first `times` attempts. */
function failing(times: number, then: () => unknown = () => ({ status: "cancelled" })): Scene["handler"] {
  return (_args, { attempt }) => {
    if (attempt <= times) throw new Error("the line broke");
    return then();
  };
}

async function advance({ engine, clock }: Scene, ms: number): Promise<void> {
  await clock.advance(ms);
  await engine.runDue();
}

test("RUN-18 an unknown write runs again when it is due, with the same arguments and key, and settles", async () => {
  const { scene, session, card } = await ran(failing(1), { tool, ...quiet });
  expect(card).toMatchObject({ state: "unknown", nextCheckAt: expect.any(String) });
  await advance(scene, 4000);
  expect(scene.calls).toHaveLength(1);
  await advance(scene, 2000);
  expect(await cardOf(scene, session)).toMatchObject({ state: "applied", version: 1 });
  const [first, second] = scene.calls;
  expect(second?.args).toEqual(first?.args);
  expect(second?.context.idempotencyKey).toBe(first?.context.idempotencyKey);
  expect(scene.calls.map(({ context }) => context.attempt)).toEqual([1, 2]);
});

test("RUN-18 eight further runs at growing gaps, then a person is called for", async () => {
  const { scene, card } = await ran(failing(100), { tool, ...quiet });
  const times: number[] = [];
  scene.handler = () => {
    times.push(scene.clock.now());
    throw new Error("still broken");
  };
  const start = scene.clock.now();
  for (let minute = 0; minute < 6 * 60; minute += 1) await advance(scene, 60_000);
  expect(times).toHaveLength(8);
  const gaps = times.map((time, index) => time - (times[index - 1] ?? start));
  expect(gaps.every((gap, index) => index < 3 || gap > (gaps[index - 1] ?? 0))).toBe(true);
  expect(await scene.engine.operator.read(card.writeId)).toMatchObject({
    state: "unknown",
    nextCheckAt: null,
    attempts: 9,
    checks: 8,
    needsAttention: true,
  });
});

test("RUN-18 a run that nobody finishes is unknown first and runs again after that", async () => {
  const { scene, session, card } = await proposed({ tool, ...quiet });
  // The time limit is a timer of the process that runs it; another one sees the lease end.
  scene.handler = () => new Promise(() => {});
  const started = later<void>();
  const dying = makeScene({ store: scene.store, clock: manualClock(scene.clock.now()), tool, ...quiet });
  dying.handler = () => {
    started.finish();
    return new Promise(() => {});
  };
  void confirm(dying, session, card);
  await started.promise;
  await advance(scene, 45_000);
  expect((await cardOf(scene, session)).state).toBe("unknown");
  scene.handler = () => ({ status: "cancelled" });
  await advance(scene, 6000);
  expect((await cardOf(scene, session)).state).toBe("applied");
  expect(scene.calls.map(({ context }) => context.attempt)).toEqual([2]);
});

test("RUN-18 two workers run it once", async () => {
  const { scene } = await ran(failing(1), { tool, ...quiet });
  await scene.clock.advance(6000);
  await Promise.all([scene.engine.runDue(), scene.engine.runDue()]);
  expect(scene.calls.map(({ context }) => context.attempt)).toEqual([1, 2]);
});

test.each([
  ["an operator's", { recovery: "operator", status: undefined }],
  ["a status handler's", { recovery: "status" }],
])("RUN-18 a write whose recovery is %s is never run again", async (_whose, recovery) => {
  const { scene } = await ran(failing(100), { tool: recovery, ...quiet });
  for (let hour = 0; hour < 12; hour += 1) await advance(scene, 3_600_000);
  expect(scene.calls).toHaveLength(1);
});

test("RUN-18 with another definition of the tool nothing is run again, and a person is called for", async () => {
  const { scene, card } = await ran(failing(1), { tool, ...quiet });
  const next = makeScene({
    store: scene.store,
    clock: scene.clock,
    tool: { ...tool, version: "2" },
    ...quiet,
  });
  await scene.clock.advance(6000);
  await next.engine.runDue();
  expect(next.calls).toEqual([]);
  expect(await next.engine.operator.read(card.writeId)).toMatchObject({
    state: "unknown",
    needsAttention: true,
  });
});

test("RUN-19 a further run that asks for a better sign-in leaves the write unknown", async () => {
  const { scene, session } = await ran(
    failing(1, () => stepUpRequired({ level: "high" })),
    { tool, ...quiet },
  );
  await advance(scene, 6000);
  expect((await cardOf(scene, session)).state).toBe("unknown");
});

test("RUN-19 a further run that throws before it writes leaves the write unknown", async () => {
  const handler = (_args: never, context: never): unknown => {
    const { attempt, beginWrite } = context as Parameters<Scene["handler"]>[1];
    if (attempt > 1) throw new Error("down");
    beginWrite();
    throw new Error("lost");
  };
  const { scene, session, card } = await ran(() => null, { tool: { ...tool, handler }, ...quiet });
  expect(card.state).toBe("unknown");
  await advance(scene, 6000);
  expect((await cardOf(scene, session)).state).toBe("unknown");
});

test("RUN-19 a further run that is refused by the provider under the same key settles the write", async () => {
  const { scene, session } = await ran(
    failing(1, () => rejected("Never existed.")),
    { tool, ...quiet },
  );
  await advance(scene, 6000);
  expect((await cardOf(scene, session)).state).toBe("not_applied");
});

test("RUN-5 a late result of an earlier run is recorded and flagged beside what the later one said", async () => {
  const first = later<unknown>();
  const { scene, session, card } = await proposed({ tool, ...quiet });
  scene.handler = (_args, { attempt }) => (attempt === 1 ? first.promise : rejected("Not here."));
  const confirming = confirm(scene, session, card, { waitMs: 60_000 });
  await scene.clock.advance(15_000);
  expect(granted(await confirming).card.state).toBe("unknown");
  await advance(scene, 6000);
  expect((await cardOf(scene, session)).state).toBe("not_applied");
  first.finish({ status: "cancelled" });
  await scene.clock.advance(1);
  await scene.engine.stop();
  expect(await scene.engine.operator.read(card.writeId)).toMatchObject({
    state: "not_applied",
    needsAttention: true,
  });
});
