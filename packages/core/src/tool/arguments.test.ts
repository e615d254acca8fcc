import { expect, test } from "vitest";
import { z } from "zod";
import { ConfigurationError } from "../base/errors.ts";
import { maxArgumentBytes } from "../base/json.ts";
import type { ToolSchema } from "../base/schema.ts";
import type { WriteTool } from "./define.ts";
import { defineTool } from "./define-tool.ts";

function toolWith(input: z.ZodType): WriteTool {
  return defineTool({
    name: "note",
    title: "Note",
    description: "Notes something.",
    effect: "write",
    recovery: "operator",
    input: input as unknown as ToolSchema,
    output: z.unknown() as unknown as ToolSchema,
    handler: () => null,
  });
}

const noted = toolWith(z.object({ text: z.string(), more: z.json().optional() }));

test("TOOL-3 what the schema adds or rewrites is in the arguments, in canonical form", async () => {
  const tool = toolWith(z.object({ b: z.string().trim(), a: z.number().default(1) }));
  expect(await tool.parseInput({ b: " x " })).toEqual({ args: { a: 1, b: "x" }, text: '{"a":1,"b":"x"}' });
});

test("TOOL-3 arguments the schema would drop are named, at every depth", async () => {
  const tool = toolWith(z.object({ list: z.array(z.object({ id: z.string() })) }));
  expect(await tool.parseInput({ list: [{ id: "a" }, { id: "b", extra: 1 }], other: 1 })).toEqual({
    issues: [
      { pointer: "/list/1/extra", message: "is not an argument of this tool" },
      { pointer: "/other", message: "is not an argument of this tool" },
    ],
  });
});

test.each([[null], ["text"], [7], [[]], [undefined]])("TOOL-2 %j is no set of arguments", async (value) => {
  const parsed = await noted.parseInput(value);
  expect(parsed).toEqual({
    issues: [{ pointer: "", message: value === undefined ? "is not plain JSON" : "must be an object" }],
  });
});

test("TOOL-2 arguments of 64 KiB are taken, one byte more is not", async () => {
  const room = maxArgumentBytes - '{"text":""}'.length;
  expect(await noted.parseInput({ text: "a".repeat(room) })).toHaveProperty("args");
  expect(await noted.parseInput({ text: `é${"a".repeat(room - 1)}` })).toEqual({
    issues: [{ pointer: "", message: `is larger than ${maxArgumentBytes} bytes of canonical JSON` }],
  });
});

test("TOOL-2 an issue of the schema is told with its place", async () => {
  const parsed = await noted.parseInput({ text: 7 });
  expect(parsed).toEqual({
    issues: [{ pointer: "/text", message: expect.stringContaining("expected string") }],
  });
});

test.each([
  ["1e2 and 100", '{"text":"a","more":1e2}', '{"text":"a","more":100}'],
  ["-0 and 0", '{"text":"a","more":-0}', '{"text":"a","more":0}'],
  ["another order of members", '{"text":"a","more":{"x":1,"y":2}}', '{"more":{"y":2,"x":1},"text":"a"}'],
  ["escaped and plain characters", '{"text":"\\u0061"}', '{"text":"a"}'],
])("TOOL-2 %s are the same arguments", async (_name, one, other) => {
  const texts = await Promise.all([one, other].map(async (text) => noted.parseInput(JSON.parse(text))));
  expect(texts[0]).toEqual(texts[1]);
  expect(texts[0]).toHaveProperty("text");
});

test("TOOL-3 a schema that makes something else of its own output is a fault of the tool", async () => {
  const tool = toolWith(z.object({ count: z.number().overwrite((count) => count + 1) }));
  await expect(tool.parseInput({ count: 1 })).rejects.toThrow(
    new ConfigurationError(
      'tool "note": parsing its arguments twice does not give the same; change its input schema',
    ),
  );
});

test("TOOL-3 a schema that makes something else than plain data is a fault of the tool", async () => {
  const tool = toolWith(z.object({ when: z.string().overwrite(() => undefined as unknown as string) }));
  await expect(tool.parseInput({ when: "now" })).rejects.toThrow(
    'tool "note": the parsed argument at "/when" is not plain JSON',
  );
});

test("RUN-3 a handler's value is checked: nothing is null, foreign objects and odd numbers are refused", async () => {
  expect(await noted.parseOutput(undefined)).toEqual({ value: null });
  expect(await noted.parseOutput({ a: [1] })).toEqual({ value: { a: [1] } });
  expect(await noted.parseOutput({ when: new Date(0) })).toEqual({
    issues: [{ pointer: "/when", message: "is not plain JSON" }],
  });
});
