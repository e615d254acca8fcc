import { describe, expect, test } from "vitest";
import { rejected, stepUpRequired } from "../tool/outcome.ts";
import type { Plan } from "../tool/plan.ts";
import {
  call,
  cancelA1042,
  cardOf,
  confirm,
  granted,
  makeScene,
  type Scene,
  signIn,
  writeIn,
} from "./fixtures.ts";

const order = (version: string) => ({ type: "order", id: "A-1042", version });

/** What cancelling A-1042 means at first. */
const plan = {
  targets: [order("7")],
  effects: [
    { type: "status", target: "A-1042", label: "Status", before: "open", after: "cancelled" },
    {
      type: "refund",
      label: { en: "Refund", es: "Reembolso" },
      before: null,
      after: 4800,
      format: "money",
      currency: "EUR",
      tolerance: { absolute: 100 },
    },
  ],
  counts: { add: 0, change: 1, remove: 2 },
  items: ["Mug", "Tray, large"],
  warnings: ["The discount is lost."],
  reversible: false,
} as const satisfies Plan;

async function shown(scene: Scene) {
  const session = await signIn(scene);
  writeIn(await call(scene));
  return { scene, session, card: await cardOf(scene, session) };
}

/** A scene with a changeable preview, and its card. */
async function previewed(tool: { readonly [key: string]: unknown } = {}) {
  const world = { look: (): unknown => plan };
  const scene = makeScene({ tool: { preview: () => world.look(), ...tool } });
  return { world, ...(await shown(scene)) };
}

test("FLOW-27 the card says what a preview found, in the conversation's language", async () => {
  const { card } = await previewed();
  expect({ effects: card.effects, warnings: card.warnings, reversible: card.reversible }).toEqual({
    effects: [
      { label: "Status", before: "open", after: "cancelled" },
      { label: "Refund", before: null, after: "€48.00", tolerance: "at least €47.00, at most €49.00" },
      { label: "To change", before: null, after: "1" },
      { label: "To remove", before: null, after: "2" },
      { label: "Affected", before: null, after: 'Mug, "Tray, large"' },
    ],
    warnings: ["The discount is lost."],
    reversible: false,
  });
});

test("FLOW-27 the targets and their versions stand in the journal and in the digest", async () => {
  const { scene, card } = await previewed();
  const { events } = granted(await scene.engine.operator.journal(card.writeId));
  expect(events[0]?.body).toMatchObject({ targets: [order("7")], digest: card.digest });
  expect(events[0]?.plain).toMatchObject({ plan: { targets: [order("7")], validSeconds: 900 } });
});

describe("a proposal whose preview", () => {
  test.each([
    [
      "refuses is refused with the tool's message",
      () => rejected("It is on its way."),
      { refused: "preview_failed", message: "It is on its way." },
    ],
    [
      "throws is refused without one",
      () => {
        throw new Error("connection reset by 10.0.0.7");
      },
      { refused: "preview_failed" },
    ],
    [
      "is no plan is refused, not shown in part",
      () => ({ effects: [{ label: "x" }] }),
      { refused: "preview_failed" },
    ],
    [
      "asks for a better sign-in says so",
      () => stepUpRequired({ level: "high", maxAuthAgeSeconds: 300 }),
      { refused: "verification_required", level: "high", maxAuthAgeSeconds: 300 },
    ],
    [
      "finds nothing to do is answered so",
      () => ({ noop: true }),
      { kind: "noop", tool: "cancel_order", replayed: false },
    ],
  ])("FLOW-28 %s", async (_name, look, expected) => {
    const faults: unknown[] = [];
    const scene = makeScene({ tool: { preview: look }, report: (error) => faults.push(error) });
    await signIn(scene);
    expect(await call(scene)).toEqual(expected);
    expect(await call(scene)).toEqual(expected);
    expect((await scene.engine.operator.list({})).writes).toEqual([]);
    expect(scene.calls).toEqual([]);
  });

  test("FLOW-28 hangs is given up at the tool's time limit", async () => {
    const signals: AbortSignal[] = [];
    const preview = (_args: unknown, { signal }: { signal: AbortSignal }) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    const scene = makeScene({ tool: { preview }, report: () => {} });
    await signIn(scene);
    const asked = call(scene);
    await scene.clock.advance(15_000);
    expect(await asked).toEqual({ refused: "preview_failed" });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});

test("RUN-21 the handler gets what was confirmed beyond its arguments, frozen", async () => {
  const { scene, session, card } = await previewed();
  granted(await confirm(scene, session, card));
  const given = scene.calls[0]?.context.plan;
  expect(given).toMatchObject({ targets: [order("7")], effects: plan.effects });
  expect(Object.isFrozen(given?.targets[0])).toBe(true);
});

test("RUN-21 a tool without preview is given no plan", async () => {
  const { scene, session, card } = await shown(makeScene());
  granted(await confirm(scene, session, card));
  expect(scene.calls[0]?.context.plan).toBeNull();
});

const drifts: readonly [string, Plan, readonly object[]][] = [
  ["another version of a target", { ...plan, targets: [order("8")] }, []],
  ["one more target", { ...plan, targets: [order("7"), { type: "order", id: "B", version: "1" }] }, []],
  [
    "another state before",
    { ...plan, effects: [{ ...plan.effects[0], before: "packed" }, plan.effects[1]] },
    [{ label: "Status", from: "open → cancelled", to: "packed → cancelled", by: "drift" }],
  ],
  [
    "an amount above what was shown as the most",
    { ...plan, effects: [plan.effects[0], { ...plan.effects[1], after: 4901 }] },
    [{ label: "Refund", from: "€48.00", to: "€49.01", by: "drift" }],
  ],
  [
    "an amount below what was shown as the least",
    { ...plan, effects: [plan.effects[0], { ...plan.effects[1], after: 4699 }] },
    [{ label: "Refund", from: "€48.00", to: "€46.99", by: "drift" }],
  ],
  [
    "an effect less",
    { ...plan, effects: [plan.effects[0]] },
    [{ label: "Refund", from: "€48.00", to: null, by: "drift" }],
  ],
  [
    "other counts",
    { ...plan, counts: { add: 0, change: 1, remove: 3 } },
    [{ label: "To remove", from: "2", to: "3", by: "drift" }],
  ],
  ["a new warning", { ...plan, warnings: ["The discount is lost.", "So is the gift."] }, []],
  ["a change that can be taken back after all", { ...plan, reversible: true }, []],
];

test.each(drifts)("FLOW-29 %s is shown anew and nothing runs", async (_what, now, changes) => {
  const { world, scene, session, card } = await previewed();
  world.look = () => now;
  const answer = await confirm(scene, session, card);
  const next = await cardOf(scene, session);
  expect(answer).toEqual({ refused: "drifted", card: next });
  expect({ state: next.state, version: next.version, changes: next.changes }).toEqual({
    state: "proposed",
    version: 2,
    changes,
  });
  expect(next.digest).not.toBe(card.digest);
  expect(scene.calls).toEqual([]);
  expect(await confirm(scene, session, card)).toMatchObject({ refused: "stale_version" });
  expect(granted(await confirm(scene, session, next)).card.state).toBe("applied");
  expect(scene.calls.map(({ context }) => context.plan?.targets)).toEqual([now.targets]);
});

const same: readonly [string, Plan][] = [
  ["the most that was shown", { ...plan, effects: [plan.effects[0], { ...plan.effects[1], after: 4900 }] }],
  ["the least that was shown", { ...plan, effects: [plan.effects[0], { ...plan.effects[1], after: 4700 }] }],
  ["other names of checks", { ...plan, checks: ["stock"] }],
  [
    "another expectation of the result",
    { ...plan, expected: { responseType: "Order", projected: { at: 7 }, serverAssigned: [] } },
  ],
];

test.each(same)("FLOW-30 %s runs as confirmed, with the plan that was shown", async (_what, now) => {
  const { world, scene, session, card } = await previewed();
  world.look = () => now;
  expect(granted(await confirm(scene, session, card)).card).toMatchObject({ state: "applied", version: 1 });
  expect(scene.calls.map(({ context }) => context.plan?.effects)).toEqual([plan.effects]);
});

describe("FLOW-30 a tolerance", () => {
  const priced = (after: number, tolerance: object): Plan => ({
    effects: [{ type: "price", label: "Price", before: null, after, tolerance: tolerance as never }],
  });

  test.each([
    [{ relative: 0.05 }, "at least 95, at most 105", 0, 105, 105.01],
    [{ absolute: 0.1 }, "at least 99.9, at most 100.1", 0, 100.1, 100.2],
    [{ perSecond: 0.5 }, "at least -350, at most 550", 60, 130, 130.5],
    [{ perSecond: 0.5 }, "at least -350, at most 550", 0, 100, 100.5],
  ])("FLOW-30 of %j counts from what was shown", async (tolerance, text, seconds, within, beyond) => {
    for (const [now, state] of [
      [within, "applied"],
      [beyond, "drifted"],
    ] as const) {
      const world = { look: (): unknown => priced(100, tolerance) };
      const scene = makeScene({ tool: { preview: () => world.look() } });
      const session = await signIn(scene);
      writeIn(await call(scene));
      const card = await cardOf(scene, session);
      expect(card.effects[0]?.tolerance).toBe(text);
      await scene.clock.advance(seconds * 1000);
      world.look = () => priced(now, tolerance);
      const answer = await confirm(scene, session, card);
      expect("refused" in answer ? answer.refused : answer.card.state).toBe(state);
    }
  });
});

test("FLOW-31 a look that finds nothing left to do, or refuses, ends the write with nothing changed", async () => {
  for (const [look, message] of [
    [() => ({ noop: true }), null],
    [() => rejected("It has been sent."), "It has been sent."],
  ] as const) {
    const { world, scene, session, card } = await previewed();
    world.look = look;
    const settled = granted(await confirm(scene, session, card)).card;
    expect({ state: settled.state, message: settled.receipt?.message }).toEqual({
      state: "not_applied",
      message,
    });
    expect(granted(await confirm(scene, session, card)).card).toEqual(settled);
    expect(scene.calls).toEqual([]);
  }
});

test("FLOW-31 a look that cannot be made leaves the write as it is, and the next confirm looks again", async () => {
  const { world, scene, session, card } = await previewed();
  world.look = () => {
    throw new Error("down");
  };
  expect(await confirm(scene, session, card)).toEqual({ refused: "preview_unavailable" });
  expect(await cardOf(scene, session)).toEqual(card);
  world.look = () => plan;
  expect(granted(await confirm(scene, session, card)).card.state).toBe("applied");
});

test("FLOW-31 a look that asks for a better sign-in leaves the write as it is", async () => {
  const { world, scene, session, card } = await previewed();
  world.look = () => stepUpRequired({ level: "high" });
  expect(await confirm(scene, session, card)).toEqual({ refused: "verification_required", level: "high" });
  expect(await cardOf(scene, session)).toEqual(card);
});

test("FLOW-28 an edit looks again too, and changes nothing where the look refuses or fails", async () => {
  const { world, scene, session, card } = await previewed();
  const edit = () =>
    scene.engine.customer.edit({
      session,
      writeId: card.writeId,
      version: 1,
      values: { "/reason": "other" },
    });
  world.look = () => rejected("Not for that reason.");
  expect(await edit()).toEqual({ refused: "preview_failed", message: "Not for that reason." });
  world.look = () => ({ noop: true });
  expect(await edit()).toMatchObject({ refused: "preview_failed" });
  world.look = () => {
    throw new Error("down");
  };
  expect(await edit()).toEqual({ refused: "preview_unavailable" });
  expect(await cardOf(scene, session)).toEqual(card);
  world.look = () => ({ ...plan, reversible: true });
  expect(granted(await edit())).toMatchObject({
    consequencesChanged: true,
    card: { version: 2, reversible: true },
  });
});

test("FLOW-29 the look is made for the customer who is asked, with the arguments as they stand", async () => {
  const looks: unknown[] = [];
  const preview = (args: unknown, context: { customer: unknown }) => {
    looks.push([args, (context.customer as { customerId: string }).customerId, "idempotencyKey" in context]);
    return plan;
  };
  const { scene, session, card } = await previewed({ preview });
  const { card: edited } = granted(
    await scene.engine.customer.edit({
      session,
      writeId: card.writeId,
      version: 1,
      values: { "/reason": "other" },
    }),
  );
  granted(await confirm(scene, session, edited));
  const other = { ...cancelA1042, reason: "other" };
  expect(looks).toEqual([cancelA1042, other, other].map((args) => [args, "cus_ana", false]));
});

test("FLOW-29 of many confirms at once after a change, each is told the new version and nothing runs", async () => {
  const { world, scene, session, card } = await previewed();
  world.look = () => ({ ...plan, targets: [order("8")] });
  const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(scene, session, card)));
  expect(new Set(answers.map((answer) => ("refused" in answer ? answer.refused : "ran")))).toEqual(
    new Set(["drifted", "stale_version"]),
  );
  expect((await cardOf(scene, session)).version).toBe(2);
  expect(scene.calls).toEqual([]);
});

test("RUN-11 a tool without confirmation runs with what its look found, and not where that refuses", async () => {
  const { world, scene } = await previewed({ confirmation: "none" });
  expect(scene.calls.map(({ context }) => context.plan?.targets)).toEqual([[order("7")]]);
  world.look = () => rejected("No.");
  expect(await call(scene)).toEqual({ refused: "preview_failed", message: "No." });
  expect(scene.calls).toHaveLength(1);
});

test("FLOW-29 the first customer to verify is asked anew, and a confirm looks for them", async () => {
  const seen: unknown[] = [];
  const preview = (_args: unknown, context: { customer: { customerId: string } | null }) => {
    seen.push(context.customer?.customerId ?? null);
    return context.customer ? { ...plan, effects: [plan.effects[0]] } : plan;
  };
  const scene = makeScene({ tool: { customer: "any", preview } });
  writeIn(await call(scene));
  const session = await signIn(scene);
  const card = await cardOf(scene, session);
  expect(card.version).toBe(2);
  expect(await confirm(scene, session, card)).toMatchObject({ refused: "drifted", card: { version: 3 } });
  expect(seen).toEqual([null, "cus_ana"]);
  expect(granted(await confirm(scene, session, await cardOf(scene, session))).card.state).toBe("applied");
});

describe("RUN-23 after a step-up", () => {
  async function waiting() {
    const looked = await previewed();
    looked.scene.handler = (_args, { attempt }) =>
      attempt === 1 ? stepUpRequired({ level: "high" }) : { status: "cancelled" };
    granted(await confirm(looked.scene, looked.session, looked.card));
    const verify = () =>
      looked.scene.engine.host.customerVerified({
        conversationId: "c-1",
        customerId: "cus_ana",
        level: "high",
        authenticatedAt: looked.scene.clock.now(),
      });
    return { ...looked, verify };
  }

  test("RUN-23 an unchanged write goes on under its key", async () => {
    const { scene, session, card, verify } = await waiting();
    expect(granted(await verify()).resumed).toEqual([card.writeId]);
    await scene.engine.stop();
    expect(await cardOf(scene, session)).toMatchObject({ state: "applied", version: 1 });
    expect(new Set(scene.calls.map(({ context }) => context.idempotencyKey)).size).toBe(1);
  });

  test("RUN-23 a changed one is shown anew and runs once it is confirmed afresh, under the same key", async () => {
    const { world, scene, session, verify } = await waiting();
    world.look = () => ({ ...plan, targets: [order("8")] });
    expect(granted(await verify()).resumed).toEqual([]);
    const next = await cardOf(scene, session);
    expect(next).toMatchObject({ state: "proposed", version: 2 });
    expect(scene.calls).toHaveLength(1);
    expect(granted(await confirm(scene, session, next)).card.state).toBe("applied");
    expect(scene.calls.map(({ context }) => context.attempt)).toEqual([1, 2]);
    expect(new Set(scene.calls.map(({ context }) => context.idempotencyKey)).size).toBe(1);
  });

  test("RUN-23 one that nobody can look at is shown again too", async () => {
    const { world, scene, session, verify } = await waiting();
    world.look = () => {
      throw new Error("down");
    };
    granted(await verify());
    expect(await cardOf(scene, session)).toMatchObject({ state: "proposed", version: 2, changes: [] });
    expect(scene.calls).toHaveLength(1);
  });

  test("RUN-23 one that has nothing left to do, or is refused now, ends with nothing changed", async () => {
    for (const look of [() => ({ noop: true }), () => rejected("Sent.")]) {
      const { world, scene, session, verify } = await waiting();
      world.look = look;
      granted(await verify());
      expect((await cardOf(scene, session)).state).toBe("not_applied");
      expect(scene.calls).toHaveLength(1);
    }
  });
});

test("FLOW-27 a bound that grows with time reads as a number on a later version too", async () => {
  const price = {
    type: "price",
    label: "Price",
    before: null,
    after: 100,
    tolerance: { perSecond: 0.5 },
  } as const;
  const { scene, session, card } = await previewed({ preview: () => ({ effects: [price] }) });
  await scene.clock.advance(333);
  const edit = { session, writeId: card.writeId, version: 1, values: { "/reason": "other" } };
  const { card: edited } = granted(await scene.engine.customer.edit(edit));
  expect(edited.effects[0]?.tolerance).toBe("at least -350, at most 550");
});
