import { expect, test } from "vitest";
import { ConfigurationError } from "../base/errors.ts";
import { checkPlan } from "./check-plan.ts";

const how = { madeAt: 1000, validSeconds: 900 };
const effect = { type: "price", label: "Price", after: 100 };

test("TOOL-11 what a plan leaves out counts as none", () => {
  expect(checkPlan("refund", {}, how)).toStrictEqual({
    targets: [],
    effects: [],
    counts: null,
    items: [],
    warnings: [],
    reversible: null,
    checks: [],
    expected: null,
    ...how,
  });
  expect(checkPlan("refund", { effects: [effect] }, how)).toMatchObject({
    effects: [{ type: "price", label: "Price", before: null, after: 100 }],
  });
});

test("TOOL-11 a plan says that there is nothing to do, whatever else it says", () => {
  expect(checkPlan("refund", { noop: true, items: ["a"] }, how)).toBe("noop");
});

test("TOOL-11 a plan is a copy that its author cannot change any more", () => {
  const items = ["a"];
  const plan = checkPlan("refund", { items }, how);
  items.push("b");
  expect(plan).toMatchObject({ items: ["a"] });
});

const wrong: readonly [string, unknown, string][] = [
  ["nothing", undefined, "plan: give an object"],
  ["a misspelt part", { effect: [] }, 'plan: "effect" is not known here. Did you mean "effects"?'],
  ["a noop that is no flag", { noop: "yes" }, "plan.noop: give true or false."],
  ["a target without version", { targets: [{ type: "o", id: "1" }] }, "plan.targets[0].version: give a text"],
  ["an effect without label", { effects: [{ type: "x", after: 1 }] }, "plan.effects[0].label: give a text"],
  [
    "an effect without values",
    { effects: [{ type: "x", label: "X" }] },
    "plan.effects[0]: give before, after",
  ],
  ["an unknown format", { effects: [{ ...effect, format: "cash" }] }, "plan.effects[0].format: give one of"],
  [
    "money without currency",
    { effects: [{ ...effect, format: "money" }] },
    "plan.effects[0].currency: money",
  ],
  [
    "two tolerances",
    { effects: [{ ...effect, tolerance: { absolute: 1, relative: 1 } }] },
    "plan.effects[0].tolerance: give one of",
  ],
  [
    "a negative tolerance",
    { effects: [{ ...effect, tolerance: { absolute: -1 } }] },
    "plan.effects[0].tolerance.absolute: give a number",
  ],
  [
    "a tolerance of a text",
    { effects: [{ ...effect, after: "100", tolerance: { absolute: 1 } }] },
    'plan.effects[0].tolerance: only a number in "after"',
  ],
  ["half of the counts", { counts: { add: 1 } }, "plan.counts.change: give a whole number"],
  [
    "a count below zero",
    { counts: { add: -1, change: 0, remove: 0 } },
    "plan.counts.add: give a whole number",
  ],
  ["an item that is no text", { items: [7] }, "plan.items[0]: give a text"],
  ["an expectation without result", { expected: { responseType: "Order" } }, "plan.expected.projected: give"],
  [
    "a value that is no JSON",
    { effects: [{ ...effect, after: new Date(0) }] },
    "plan./effects/0/after: is not",
  ],
  ["half a character", { items: ["\ud800"] }, "plan./items/0: holds half"],
  ["more than can be shown", { items: ["x".repeat(70_000)] }, "plan: it is larger than 65536 characters"],
];

test.each(wrong)("TOOL-11 a plan with %s is refused by place", (_what, plan, problem) => {
  expect(() => checkPlan("refund", plan, how)).toThrow(ConfigurationError);
  expect(() => checkPlan("refund", plan, how)).toThrow(`Tool "refund", ${problem}`);
});
