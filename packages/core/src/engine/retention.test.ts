import { expect, test } from "vitest";
import { memoryStore } from "../memory/store.ts";
import { createEngine } from "./create.ts";
import {
  call,
  cancelA1042,
  cardOf,
  confirm,
  granted,
  makeScene,
  proposed,
  type Scene,
  signIn,
  writeIn,
} from "./fixtures.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;
const key = { idempotencyKey: "k-1" };

/** How many plain rows a write has. */
async function plains({ store }: Scene, writeId: string): Promise<number | undefined> {
  return (await store.readWrite(writeId))?.plains.length;
}

/** Lets `ms` go by, the last minutes of it with a worker at work: one that works for a day takes the test long to play. */
async function pass({ engine, clock }: Scene, ms: number, workingMs = 2 * minuteMs): Promise<void> {
  await clock.set(clock.now() + ms - workingMs);
  engine.start();
  await clock.advance(workingMs);
  await engine.stop();
}

/** A write that was applied under a client's key. */
async function appliedWrite(options: Parameters<typeof makeScene>[0] = {}) {
  const scene = makeScene(options);
  const session = await signIn(scene);
  const { id } = writeIn(await call(scene, "cancel_order", cancelA1042, key));
  const card = await cardOf(scene, session);
  granted(await confirm(scene, session, card));
  return { scene, session, card, id };
}

test("OPS-7 a client's key gives its write for a day, whoever cleans up, and is a new intention after it", async () => {
  const { scene, id } = await appliedWrite();
  const again = () => call(scene, "cancel_order", cancelA1042, key);
  await pass(scene, dayMs - minuteMs);
  expect(await again()).toMatchObject({ replayed: true, write: { id, state: "applied" } });
  await pass(scene, 2 * minuteMs);
  // Deleted by now, not only ignored.
  expect(await scene.store.purgeKeys({ now: scene.clock.now(), limit: 9 })).toBe(0);
  const next = writeIn(await again());
  expect(next).toMatchObject({ state: "proposed" });
  expect(next.id).not.toBe(id);
  expect(scene.calls.length).toBe(1);
});

test("OPS-7 keys that count for longer are kept for longer", async () => {
  const { scene, id } = await appliedWrite({ retention: { keysHours: 72 } });
  const again = () => call(scene, "cancel_order", cancelA1042, key);
  await pass(scene, 3 * dayMs - minuteMs);
  expect(await again()).toMatchObject({ replayed: true, write: { id } });
  await pass(scene, 2 * minuteMs);
  expect(writeIn(await again()).id).not.toBe(id);
});

test("OPS-7 thousands of old keys go in one cleaning, in small parts", async () => {
  const inner = memoryStore();
  const limits: number[] = [];
  const purgeKeys: typeof inner.purgeKeys = (purge) => {
    limits.push(purge.limit);
    return inner.purgeKeys(purge);
  };
  const scene = makeScene({ store: { ...inner, purgeKeys } });
  const row = { scope: "s", fingerprint: "f", writeId: null, answer: null, customerRef: null, keepUntil: 1 };
  for (let n = 0; n < 1001; n += 1) await inner.claimKey({ ...row, key: `k-${n}` }, 0);
  scene.engine.start();
  await scene.clock.advance(minuteMs);
  await scene.engine.stop();
  expect([limits, await inner.purgeKeys({ now: 1, limit: 9 })]).toEqual([[200, 200, 200, 200, 200, 200], 0]);
});

test("OPS-7 a cleaning that fails is told to the log, and the next one does its work", async () => {
  const inner = memoryStore();
  const faults: string[] = [];
  let broken = true;
  const purgeKeys: typeof inner.purgeKeys = async (purge) => {
    if (broken) throw new Error("the disk is full");
    return inner.purgeKeys(purge);
  };
  const scene = makeScene({
    store: { ...inner, purgeKeys },
    report: (error, during) => faults.push(`${String(error)} while ${during}`),
  });
  const row = { scope: "s", fingerprint: "f", writeId: null, answer: null, customerRef: null, keepUntil: 1 };
  await inner.claimKey({ ...row, key: "k" }, 0);
  scene.engine.start();
  await scene.clock.advance(minuteMs);
  broken = false;
  await scene.clock.advance(minuteMs);
  await scene.engine.stop();
  expect(faults).toEqual(["Error while deleting clients' keys whose time is over"]);
  expect(await inner.purgeKeys({ now: 1, limit: 9 })).toBe(0);
});

test("OPS-9 an incoming message is known for eight days, and deleted after that, thousands of them in small parts", async () => {
  const inner = memoryStore();
  const asked: unknown[] = [];
  const purgeInbox: typeof inner.purgeInbox = (purge) => {
    asked.push(purge);
    return inner.purgeInbox(purge);
  };
  const scene = makeScene({ store: { ...inner, purgeInbox } });
  const receivedAt = scene.clock.now();
  const message = { account: "shop", receivedAt, body: "{}" };
  for (let n = 0; n < 401; n += 1) await inner.receive({ ...message, messageId: `m-${n}` }, null);
  const comesAgain = () => inner.receive({ ...message, messageId: "m-7" }, null);
  await scene.clock.set(receivedAt + 8 * dayMs - minuteMs);
  scene.engine.start();
  await scene.clock.advance(minuteMs);
  expect([asked, await comesAgain()]).toEqual([[{ receivedBefore: receivedAt, limit: 200 }], false]);
  await scene.clock.advance(minuteMs);
  await scene.engine.stop();
  const after = { receivedBefore: receivedAt + minuteMs, limit: 200 };
  expect([asked.slice(1), await comesAgain()]).toEqual([[after, after, after], true]);
});

test("OPS-8 values are kept unless told otherwise", async () => {
  const { scene, id } = await appliedWrite();
  const before = await plains(scene, id);
  await pass(scene, 4000 * dayMs);
  expect(await plains(scene, id)).toBe(before);
});

test("OPS-8 values of a finished write go after the days they are kept, never earlier, and never of an unfinished one", async () => {
  const { scene, id } = await appliedWrite({ retention: { plainDays: 2 } });
  const lost = (): never => {
    throw new Error("lost");
  };
  scene.handler = lost;
  const session = await signIn(scene, "cus_ben", "c-2");
  const open = writeIn(await call(scene, "cancel_order", cancelA1042, { conversationId: "c-2" }));
  granted(await confirm(scene, session, await cardOf(scene, session)));
  const before = await plains(scene, id);
  await pass(scene, 2 * dayMs - minuteMs);
  expect(await plains(scene, id)).toBe(before);
  await pass(scene, 3 * minuteMs);
  expect([await plains(scene, id), await plains(scene, open.id)]).toEqual([0, 1]);
});

test("OPS-8 a write without its values crashes nobody's view", async () => {
  const { scene, session, card, id } = await appliedWrite({ retention: { plainDays: 1 } });
  const { agent, customer, host, operator } = scene.engine;
  await scene.store.purgePlain({ endedBefore: scene.clock.now() + 1, limit: 9, cursor: null });
  expect(await plains(scene, id)).toBe(0);
  expect(granted(await customer.card(session))).toEqual({ card: null, others: [] });
  const gone = { refused: "not_found" };
  const { version, digest } = card;
  expect([
    await customer.confirm({ session, writeId: id, version, digest }),
    await customer.decline({ session, writeId: id, version }),
    await customer.edit({ session, writeId: id, version, values: { "/note": "x" } }),
    await customer.extend({ session, writeId: id, version }),
  ]).toEqual([gone, gone, gone, gone]);
  expect(granted(await agent.read({ agent: "bot", writeId: id }))).toMatchObject({
    state: "applied",
    result: null,
  });
  expect(await agent.withdraw({ agent: "bot", writeId: id })).toEqual({ refused: "already_decided" });
  expect(await call(scene, "cancel_order", cancelA1042, key)).toMatchObject({
    replayed: true,
    write: { id },
  });
  expect(granted(await operator.list({})).writes.map((write) => write.id)).toEqual([id]);
  expect(granted(await operator.read(id))).toMatchObject({ state: "applied" });
  expect(granted(await operator.journal(id)).events.length).toBe(4);
  const resolve = { writeId: id, outcome: "applied", note: "Hm.", operator: "Ben" } as const;
  expect(await operator.resolve(resolve)).toEqual({ refused: "not_resolvable", state: "applied" });
  expect(await host.customerSignedOut("c-1")).toMatchObject({ superseded: [] });
  expect(await scene.engine.runDue()).toBe(0);
});

test("FLOW-14 a repeated confirm gives the original receipt a day later, also where old keys are gone", async () => {
  const { scene, session, card } = await proposed();
  const { card: first } = granted(await confirm(scene, session, card));
  for (const ms of [16 * minuteMs, dayMs - 17 * minuteMs, 2 * minuteMs]) {
    await pass(scene, ms);
    const fresh = await scene.engine.host.startSession({ conversationId: "c-1" });
    expect(granted(await confirm(scene, fresh, card)).card).toEqual(first);
  }
  expect(scene.calls.length).toBe(1);
});

test.each([
  [{ keysHours: 23 }, /retention\.keysHours must be a whole number from 24 .*, not 23; .* a day/],
  [{ keysHours: 24.5 }, /retention\.keysHours/],
  [{ keysHours: Number.NaN }, /retention\.keysHours/],
  [{ plainDays: 0 }, /retention\.plainDays must be a whole number from 1 .*, not 0; leave it out/],
  [
    { plainDays: 1, keysHours: 25 },
    /retention\.plainDays \(1\) must not be shorter than retention\.keysHours/,
  ],
])("OPS-7 what would keep less than was promised is refused at the start: %j", (retention, message) => {
  expect(() => createEngine({ tools: [], store: memoryStore(), retention })).toThrowError(
    expect.objectContaining({ name: "ConfigurationError", message: expect.stringMatching(message) }),
  );
});
