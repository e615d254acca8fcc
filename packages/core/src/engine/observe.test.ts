import { expect, test } from "vitest";
import { memoryStore } from "../memory/store.ts";
import { pending } from "../tool/outcome.ts";
import { call, cardOf, confirm, granted, makeScene, type Scene, signIn, writeIn } from "./fixtures.ts";
import type { EngineEvent, Logger } from "./observe.ts";

type Line = { readonly level: keyof Logger; readonly fields: object; readonly message: string };

function recorder() {
  const lines: Line[] = [];
  const take =
    (level: keyof Logger) =>
    (fields: object, message: string): void =>
      void lines.push({ level, fields, message });
  const logger: Logger = { info: take("info"), warn: take("warn"), error: take("error") };
  return { lines, logger };
}

function watched(options: Parameters<typeof makeScene>[0] = {}) {
  const { lines, logger } = recorder();
  const scene = makeScene({ logger, ...options });
  const events: EngineEvent[] = [];
  const stop = scene.engine.on((event) => events.push(event));
  return { scene, events, lines, stop };
}

async function cycle(scene: Scene) {
  const session = await signIn(scene);
  const { id } = writeIn(await call(scene));
  granted(await confirm(scene, session, await cardOf(scene, session)));
  return { id, session };
}

test("WATCH-1 a listener is told of every event that is recorded, after its commit, and of every call of an author's code", async () => {
  const { scene, events } = watched({ tool: { preview: () => ({}) } });
  const { id } = await cycle(scene);
  const at = scene.clock.now();
  const common = {
    type: "recorded",
    at,
    writeId: id,
    conversationId: "c-1",
    tool: "cancel_order",
    version: 1,
  };
  const none = { attempt: null, outcome: null, reason: null };
  const called = { type: "called", at, tool: "cancel_order", ending: "returned", durationMs: 0 };
  expect(events).toEqual([
    { ...called, what: "preview", writeId: null },
    { ...common, ...none, event: "proposed", seq: 1, state: "proposed" },
    { ...called, what: "preview", writeId: null },
    { ...common, ...none, event: "confirmed", seq: 2, state: "running" },
    { ...common, ...none, event: "started", seq: 3, state: "running", attempt: 1 },
    { ...called, what: "handler", writeId: id },
    {
      ...common,
      event: "settled",
      seq: 4,
      state: "applied",
      attempt: 1,
      outcome: "applied",
      reason: "returned",
    },
  ]);
});

test("WATCH-1 a listener that stopped hears nothing more, and one that throws harms nobody and is logged", async () => {
  const { scene, events, lines, stop } = watched();
  scene.engine.on(() => {
    throw new TypeError("A-1042 canary");
  });
  stop();
  await cycle(scene);
  expect(events).toEqual([]);
  expect(lines.map(({ level, message }) => [level, message])).toEqual(
    Array(5).fill(["error", "TypeError in a listener of engine events"]),
  );
});

test("WATCH-1 what lost a race is no event", async () => {
  const { scene, events } = watched();
  const session = await signIn(scene);
  writeIn(await call(scene));
  const card = await cardOf(scene, session);
  await Promise.all(Array.from({ length: 10 }, () => confirm(scene, session, card)));
  const confirmed = events.filter((event) => event.type === "recorded" && event.event === "confirmed");
  expect(confirmed).toHaveLength(1);
});

test("WATCH-2 a failure that nobody waits for is one line with its class and what was going on, and an event", async () => {
  const { scene, events, lines } = watched();
  scene.handler = () => {
    throw new RangeError("A-1042 canary");
  };
  const { id } = await cycle(scene);
  const during = `running tool "cancel_order" for write ${id}, attempt 1`;
  expect(lines).toEqual([
    {
      level: "error",
      fields: { error: "RangeError", during, frames: expect.any(Array) },
      message: `RangeError while ${during}`,
    },
  ]);
  expect(events.filter(({ type }) => type === "fault")).toEqual([
    { type: "fault", at: scene.clock.now(), error: "RangeError", during },
  ]);
});

test("WATCH-1 telling a receiver is an event, however it went", async () => {
  const answers = [{ kind: "retry" }, { kind: "received" }, { kind: "gone" }] as const;
  let next = 0;
  const receive = async () => answers[next++ % answers.length] as (typeof answers)[number];
  const { scene, events } = watched({ receivers: [{ name: "bot", receive }] });
  const { id } = await cycle(scene);
  await scene.engine.runDue();
  await scene.clock.advance(10_000);
  await scene.engine.runDue();
  const told = events.filter((event) => event.type === "told");
  expect(
    told.map(({ receiver, writeId, attempts, result }) => [receiver, writeId, attempts, result]),
  ).toEqual([
    ["bot", id, 1, "retry"],
    ["bot", id, 2, "received"],
    ["bot", id, 1, "given_up"],
  ]);
});

test("WATCH-3 no event and no line holds an argument, a result, a message, a customer's id, a key, a reference or a secret", async () => {
  const canary = "canary-7f3a";
  const store = memoryStore();
  const { scene, events, lines } = watched({
    store,
    secrets: { SHOP: canary },
    tool: { preview: () => ({ warnings: [canary], targets: [] }) },
  });
  const session = await signIn(scene, `cus_${canary}`);
  const endings: Scene["handler"][] = [
    () => ({ status: canary }),
    () => pending(canary, canary),
    () => {
      throw new Error(canary);
    },
  ];
  let keys = "";
  for (const handler of endings) {
    scene.handler = (args, context) => {
      keys += context.idempotencyKey;
      return handler(args, context);
    };
    const args = { orderId: canary, reason: "late", note: canary };
    const answer = await call(scene, "cancel_order", args, { idempotencyKey: `k-${canary}` });
    if ("refused" in answer) continue;
    granted(await confirm(scene, session, await cardOf(scene, session)));
    await scene.clock.advance(60_000);
    await scene.engine.runDue();
  }
  const told = JSON.stringify([events, lines]);
  expect(events.length).toBeGreaterThan(5);
  expect(told).not.toContain(canary);
  expect(keys.match(/.{36}/g)?.filter((key) => told.includes(key))).toEqual([]);
});
