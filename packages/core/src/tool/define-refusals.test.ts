import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { ConfigurationError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import type { ReadTool, WriteTool } from "./define.ts";
import { defineTool } from "./define-tool.ts";
import { applied, pending, rejected, type StepUpRequired } from "./outcome.ts";
import { stepUpFromChallenge } from "./step-up-challenge.ts";

const read = {
  name: "find_order",
  title: "Find order",
  description: "Looks an order up.",
  effect: "read",
  input: z.object({ orderId: z.string() }),
  output: z.object({ total: z.number() }),
  handler: () => ({ total: 1 }),
};
const write = { ...read, name: "cancel_order", effect: "write", recovery: "operator" };

const define = (definition: object): WriteTool | ReadTool => defineTool(definition as never);

test.each([
  ["find_order", { ...read, name: "" }, 'tool "": name must be 1 to 64 letters, digits, _ or -'],
  [
    "find_order",
    { ...read, name: "find order" },
    'tool "find order": name must be 1 to 64 letters, digits, _ or -',
  ],
  [
    "find_order",
    { ...read, name: undefined },
    'tool "undefined": name must be 1 to 64 letters, digits, _ or -',
  ],
  ["find_order", { ...read, title: " " }, 'tool "find_order": title is missing'],
  ["find_order", { ...read, description: undefined }, 'tool "find_order": description is missing'],
  [
    "find_order",
    { ...read, effect: undefined },
    'tool "find_order": effect is missing: state "read" or "write"; it is never inferred',
  ],
  ["find_order", { ...read, effect: "update" }, 'tool "find_order": effect must be "read" or "write"'],
  ["find_order", { ...read, customer: "someone" }, 'tool "find_order": customer must be "verified" or "any"'],
  ["find_order", { ...read, handler: undefined }, 'tool "find_order": handler is missing'],
  [
    "find_order",
    { ...read, timeoutSeconds: 0 },
    'tool "find_order": timeoutSeconds must be a whole number from 1 to 300, not 0',
  ],
  [
    "find_order",
    { ...read, timeoutSeconds: 301 },
    'tool "find_order": timeoutSeconds must be a whole number from 1 to 300, not 301',
  ],
  [
    "find_order",
    { ...read, timeoutSeconds: 1.5 },
    'tool "find_order": timeoutSeconds must be a whole number from 1 to 300, not 1.5',
  ],
  [
    "find_order",
    { ...read, recovery: "status" },
    'tool "find_order": "recovery" is not a property for a read tool.',
  ],
  [
    "find_order",
    { ...read, input: undefined },
    'tool "find_order": input must be a Standard Schema, such as a zod object',
  ],
  [
    "find_order",
    { ...read, output: {} },
    'tool "find_order": output must be a Standard Schema, such as a zod object',
  ],
  ["find_order", { ...read, input: z.string() }, 'tool "find_order": input must be an object schema'],
  [
    "cancel_order",
    { ...write, confirmation: "maybe" },
    'tool "cancel_order": confirmation must be "required" or "none"',
  ],
  [
    "cancel_order",
    { ...write, risk: "extreme" },
    'tool "cancel_order": risk must be "low" or "standard" or "high"',
  ],
  [
    "cancel_order",
    { ...write, recovery: undefined },
    'tool "cancel_order": recovery is missing: state "status", "same_key" or "operator"',
  ],
  [
    "cancel_order",
    { ...write, recovery: "retry" },
    'tool "cancel_order": recovery must be "status" or "same_key" or "operator"',
  ],
  [
    "cancel_order",
    { ...write, recovery: "status" },
    'tool "cancel_order": recovery "status" needs a status handler',
  ],
  [
    "cancel_order",
    { ...write, confirmation: "none", risk: "high" },
    'tool "cancel_order": risk "high" cannot run without confirmation',
  ],
  [
    "cancel_order",
    { ...write, whilePending: "wait" },
    'tool "cancel_order": whilePending must be "block" or "allow"',
  ],
  [
    "cancel_order",
    { ...write, expiresInSeconds: 0 },
    'tool "cancel_order": expiresInSeconds must be a whole number from 1 to 86400, not 0',
  ],
  [
    "cancel_order",
    { ...write, extend: { seconds: 60 } },
    'tool "cancel_order": extend.times must be a whole number from 1 to 100, not undefined',
  ],
  [
    "cancel_order",
    { ...write, timeoutSecs: 5 },
    'tool "cancel_order": "timeoutSecs" is not a property. Did you mean "timeoutSeconds"?',
  ],
])("TOOL-1 a wrong definition of %s is refused: %#", (_name, definition, message) => {
  const refused = (): unknown => define(definition);
  expect(refused).toThrow(ConfigurationError);
  expect(refused).toThrow(message);
});

test("TOOL-1 a write asks for confirmation of a verified customer unless it says otherwise", () => {
  const tool = define(write) as WriteTool;
  const { confirmation, customer, risk, timeoutSeconds, whilePending, extend, expiresInSeconds } = tool;
  expect({ confirmation, customer, risk, timeoutSeconds, whilePending, extend, expiresInSeconds }).toEqual({
    confirmation: "required",
    customer: "verified",
    risk: "standard",
    timeoutSeconds: 15,
    whilePending: "allow",
    extend: undefined,
    expiresInSeconds: undefined,
  });
});

test("TOOL-7 the version changes with what a decision depends on, and with nothing else", () => {
  const { toolVersion } = define(write);
  const others = [
    { ...write, name: "cancel" },
    { ...write, input: z.object({ orderId: z.string().min(2) }) },
    { ...write, presentation: { title: "Cancel it?" } },
    { ...write, confirmation: "none" },
    { ...write, risk: "low" },
    { ...write, customer: "any" },
    { ...write, version: "2" },
    { ...read, name: "cancel_order" },
  ].map((definition) => define(definition).toolVersion);
  expect(new Set([toolVersion, ...others]).size).toBe(others.length + 1);
  const same = [
    { ...write, description: "Other words for the agent." },
    { ...write, timeoutSeconds: 30 },
    { ...write, handler: () => 2 },
    { ...write, confirmation: "required", risk: "standard", customer: "verified" },
  ].map((definition) => define(definition).toolVersion);
  expect(new Set([toolVersion, ...same])).toEqual(new Set([toolVersion]));
});

test("TOOL-8 types flow from the schemas", () => {
  const tool = defineTool({
    name: "refund",
    title: "Refund",
    description: "Refunds an order.",
    effect: "write",
    recovery: "status",
    input: z.object({ orderId: z.string(), cents: z.number().int().optional() }),
    output: z.object({ status: z.enum(["done", "queued"]) }),
    handler(args, context) {
      expectTypeOf(args).toEqualTypeOf<{ orderId: string; cents?: number | undefined }>();
      expectTypeOf(context.idempotencyKey).toEqualTypeOf<string>();
      expectTypeOf(context.secrets.get).returns.toEqualTypeOf<string>();
      expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
      const stepUp = stepUpFromChallenge(null);
      expectTypeOf(stepUp).toEqualTypeOf<StepUpRequired | undefined>();
      if (stepUp) return stepUp;
      if (args.cents === 0) return rejected("There is nothing to refund.");
      return args.cents === 1 ? pending("op-1") : { status: "done" as const };
    },
    status(known) {
      expectTypeOf(known.operationRef).toEqualTypeOf<string | undefined>();
      return applied({ status: "done" as const });
    },
  });
  expectTypeOf(tool).toEqualTypeOf<WriteTool>();
  expectTypeOf(tool.parseInput)
    .returns.resolves.extract<{ args: unknown }>()
    .toHaveProperty("args")
    .toEqualTypeOf<JsonObject>();
  defineTool({
    name: "find",
    title: "Find",
    description: "Finds.",
    effect: "read",
    input: z.object({}),
    output: z.object({ total: z.number() }),
    handler(_args, context) {
      // @ts-expect-error a read has no key
      expect(context.idempotencyKey).toBeUndefined();
      return { total: 1 };
    },
  });
  defineTool({
    name: "find",
    title: "Find",
    description: "Finds.",
    effect: "read",
    input: z.object({}),
    output: z.object({ total: z.number() }),
    // @ts-expect-error the value does not fit the output
    handler: () => ({ total: "1" }),
  });
});
