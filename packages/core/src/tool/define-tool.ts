import { canonical } from "../base/canonical.ts";
import { sha256 } from "../base/digest.ts";
import { ConfigurationError } from "../base/errors.ts";
import {
  findJsonFault,
  isPlainObject,
  type Json,
  type JsonObject,
  maxArgumentBytes,
  sameJson,
} from "../base/json.ts";
import { type Pointer, pointerOf, toPointer } from "../base/pointer.ts";
import { type Issue, type JsonSchema, parseWith, type ToolSchema } from "../base/schema.ts";
import type { Fail } from "./check-text.ts";
import type { ReadDefinition, ReadTool, ToolDefinition, WriteDefinition, WriteTool } from "./define.ts";
import { checkList, resolvePointer } from "./resolve-display.ts";
import { resolvePresentation } from "./resolve-presentation.ts";
import { contains } from "./resolve-receipt.ts";
import { suggestion } from "./suggest.ts";

type Parsed = { readonly args: JsonObject; readonly text: string } | { readonly issues: readonly Issue[] };

const utf8 = new TextEncoder();

/** Members of the input that are missing in what the schema made of it: they would be dropped in silence. */
function droppedMembers(before: unknown, after: unknown, path: readonly string[] = []): Issue[] {
  if (Array.isArray(before) && Array.isArray(after)) {
    return before.flatMap((item, index) => droppedMembers(item, after[index], [...path, String(index)]));
  }
  if (!isPlainObject(before) || !isPlainObject(after)) return [];
  return Object.keys(before).flatMap((key) =>
    Object.hasOwn(after, key)
      ? droppedMembers(before[key], after[key], [...path, key])
      : [{ pointer: pointerOf([...path, key]), message: "is not an argument of this tool" }],
  );
}

function inputParser(
  name: string,
  schema: ToolSchema<unknown, unknown>,
): (value: unknown) => Promise<Parsed> {
  const fault = (what: string): never => {
    throw new ConfigurationError(`tool "${name}": ${what}; change its input schema`);
  };
  return async (value) => {
    const foreign = findJsonFault(value);
    if (foreign) return { issues: [foreign] };
    if (!isPlainObject(value)) return { issues: [{ pointer: "", message: "must be an object" }] };
    const first = await parseWith(schema, value);
    if ("issues" in first) return first;
    // What the schema leaves as it is cannot have dropped anything, and parses to the same again.
    const untouched = sameJson(first.value, value);
    const dropped = untouched ? [] : droppedMembers(value, first.value);
    if (dropped.length > 0) return { issues: dropped };
    const made = untouched ? undefined : findJsonFault(first.value);
    if (made) fault(`the parsed argument at "${made.pointer}" ${made.message}`);
    const text = canonical(first.value);
    if (text.length * 3 > maxArgumentBytes && utf8.encode(text).length > maxArgumentBytes) {
      return {
        issues: [{ pointer: "", message: `is larger than ${maxArgumentBytes} bytes of canonical JSON` }],
      };
    }
    if (!untouched) {
      const again = await parseWith(schema, first.value);
      if ("issues" in again || !sameJson(again.value, first.value)) {
        fault("parsing its arguments twice does not give the same");
      }
    }
    return { args: JSON.parse(text) as JsonObject, text };
  };
}

function outputParser(schema: ToolSchema<unknown, unknown>): ReadTool["parseOutput"] {
  return async (value) => {
    if (value === undefined) return { value: null };
    const parsed = await parseWith(schema, value);
    if ("issues" in parsed) return parsed;
    const fault = findJsonFault(parsed.value);
    if (fault) return { issues: [fault] };
    // A schema may hand the author's own object through: told is what it held now, whatever becomes of it.
    return { value: JSON.parse(JSON.stringify(parsed.value)) as Json };
  };
}

const commonKeys = [
  "name",
  "title",
  "description",
  "version",
  "effect",
  "input",
  "output",
  "customer",
  "timeoutSeconds",
  "handler",
];
const writeKeys = [
  ...commonKeys,
  ...[
    "confirmation",
    "risk",
    "access",
    "extend",
    "expiresInSeconds",
    "recovery",
    "whilePending",
    "presentation",
    "oneTime",
    "preview",
    "status",
  ],
];

function checkWholeNumber(
  at: (what: string) => never,
  what: string,
  value: number,
  least: number,
  most: number,
): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    at(`${what} must be a whole number from ${least} to ${most}, not ${String(value)}`);
  }
}

function checkOneOf(
  at: (what: string) => never,
  what: string,
  value: unknown,
  allowed: readonly string[],
): void {
  if (!allowed.includes(value as string))
    at(`${what} must be ${allowed.map((one) => `"${one}"`).join(" or ")}`);
}

function checkCommon(definition: ToolDefinition<never, never, never>, at: (what: string) => never): void {
  const { name, title, description, effect, timeoutSeconds = 15, customer = "verified" } = definition;
  if (typeof name !== "string" || !/^[A-Za-z0-9_-]{1,64}$/.test(name))
    at("name must be 1 to 64 letters, digits, _ or -");
  if (typeof title !== "string" || title.trim() === "") at("title is missing");
  if (typeof description !== "string" || description.trim() === "") at("description is missing");
  if (effect === undefined) at('effect is missing: state "read" or "write"; it is never inferred');
  checkOneOf(at, "effect", effect, ["read", "write"]);
  checkOneOf(at, "customer", customer, ["verified", "any"]);
  checkWholeNumber(at, "timeoutSeconds", timeoutSeconds, 1, 300);
  if (typeof definition.handler !== "function") at("handler is missing");
  const known = effect === "write" ? writeKeys : commonKeys;
  const unknown = Object.keys(definition).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    const place = effect === "read" && writeKeys.includes(unknown) ? " for a read tool" : "";
    at(`"${unknown}" is not a property${place}.${suggestion(unknown, known)}`);
  }
}

function jsonSchemaOf(
  schema: ToolSchema<unknown, unknown>,
  side: "input" | "output",
  at: (what: string) => never,
): JsonSchema {
  if (typeof schema?.["~standard"]?.validate !== "function")
    at(`${side} must be a Standard Schema, such as a zod object`);
  if (typeof schema["~standard"].jsonSchema?.[side] !== "function") {
    at(
      `${side} cannot give its JSON Schema; use a library that follows Standard JSON Schema, such as zod 4.2 or later`,
    );
  }
  return JSON.parse(JSON.stringify(schema["~standard"].jsonSchema[side]({ target: "draft-2020-12" })));
}

function checkWrite(definition: WriteDefinition<never, never, never>, at: (what: string) => never): void {
  const {
    confirmation = "required",
    risk = "standard",
    recovery,
    extend,
    expiresInSeconds,
    whilePending = "allow",
  } = definition;
  checkOneOf(at, "confirmation", confirmation, ["required", "none"]);
  checkOneOf(at, "risk", risk, ["low", "standard", "high"]);
  checkOneOf(at, "whilePending", whilePending, ["block", "allow"]);
  if (recovery === undefined) at('recovery is missing: state "status", "same_key" or "operator"');
  checkOneOf(at, "recovery", recovery, ["status", "same_key", "operator"]);
  if (recovery === "status" && typeof definition.status !== "function")
    at('recovery "status" needs a status handler');
  for (const name of ["preview", "status"] as const) {
    if (definition[name] !== undefined && typeof definition[name] !== "function")
      at(`${name} must be a function`);
  }
  if (confirmation === "none" && risk === "high") at('risk "high" cannot run without confirmation');
  if (extend) {
    checkWholeNumber(at, "extend.seconds", extend.seconds, 1, 86_400);
    checkWholeNumber(at, "extend.times", extend.times, 1, 100);
  }
  if (expiresInSeconds !== undefined) checkWholeNumber(at, "expiresInSeconds", expiresInSeconds, 1, 86_400);
}

/** The places of the result that are never stored: each of the output schema, and none of them on the receipt. */
function resolveOneTime(
  { oneTime, presentation }: WriteDefinition<never, never, never>,
  outputSchema: JsonSchema,
  at: (what: string) => never,
): readonly Pointer[] {
  const fail: Fail = (where, problem) => at(`${where}: ${problem}`);
  const pointers = checkList(oneTime, "oneTime", fail).map((text, index) =>
    resolvePointer(text, outputSchema, `oneTime[${index}]`, fail),
  );
  for (const field of presentation?.receipt?.fields ?? []) {
    if (!("result" in field)) continue;
    const shown = toPointer(field.result);
    const secret = pointers.find((pointer) => contains(shown, pointer) || contains(pointer, shown));
    if (secret !== undefined)
      at(
        `presentation.receipt shows "${shown}", and "${secret}" is handed out once and never stored; remove one`,
      );
  }
  return pointers;
}

// A call, not a word in a comment or text: those are taken out first.
const asides = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;

/**
 * Whether a handler tells where it begins to write. Its code is the only witness: a handler that throws before that has not
 * called anything yet. One whose code cannot be read, or leaves it to a function of its own, counts as one that does not.
 */
function marksWriting(handler: (...given: never[]) => unknown): boolean {
  const code = Function.prototype.toString.call(handler).replaceAll(asides, "");
  return /\bbeginWrite\s*(?:\?\.)?\(/.test(code);
}

type Checked = Pick<
  ReadTool,
  | "name"
  | "title"
  | "description"
  | "customer"
  | "timeoutSeconds"
  | "inputSchema"
  | "outputSchema"
  | "parseInput"
  | "parseOutput"
>;

function readTool(definition: ReadDefinition<never, never, never>, common: Checked): ReadTool {
  const version = { name: common.name, input: common.inputSchema, effect: "read", customer: common.customer };
  return {
    ...common,
    effect: "read",
    toolVersion: sha256(canonical({ ...version, version: definition.version ?? null })),
    handler: definition.handler as ReadTool["handler"],
  };
}

function writeTool(
  definition: WriteDefinition<never, never, never>,
  common: Checked,
  at: (what: string) => never,
): WriteTool {
  const { name, inputSchema, customer } = common;
  const { confirmation = "required", risk = "standard", presentation } = definition;
  const authored: Json = presentation === undefined ? null : JSON.parse(JSON.stringify(presentation));
  const version = {
    name,
    input: inputSchema,
    presentation: authored,
    effect: "write",
    confirmation,
    risk,
    customer,
  };
  return {
    ...common,
    effect: "write",
    confirmation,
    risk,
    access: definition.access ?? { roles: ["owner", "admin"], scopes: ["mcp:write"] },
    extend: definition.extend,
    expiresInSeconds: definition.expiresInSeconds,
    recovery: definition.recovery,
    whilePending: definition.whilePending ?? "allow",
    presentation: resolvePresentation(common, presentation, inputSchema, common.outputSchema),
    oneTime: resolveOneTime(definition, common.outputSchema, at),
    marksWriting: marksWriting(definition.handler),
    preview: definition.preview as WriteTool["preview"],
    toolVersion: sha256(canonical({ ...version, version: definition.version ?? null })),
    handler: definition.handler as WriteTool["handler"],
    status: definition.status as WriteTool["status"],
  };
}

/**
 * Checks a tool definition and makes it ready to use.
 *
 * Input, output and handler types flow from the schemas. Throws a `ConfigurationError` that names the tool, what is wrong
 * and what to do, for anything missing, unknown or contradictory; nothing is guessed.
 */
export function defineTool<Input, Parsed, Value>(definition: ReadDefinition<Input, Parsed, Value>): ReadTool;
export function defineTool<Input, Parsed, Value>(
  definition: WriteDefinition<Input, Parsed, Value>,
): WriteTool;
export function defineTool(given: unknown): ReadTool | WriteTool {
  const definition = given as ToolDefinition<never, never, never>;
  const at = (what: string): never => {
    throw new ConfigurationError(`tool "${String(definition?.name)}": ${what}`);
  };
  checkCommon(definition, at);
  const common: Checked = {
    name: definition.name,
    title: definition.title,
    description: definition.description,
    customer: definition.customer ?? "verified",
    timeoutSeconds: definition.timeoutSeconds ?? 15,
    inputSchema: jsonSchemaOf(definition.input, "input", at),
    outputSchema: jsonSchemaOf(definition.output, "output", at),
    parseInput: inputParser(definition.name, definition.input),
    parseOutput: outputParser(definition.output),
  };
  if (common.inputSchema.type !== "object") at("input must be an object schema");
  if (definition.effect === "read") return readTool(definition, common);
  checkWrite(definition, at);
  return writeTool(definition, common, at);
}
