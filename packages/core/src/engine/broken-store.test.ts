import { expect, test } from "vitest";
import { memoryStore } from "../memory/store.ts";
import type { Store } from "../ports/store.ts";
import { call, cardOf, confirm, granted, makeScene, type Scene, signIn, writeIn } from "./fixtures.ts";

/** A store that fails to record the next `times` outcomes. */
function failingStore(times: number): {
  readonly store: Store;
  readonly reports: string[];
  failures: number;
} {
  const whole = memoryStore();
  const broken = {
    failures: times,
    reports: [] as string[],
    store: {
      ...whole,
      append(append) {
        const settles = append.writes.some(({ events }) => events.some(({ type }) => type === "settled"));
        if (!settles || broken.failures === 0) return whole.append(append);
        broken.failures -= 1;
        return Promise.reject(new Error("disk full"));
      },
    } satisfies Store,
  };
  return broken;
}

function sceneOn({ store, reports }: ReturnType<typeof failingStore>): Scene {
  return makeScene({ store, report: (error, during) => reports.push(`${String(error)} while ${during}`) });
}

/** Ana confirms on a store that is about to fail; the clock moves past every retry. */
async function confirmedOn(broken: ReturnType<typeof failingStore>) {
  const scene = sceneOn(broken);
  const session = await signIn(scene);
  writeIn(await call(scene));
  const card = await cardOf(scene, session);
  const answer = confirm(scene, session, card);
  await scene.clock.advance(9000);
  return { scene, session, card, answer: granted(await answer).card };
}

test("RUN-6 an outcome that could not be recorded at first is recorded a little later", async () => {
  const broken = failingStore(2);
  const { scene, card, answer } = await confirmedOn(broken);
  expect(answer.state).toBe("applied");
  expect(scene.calls.length).toBe(1);
  expect(broken.reports).toEqual(
    Array.from({ length: 2 }, () => `Error while recording the outcome of write ${card.writeId}`),
  );
});

test("RUN-6 an outcome is kept until the lease ends, and recorded once the store can take it", async () => {
  const broken = failingStore(8);
  const { scene, session, card, answer } = await confirmedOn(broken);
  expect([answer.state, scene.calls.length]).toEqual(["running", 1]);
  await scene.clock.advance(20_000);
  await scene.engine.stop();
  expect((await cardOf(scene, session)).state).toBe("applied");
  expect(granted(await confirm(scene, session, card)).card.state).toBe("applied");
  expect([broken.reports.length, scene.calls.length]).toEqual([8, 1]);
});

test("RUN-6 an outcome that could not be recorded at all ends as unknown, and nothing is called twice", async () => {
  const broken = failingStore(Number.POSITIVE_INFINITY);
  const { scene, session, card, answer } = await confirmedOn(broken);
  expect(answer.state).toBe("running");
  await scene.clock.advance(36_000);
  broken.failures = 0;
  expect(await scene.engine.runDue()).toBe(1);
  expect((await cardOf(scene, session)).state).toBe("unknown");
  expect(granted(await confirm(scene, session, card)).card.state).toBe("unknown");
  expect(scene.calls.length).toBe(1);
});

test("RUN-11 an agent hears that its write is running when the outcome could not be recorded", async () => {
  const broken = failingStore(5);
  const scene = sceneOn(broken);
  const answer = call(scene, "add_note");
  await scene.clock.advance(9000);
  const write = writeIn(await answer);
  expect(write.state).toBe("running");
  expect(await call(scene, "add_note")).toEqual({
    refused: "write_in_progress",
    writeId: write.id,
    state: "running",
  });
  expect(scene.calls.length).toBe(1);
});

test("FLOW-2 a proposal that could not be stored does not exist, and can be made again under its key", async () => {
  const whole = memoryStore();
  let failures = 1;
  const scene = makeScene({
    store: {
      ...whole,
      append(append) {
        if (append.writes.length === 0 || failures === 0) return whole.append(append);
        failures -= 1;
        return Promise.reject(new Error("disk full"));
      },
    },
  });
  await signIn(scene);
  const propose = () =>
    call(scene, "cancel_order", { orderId: "A-1", reason: "late" }, { idempotencyKey: "k-1" });
  await expect(propose()).rejects.toThrow("disk full");
  expect(await propose()).toMatchObject({ created: true, write: { state: "proposed" } });
});
