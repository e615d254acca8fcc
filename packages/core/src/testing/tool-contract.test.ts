import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Tool, WriteContext, WriteTool } from "../tool/define.ts";
import { defineTool } from "../tool/define-tool.ts";
import { applied, rejected } from "../tool/outcome.ts";
import { type ToolSubject, toolContract } from "./tool-contract.ts";

/** A provider in memory, and a tool for it with `parts` in place of its own. */
function subjectWith(parts: { readonly [part: string]: unknown } = {}): ToolSubject {
  const made = new Map<string, string>();
  let orders = 0;
  let looks = 0;
  const world = {
    make(key: string): { id: string } {
      made.set(key, made.get(key) ?? `c-${made.size + 1}`);
      return { id: made.get(key) as string };
    },
    countLook: () => {
      looks += 1;
      return looks;
    },
  };
  const own = {
    name: "cancel_order",
    title: "Cancel order",
    description: "Cancels an order.",
    effect: "write",
    recovery: "status",
    input: z.strictObject({ orderId: z.string(), note: z.string().optional() }),
    output: z.object({ id: z.string() }),
    presentation: { fields: [{ argument: "orderId", label: "Order" }], omit: ["note"] },
    preview: (args: { orderId: string }) => ({ items: [args.orderId] }),
    handler: (_args: object, context: WriteContext) => {
      context.signal.throwIfAborted();
      return world.make(context.idempotencyKey);
    },
    status: (_known: object, { idempotencyKey }: WriteContext) =>
      made.has(idempotencyKey) ? applied(world.make(idempotencyKey)) : rejected("It was never sent."),
  };
  const changed = Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, typeof part === "function" ? part(world) : part]),
  );
  return {
    tool: defineTool({ ...own, ...changed } as never) as Tool as WriteTool,
    arguments: () => {
      orders += 1;
      return { orderId: `A-${orders}`, note: "n" };
    },
    effects: () => made.size,
  };
}

type World = { make(key: string): { id: string }; countLook(): number };

describe("a tool that keeps the contract", () => {
  for (const { name, run } of toolContract(subjectWith())) test(`TOOL-13 ${name}`, run);
});

const broken: readonly [string, { readonly [part: string]: unknown }, string][] = [
  [
    "forgets an argument on its card",
    { presentation: { fields: [{ argument: "orderId", label: "Order" }] } },
    "every argument has a place on the card, or is left out on purpose",
  ],
  [
    "takes any argument",
    { input: z.looseObject({ orderId: z.string(), note: z.string().optional() }) },
    "an argument that it does not know is refused",
  ],
  [
    "changes its arguments",
    {
      handler: (world: World) => (args: { note: string }, context: WriteContext) => {
        args.note = "changed";
        return world.make(context.idempotencyKey);
      },
    },
    "its handler makes one change, leaves its arguments alone and returns what output describes",
  ],
  [
    "returns something else",
    {
      handler: (world: World) => (_args: object, context: WriteContext) => {
        world.make(context.idempotencyKey);
        return { number: 7 };
      },
    },
    "its handler makes one change, leaves its arguments alone and returns what output describes",
  ],
  [
    "makes a key of its own for each attempt",
    {
      handler:
        (world: World) =>
        (_args: object, { idempotencyKey, attempt }: WriteContext) =>
          world.make(`${idempotencyKey} ${attempt}`),
    },
    "a second attempt under the same key changes nothing more",
  ],
  [
    "does not listen to its signal",
    {
      handler:
        () =>
        (_args: object, { signal }: WriteContext) =>
          signal.aborted ? new Promise(() => {}) : null,
    },
    "its handler ends soon once its signal is aborted",
  ],
  [
    "changes something when it previews",
    {
      preview: (world: World) => () => {
        world.make(`look ${world.countLook()}`);
        return {};
      },
    },
    "its preview changes nothing",
  ],
  [
    "previews something else each time",
    { preview: (world: World) => () => ({ items: [`look ${world.countLook()}`] }) },
    "its preview finds the same twice, so that what is shown can be confirmed",
  ],
  [
    "denies what was done",
    { status: () => () => rejected("No.") },
    "its status handler finds a change whose reply was lost",
  ],
  [
    "claims what was never sent",
    { status: () => () => applied({ id: "c-0" }) },
    "its status handler does not say of a request that was never sent that it was made",
  ],
];

test.each(broken)(
  "TOOL-13 a tool that %s fails that case",
  { timeout: 15_000 },
  async (_what, parts, name) => {
    const found = toolContract(subjectWith(parts)).find((one) => one.name === name);
    await expect(found?.run()).rejects.toThrow();
  },
);
