import { describe, expect, test } from "vitest";
import { ConfigurationError } from "../base/errors.ts";
import { memoryStore } from "../memory/store.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { pending } from "../tool/outcome.ts";
import { call, cardOf, confirm, granted, later, makeScene, type Scene, signIn, writeIn } from "./fixtures.ts";
import type { OutcomeNotice, Receiver, ReceiverAnswer } from "./receiver.ts";

type Told = Receiver & { readonly notices: OutcomeNotice[]; answer: (notice: OutcomeNotice) => unknown };

function receiver(name = "bot"): Told {
  const told: Told = {
    name,
    notices: [],
    answer: () => ({ kind: "received" }),
    async receive(notice) {
      told.notices.push(notice);
      return (await told.answer(notice)) as ReceiverAnswer;
    },
  };
  return told;
}

/** A scene with one receiver, and Ana's confirmed write. */
async function confirmed(options: Parameters<typeof makeScene>[0] = {}, handler?: Scene["handler"]) {
  const bot = receiver();
  const faults: string[] = [];
  const report = (_error: unknown, during: string): void => void faults.push(during);
  const scene = makeScene({ receivers: [bot], report, ...options });
  if (handler) scene.handler = handler;
  const session = await signIn(scene);
  const { id } = writeIn(await call(scene));
  const { card } = granted(await confirm(scene, session, await cardOf(scene, session)));
  return { bot, faults, scene, session, id, card };
}

const states = ({ notices }: Told) => notices.map(({ write }) => [write.seq, write.state]);

test("TELL-1 a receiver is told of the decision and of the outcome, in order, with the journal's head", async () => {
  const { bot, scene, id, card } = await confirmed();
  await scene.engine.runDue();
  expect(states(bot)).toEqual([
    [3, "running"],
    [4, "applied"],
  ]);
  const journal = granted(await scene.engine.operator.journal(id));
  expect(bot.notices.map(({ write }) => write.head)).toEqual([journal.events[2]?.hash, journal.head]);
  expect(bot.notices[1]).toEqual({
    id: `${id}.4`,
    timestamp: "2026-11-30T00:00:00.000Z",
    write: {
      ...granted(await scene.engine.agent.read({ agent: "bot", writeId: id })),
      digest: card.digest,
      head: journal.head,
      surface: "web",
      reason: null,
      needsAttention: false,
    },
  });
});

test("TELL-1 a receiver is told of every other end, and of nothing that is no decision", async () => {
  const bot = receiver();
  const scene = makeScene({ receivers: [bot], limits: { repeatAfterDeclineSeconds: 0 } });
  const session = await signIn(scene);
  const decline = writeIn(await call(scene));
  await scene.engine.customer.edit({
    session,
    writeId: decline.id,
    version: 1,
    values: { "/reason": "other" },
  });
  await scene.engine.runDue();
  expect(bot.notices).toEqual([]);
  await scene.engine.customer.decline({ session, writeId: decline.id, version: 2 });
  const withdrawn = writeIn(await call(scene));
  await scene.engine.agent.withdraw({ agent: "bot", writeId: withdrawn.id });
  writeIn(await call(scene));
  await scene.clock.advance(900_000);
  await scene.engine.runDue();
  writeIn(await call(scene));
  await scene.engine.host.customerSignedOut("c-1");
  await scene.engine.runDue();
  expect(bot.notices.map(({ write }) => [write.state, write.reason])).toEqual([
    ["declined", null],
    ["withdrawn", null],
    ["expired", null],
    ["superseded", "signed_out"],
  ]);
});

test("TELL-1 what a person settled and what contradicts it is told too", async () => {
  const shop = later<unknown>();
  const bot = receiver();
  const scene = makeScene({ receivers: [bot], report: () => {} });
  scene.handler = () => shop.promise;
  const session = await signIn(scene);
  const { id } = writeIn(await call(scene));
  const confirming = confirm(scene, session, await cardOf(scene, session), { waitMs: 60_000 });
  await scene.clock.advance(15_000);
  await confirming;
  const resolve = { writeId: id, outcome: "not_applied", note: "not there", operator: "Ben" } as const;
  await scene.engine.operator.resolve(resolve);
  shop.finish({ status: "cancelled" });
  await scene.clock.advance(1);
  await scene.engine.stop();
  await scene.engine.runDue();
  expect(bot.notices.map(({ write }) => [write.state, write.needsAttention])).toEqual([
    ["running", false],
    ["unknown", false],
    ["not_applied", false],
    ["not_applied", true],
  ]);
});

test("TELL-2 each receiver is told for itself, however another one fares", async () => {
  const deaf = receiver("deaf");
  deaf.answer = () => Promise.reject(new Error("no route"));
  const bot = receiver();
  const { scene } = await confirmed({ receivers: [deaf, bot] });
  await scene.engine.runDue();
  expect(states(bot)).toHaveLength(2);
  expect(states(deaf)).toEqual([[3, "running"]]);
});

test("TELL-2 what was not received is told again at growing gaps, and nothing later of the same write before it", async () => {
  const { bot, faults, scene, id } = await confirmed();
  const times: number[] = [];
  const start = scene.clock.now();
  bot.answer = () => {
    times.push(scene.clock.now() - start);
    throw new Error("down");
  };
  for (let second = 0; second < 300; second += 1) {
    await scene.engine.runDue();
    await scene.clock.advance(1000);
  }
  expect(new Set(bot.notices.map(({ id }) => id))).toEqual(new Set([`${id}.3`]));
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(gaps.every((gap, index) => gap > (gaps[index - 1] ?? 0))).toBe(true);
  expect(faults).toEqual(times.map(() => `telling bot of write ${id}`));
  bot.answer = () => ({ kind: "received" });
  await scene.clock.advance(600_000);
  await scene.engine.runDue();
  expect(states(bot).slice(times.length)).toEqual([
    [3, "running"],
    [4, "applied"],
  ]);
});

test("TELL-2 a receiver that does not answer is cut off after 15 seconds, and its signal aborted", async () => {
  const { bot, scene } = await confirmed();
  const signals: AbortSignal[] = [];
  Object.assign(bot, {
    receive: (_notice: OutcomeNotice, signal: AbortSignal) => {
      signals.push(signal);
      return new Promise(() => {});
    },
  });
  const telling = scene.engine.runDue();
  await scene.clock.advance(15_000);
  await telling;
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test("TELL-2 a receiver may ask for more time", async () => {
  const { bot, scene } = await confirmed();
  bot.answer = () => ({ kind: "retry", afterMs: 60_000 });
  await scene.engine.runDue();
  await scene.clock.advance(59_999);
  await scene.engine.runDue();
  expect(bot.notices).toHaveLength(1);
  await scene.clock.advance(1);
  await scene.engine.runDue();
  expect(bot.notices).toHaveLength(2);
});

test("TELL-3 a receiver that wants nothing more, or fails for three days, is given up, and the log is told", async () => {
  const gone = await confirmed();
  gone.bot.answer = () => ({ kind: "gone" });
  await gone.scene.engine.runDue();
  expect(states(gone.bot)).toHaveLength(2);
  expect(gone.faults).toEqual(Array(2).fill(`giving up telling bot of write ${gone.id}`));

  const { bot, faults, scene, id } = await confirmed();
  bot.answer = () => ({ kind: "retry" });
  const start = scene.clock.now();
  let hours = 0;
  for (; faults.length === 0 && hours < 24 * 30; hours += 1) {
    await scene.clock.advance(3_600_000);
    await scene.engine.runDue();
  }
  expect(faults).toEqual([`giving up telling bot of write ${id}`]);
  const days = (scene.clock.now() - start) / 86_400_000;
  expect(days > 2 && days < 5).toBe(true);
});

test("TELL-2 what a process could not tell any more, the next one tells, and of a repeat the id is the same", async () => {
  const store = memoryStore();
  const first = await confirmed({ store });
  first.bot.answer = () => new Promise(() => {});
  void first.scene.engine.runDue();
  await first.scene.clock.advance(1);
  const bot = receiver();
  // The first one's clock stands still: that process is gone.
  const clock = manualClock(first.scene.clock.now());
  const next = Object.assign(makeScene({ store, clock, receivers: [bot] }), { clock });
  await next.engine.runDue();
  expect(bot.notices).toEqual([]);
  await next.clock.advance(60_000);
  await next.engine.runDue();
  expect(bot.notices.map(({ id }) => id)).toEqual([`${first.id}.3`, `${first.id}.4`]);
  expect(first.bot.notices.map(({ id }) => id)).toEqual([`${first.id}.3`]);
});

test("TELL-2 a process without the receiver leaves what is to be told to one that has it", async () => {
  const store = memoryStore();
  const { id, scene } = await confirmed({ store });
  const without = makeScene({ store, clock: scene.clock, receivers: [receiver("other")] });
  await without.engine.runDue();
  const bot = receiver();
  await scene.clock.advance(60_000);
  await makeScene({ store, clock: scene.clock, receivers: [bot] }).engine.runDue();
  expect(bot.notices.map((notice) => notice.id)).toEqual([`${id}.3`, `${id}.4`]);
});

test("TELL-4 nobody to tell: nothing is kept to be told", async () => {
  const store = memoryStore();
  const appends: number[] = [];
  const counting = {
    ...store,
    append: (append: Parameters<typeof store.append>[0]) => {
      appends.push(append.deliveries.length);
      return store.append(append);
    },
  };
  await confirmed({ store: counting, receivers: [] });
  expect(new Set(appends)).toEqual(new Set([0]));
});

test("TELL-5 a receiver hears neither the write's key nor the provider's reference", async () => {
  const { bot, scene } = await confirmed({}, (_args, { idempotencyKey }) => pending(`ref-${idempotencyKey}`));
  await scene.engine.runDue();
  const key = scene.calls[0]?.context.idempotencyKey ?? "none";
  expect(bot.notices.at(-1)?.write.state).toBe("pending");
  expect(JSON.stringify(bot.notices)).not.toContain(key);
});

describe("TELL-3 a list of receivers", () => {
  test.each([
    ["with two of one name", [receiver(), receiver()], "is named twice"],
    ["with a name that is none", [receiver("a b")], "is no name"],
  ])("TELL-3 %s is refused", (_what, receivers, problem) => {
    expect(() => makeScene({ receivers })).toThrow(ConfigurationError);
    expect(() => makeScene({ receivers })).toThrow(problem);
  });
});
