import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { ConfigurationError } from "../base/errors.ts";
import { defineTool } from "./define-tool.ts";
import { rejected } from "./outcome.ts";

const cancelOrder = defineTool({
  name: "cancel_order",
  title: "Cancel order",
  description: "Cancels an open order.",
  effect: "write",
  recovery: "operator",
  input: z.object({ orderId: z.string(), count: z.number().int().default(1) }),
  output: z.object({ status: z.string() }),
  handler: (args, context) => {
    expectTypeOf(args).toEqualTypeOf<{ orderId: string; count: number }>();
    expectTypeOf(context.idempotencyKey).toEqualTypeOf<string>();
    return args.orderId === "" ? rejected("There is no such order.") : { status: "cancelled" };
  },
});

test("TOOL-3 defaults are filled in, so that what runs is what is shown", async () => {
  expect(await cancelOrder.parseInput({ orderId: "A-1" })).toEqual({
    args: { count: 1, orderId: "A-1" },
    text: '{"count":1,"orderId":"A-1"}',
  });
});

test("TOOL-3 an argument the schema would drop is an error, named by its pointer", async () => {
  expect(await cancelOrder.parseInput({ orderId: "A-1", why: "late" })).toEqual({
    issues: [{ pointer: "/why", message: "is not an argument of this tool" }],
  });
});

test("TOOL-1 a tool without a stated effect is refused", () => {
  const broken = {
    ...{ name: "x", title: "X", description: "X", input: z.object({}), output: z.any(), handler: () => 1 },
  };
  expect(() => defineTool(broken as never)).toThrow(
    new ConfigurationError('tool "x": effect is missing: state "read" or "write"; it is never inferred'),
  );
});

test("TOOL-1 a misspelt property is refused with the near match", () => {
  expect(() =>
    defineTool({
      name: "x",
      title: "X",
      description: "X",
      effect: "write",
      recovery: "operator",
      confirmaton: "none",
      input: z.object({}),
      output: z.any(),
      handler: () => 1,
    } as never),
  ).toThrow('tool "x": "confirmaton" is not a property. Did you mean "confirmation"?');
});
