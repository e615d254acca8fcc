import fc from "fast-check";
import { endings, looks, statusEndings } from "./endings.ts";
import { writeTools } from "./shop-tools.ts";
import type { Action, Step } from "./steps.ts";
import type { World } from "./world.ts";

// Around every limit that exists: timeouts, leases, gaps of checks, expiry, a day; and a clock that was set back.
const jumps: readonly number[] = [
  1, 500, 5_000, 14_999, 15_000, 20_001, 45_000, 60_000, 300_000, 599_999, 600_000, 899_999, 900_000,
  3_600_000, 86_400_000, -3_000,
];

const few = fc.nat({ max: 2 });
const screen = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.nat({ max: 5 }) },
);
const afresh = fc.constantFrom(true, true, false);

function action<Do extends Action["do"]>(
  name: Do,
  rest: { readonly [Member in keyof Omit<Extract<Action, { do: Do }>, "do">]: fc.Arbitrary<unknown> },
): fc.Arbitrary<Action> {
  return fc.record({ do: fc.constant(name), ...rest }) as unknown as fc.Arbitrary<Action>;
}

// Conversation 0 gets half of everything: what matters happens where people meet.
const conversation = fc.oneof(fc.constant(0), few);

const actions = fc.oneof(
  {
    weight: 6,
    arbitrary: action("verify", {
      conversation,
      person: fc.nat({ max: 1 }),
      level: fc.constantFrom(2, 2, 1, 0),
    }),
  },
  { weight: 2, arbitrary: action("signOut", { conversation }) },
  { weight: 4, arbitrary: action("look", { conversation }) },
  {
    weight: 12,
    arbitrary: action("propose", {
      conversation,
      agent: fc.nat({ max: 1 }),
      tool: fc.nat({ max: writeTools.length - 1 }),
      args: fc.nat({ max: 7 }),
      clientKey: few,
    }),
  },
  { weight: 1, arbitrary: action("find", { conversation, clientKey: few }) },
  { weight: 2, arbitrary: action("read", { write: few }) },
  { weight: 1, arbitrary: action("withdraw", { write: few }) },
  { weight: 14, arbitrary: action("confirm", { screen, afresh, waits: fc.boolean() }) },
  { weight: 1, arbitrary: action("decline", { screen, afresh }) },
  { weight: 1, arbitrary: action("undo", { screen, afresh }) },
  { weight: 2, arbitrary: action("reprice", { by: fc.constantFrom(1, 4, 5, 6, -5, -6) }) },
  { weight: 1, arbitrary: action("extend", { screen, afresh }) },
  { weight: 5, arbitrary: action("edit", { screen, afresh, value: fc.nat({ max: 9 }) }) },
  { weight: 2, arbitrary: action("resolve", { write: few }) },
  { weight: 1, arbitrary: action("inspect", { write: few }) },
  { weight: 4, arbitrary: action("due", {}) },
  { weight: 1, arbitrary: action("finish", { which: few, done: fc.boolean() }) },
  { weight: 3, arbitrary: action("crash", {}) },
  {
    weight: 1,
    arbitrary: action("break", {
      failing: fc.constantFrom("before", "after"),
      times: fc.integer({ min: 1, max: 5 }),
    }),
  },
  { weight: 6, arbitrary: action("advance", { ms: fc.constantFrom(...jumps) }) },
  { weight: 2, arbitrary: action("release", {}) },
);

const step: fc.Arbitrary<Step> = fc
  .tuple(
    actions,
    fc.record({
      process: few,
      ending: fc.nat({ max: endings.length - 1 }),
      status: fc.nat({ max: statusEndings.length - 1 }),
      look: fc.nat({ max: looks.length - 1 }),
      releases: fc.oneof(
        { weight: 3, arbitrary: fc.constant(null) },
        { weight: 2, arbitrary: fc.nat({ max: 12 }) },
      ),
      seed: fc.nat({ max: 9_999 }),
    }),
  )
  .map(([what, how]) => ({ ...what, ...how }));

type Nothing = Record<string, never>;

const command: fc.Arbitrary<fc.AsyncCommand<Nothing, World>> = step.map((data) => ({
  check: () => true,
  run: (_model, world) => world.perform(data),
  toString: () => JSON.stringify(data),
}));

/** Sequences of steps, as commands of fast-check's model-based testing. */
export function sequences(maxSteps: number): fc.Arbitrary<Iterable<fc.AsyncCommand<Nothing, World>>> {
  return fc.commands([command], { maxCommands: maxSteps, size: "max" });
}
