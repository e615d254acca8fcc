import { describe, expect, test } from "vitest";
import { z } from "zod";
import { rejected } from "../tool/outcome.ts";
import { call, makeScene, ran, type Scene } from "./fixtures.ts";

const unreadable = (): object =>
  new Proxy(
    {},
    {
      get: (_target, key) => {
        if (key === "then") return undefined;
        throw new Error("MARK-SECRET");
      },
      has: () => {
        throw new Error("MARK-SECRET");
      },
    },
  );
const outcome = (members: object): object => ({ [Symbol.for("countersign.outcome")]: "pending", ...members });

const table: readonly [string, () => unknown, string][] = [
  ["a value that cannot be read", unreadable, "applied"],
  ["a rejection whose message is an error", () => rejected(new Error("MARK-SECRET") as never), "not_applied"],
  ["a rejection without message", () => rejected(undefined as never), "not_applied"],
  ["a reference that is no text", () => outcome({ operationRef: { id: 1 } }), "unknown"],
  [
    "a pending outcome whose message is a number",
    () => outcome({ operationRef: "op-1", message: 5n }),
    "pending",
  ],
  [
    "a step-up to a level that does not exist",
    () => ({ [Symbol.for("countersign.outcome")]: "step_up_required", level: "highest" }),
    "unknown",
  ],
];

describe("RUN-2 whatever a handler hands over is recorded at once, and only texts are told", () => {
  test.each(table)("%s", async (_name, handler, state) => {
    const { scene, card } = await ran(handler);
    expect(card.state).toBe(state);
    const answers = [card, await scene.engine.operator.journal(card.writeId)];
    expect(JSON.stringify(answers)).not.toMatch(/MARK-SECRET|undefined/);
  });
});

test("RUN-8 a status check that answers with what cannot be read counts as one that found nothing out", async () => {
  const { scene, card } = await ran(() => {
    throw new Error("no answer");
  });
  scene.status = unreadable;
  await scene.clock.advance(6000);
  expect(await scene.engine.runDue()).toBe(1);
  expect(await scene.engine.operator.read(card.writeId)).toMatchObject({ state: "unknown", checks: 1 });
});

test.each<[string, Scene["read"]]>([
  ["cannot be read", unreadable],
  ["is a rejection with an error for a message", () => rejected(new Error("MARK-SECRET") as never)],
  ["is a rejection with a number for a message", () => rejected(5n as never)],
])("RUN-2 a read whose answer %s failed", async (_name, read) => {
  const scene = makeScene();
  scene.read = read;
  expect(await call(scene, "find_order", { orderId: "A-1042" })).toEqual({ refused: "tool_failed" });
});

test("RUN-3 a result is what it was when the handler returned, also where the schema hands it through", async () => {
  const answer = { status: "cancelled" };
  const { scene, card } = await ran(() => answer, { tool: { output: z.any(), presentation: undefined } });
  answer.status = "changed later";
  expect(await scene.engine.agent.read({ agent: "bot", writeId: card.writeId })).toMatchObject({
    state: "applied",
    result: { status: "cancelled" },
  });
  const strange = await ran(unreadable, { tool: { output: z.any(), presentation: undefined } });
  expect(await strange.scene.engine.operator.read(strange.card.writeId)).toMatchObject({
    state: "applied",
    result: null,
    needsAttention: true,
  });
});
