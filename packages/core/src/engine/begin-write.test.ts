import { expect, test } from "vitest";
import type { WriteContext } from "../tool/define.ts";
import { stepUpRequired } from "../tool/outcome.ts";
import { cardOf, confirm, granted, proposed, ran } from "./fixtures.ts";

const quiet = { report: () => {} };
type Handler = (args: unknown, context: WriteContext) => unknown;

async function stateAfter(handler: Handler): Promise<string> {
  return (await ran(() => null, { tool: { handler }, ...quiet })).card.state;
}

const endings: readonly [string, Handler, string][] = [
  [
    "throws before it begins to write",
    (_args, { beginWrite, attempt }) => {
      if (attempt === 1) throw new Error("no such order");
      beginWrite();
    },
    "not_applied",
  ],
  [
    "throws after it began",
    (_args, context) => {
      context.beginWrite();
      throw new Error("lost");
    },
    "unknown",
  ],
  [
    "throws later, after it began",
    async (_args, context) => {
      await null;
      context.beginWrite();
      await null;
      throw new Error("lost");
    },
    "unknown",
  ],
  [
    "asks for a better sign-in before it begins",
    (_args, context) => {
      if (context.attempt === 1) return stepUpRequired({ level: "high" });
      context.beginWrite();
      return { status: "cancelled" };
    },
    "awaiting_verification",
  ],
  [
    "asks for a better sign-in after it began",
    (_args, context) => {
      context.beginWrite();
      return stepUpRequired({ level: "high" });
    },
    "unknown",
  ],
  [
    "began and returns",
    (_args, context) => {
      context.beginWrite();
      return { status: "cancelled" };
    },
    "applied",
  ],
  [
    "only speaks of it",
    () => {
      // beginWrite() is not called here, and "beginWrite()" is a text.
      throw new Error('"beginWrite()"');
    },
    "unknown",
  ],
];

test.each(endings)("RUN-20 a handler that %s", async (_what, handler, state) => {
  expect(await stateAfter(handler)).toBe(state);
});

test("RUN-20 a handler that hangs before it begins is unknown, and cannot begin after its time", async () => {
  const begun: unknown[] = [];
  let goOn = (): void => {};
  const { scene, session, card } = await proposed({
    tool: {
      async handler(_args: unknown, context: WriteContext) {
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
        try {
          context.beginWrite();
        } catch (error) {
          begun.push((error as Error).message);
        }
      },
    },
    ...quiet,
  });
  const confirming = confirm(scene, session, card, { waitMs: 60_000 });
  await scene.clock.advance(15_000);
  expect(granted(await confirming).card.state).toBe("unknown");
  goOn();
  await scene.engine.stop();
  expect(begun).toEqual(["the time of this run is over; nothing may be changed any more"]);
});

test("RUN-2 what a handler returns that is no outcome after all is unknown, with the reason in the journal", async () => {
  const reasonOf = async (handler: Handler): Promise<unknown> => {
    const { scene, card } = await ran(handler as never, quiet);
    const { events } = granted(await scene.engine.operator.journal(card.writeId));
    return [card.state, events.at(-1)?.body.reason];
  };
  const { pending } = await import("../tool/outcome.ts");
  const refs = ["", "x".repeat(257), "a\tb", "é"];
  for (const ref of refs) {
    expect(await reasonOf(() => pending(ref))).toEqual(["unknown", "invalid_operation_ref"]);
    expect(await reasonOf(() => ({ ...pending("good"), operationRef: ref }))).toEqual([
      "unknown",
      "invalid_operation_ref",
    ]);
  }
  expect(await reasonOf(() => ({ ...stepUpRequired({ level: "high" }), level: "top" }))).toEqual([
    "unknown",
    "invalid_outcome",
  ]);
});

test("RUN-20 the card after a throw before writing says that nothing was changed", async () => {
  const handler: Handler = (_args, context) => {
    if (context.attempt === 1) throw new Error("10.0.0.7 refused");
    context.beginWrite();
  };
  const { scene, session } = await ran(() => null, { tool: { handler }, ...quiet });
  expect((await cardOf(scene, session)).receipt).toMatchObject({
    outcome: "not_applied",
    title: "Not done. Nothing was changed.",
    message: null,
  });
});
