import { expect, test } from "vitest";
import { memoryStore } from "../memory/store.ts";
import type { Store } from "../ports/store.ts";
import { applied } from "../tool/outcome.ts";
import { granted, later, makeScene, ran } from "./fixtures.ts";

const fail = (): never => {
  throw new Error("lost");
};

/** A write of unknown outcome whose status check, begun by a worker, waits for the answer that is given here. */
async function checking() {
  const store = memoryStore();
  const answer = later<unknown>();
  const { scene, card } = await ran(fail, { store });
  let asked = 0;
  scene.status = () => {
    asked += 1;
    return answer.promise;
  };
  scene.engine.start();
  // The first check comes five seconds after the outcome was lost, more or less a tenth.
  await scene.clock.advance(6_000);
  expect(asked).toBe(1);
  const take = () => store.takeDue({ now: scene.clock.now(), limit: 9, leaseMs: 1 });
  expect(await take()).toEqual([]);
  return { store, scene, card, answer, take };
}

test("RUN-12 stopping hands back a status check that goes on for longer, so that another worker takes it at once", async () => {
  const { store, scene, card, take } = await checking();
  const stopping = scene.engine.stop({ graceMs: 2_000 });
  await scene.clock.advance(1_999);
  expect(await take()).toEqual([]);
  await scene.clock.advance(1);
  await stopping;
  const next = makeScene({ store });
  next.status = () => applied({ status: "cancelled" });
  await next.clock.set(scene.clock.now());
  expect(await next.engine.runDue()).toBe(1);
  expect(granted(await next.engine.operator.read(card.writeId))).toMatchObject({ state: "applied" });
});

test("RUN-12 stopping lets a status check end that ends in time, and then there is nothing to hand back", async () => {
  const { scene, card, answer, take } = await checking();
  const stopping = scene.engine.stop({ graceMs: 2_000 });
  answer.finish(applied({ status: "cancelled" }));
  await stopping;
  expect(await take()).toEqual([]);
  expect(granted(await scene.engine.operator.read(card.writeId))).toMatchObject({ state: "applied" });
});

test("RUN-12 stopping hands back a delivery that goes on for longer", async () => {
  const store = memoryStore();
  const begun = later<unknown>();
  const receivers = [
    {
      name: "bot",
      receive: (): Promise<never> => {
        begun.finish(undefined);
        return new Promise(() => {});
      },
    },
  ];
  const { scene } = await ran(() => ({ status: "cancelled" }), { store, receivers });
  const take = () => store.takeDeliveries({ now: scene.clock.now(), limit: 9, leaseMs: 1 });
  scene.engine.start();
  await begun.promise;
  expect(await take()).toEqual([]);
  const stopping = scene.engine.stop({ graceMs: 2_000 });
  await scene.clock.advance(2_000);
  await stopping;
  expect(await take()).toHaveLength(1);
});

test("RUN-12 a store that does not answer keeps nobody from stopping", async () => {
  const { store, scene } = await checking();
  Object.assign(store, { releaseWrite: () => new Promise(() => {}) } satisfies Partial<Store>);
  const stopping = scene.engine.stop({ graceMs: 0 });
  await scene.clock.advance(2_000);
  await stopping;
});

test("RUN-25 while the store is down a worker looks less and less often, and every half second again when it is back", async () => {
  const times: number[] = [];
  let down = true;
  const store: Store = {
    ...memoryStore(),
    nextDueAt: async () => {
      times.push(scene.clock.now() - start);
      if (down) throw new Error("down");
      return null;
    },
  };
  const scene = makeScene({ store, report: () => {} });
  const start = scene.clock.now();
  scene.engine.start();
  await scene.clock.advance(18_000);
  expect(times).toEqual([0, 1_000, 3_000, 7_000, 12_000, 17_000]);
  down = false;
  await scene.clock.advance(5_000);
  expect(times.slice(6)).toEqual([22_000, 22_500, 23_000]);
  await scene.engine.stop();
});
