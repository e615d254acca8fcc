import { describe, expect, test } from "vitest";
import type { Plan } from "../tool/plan.ts";
import { call, cardOf, confirm, granted, makeScene, signIn, writeIn } from "./fixtures.ts";
import { order, plan, previewed } from "./preview-fixtures.ts";

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
