import { expect, test } from "vitest";
import { call, cardOf, confirm, granted, makeScene, signIn, writeIn } from "./fixtures.ts";

/** A scene whose engine tells its faults to a list. */
function listening() {
  const told: { readonly name: string; readonly during: string }[] = [];
  const report = (error: unknown, during: string): void => {
    told.push({ name: error instanceof Error ? error.name : typeof error, during });
  };
  return { told, scene: makeScene({ report }) };
}

async function confirmed(scene: ReturnType<typeof makeScene>) {
  const session = await signIn(scene);
  const { id } = writeIn(await call(scene));
  const answer = confirm(scene, session, await cardOf(scene, session));
  return { id, answer };
}

test("RUN-17 what a handler threw, and a status check after it, is told to the log with tool, write and attempt", async () => {
  const { told, scene } = listening();
  scene.handler = () => {
    throw new TypeError("A-1042 is not for the log");
  };
  const { id, answer } = await confirmed(scene);
  expect(granted(await answer).card.state).toBe("unknown");
  await scene.clock.advance(6000);
  await scene.engine.runDue();
  expect(told).toEqual([
    { name: "TypeError", during: `running tool "cancel_order" for write ${id}, attempt 1` },
    { name: "Error", during: `checking the status of write ${id} with tool "cancel_order"` },
  ]);
});

test("RUN-17 a handler that is not back in time is told to the log", async () => {
  const { told, scene } = listening();
  scene.handler = () => new Promise(() => {});
  const { id, answer } = await confirmed(scene);
  await scene.clock.advance(15_000);
  expect(granted(await answer).card.state).toBe("running");
  expect(granted(await scene.engine.operator.read(id)).state).toBe("unknown");
  expect(told).toEqual([
    { name: "TimeLimitError", during: `running tool "cancel_order" for write ${id}, attempt 1` },
  ]);
});
