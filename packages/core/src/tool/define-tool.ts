import { canonical } from "../base/canonical.ts";
import { sha256 } from "../base/digest.ts";
import { ConfigurationError } from "../base/errors.ts";
import type { Json } from "../base/json.ts";
import type { JsonSchema, ToolSchema } from "../base/schema.ts";
import type { ReadDefinition, ReadTool, ToolDefinition, WriteDefinition, WriteTool } from "./define.ts";
import { marksWriting } from "./marks-writing.ts";
import { inputParser, outputParser } from "./parse-values.ts";
import { resolveOneTime } from "./resolve-one-time.ts";
import { resolvePresentation } from "./resolve-presentation.ts";
import { suggestion } from "./suggest.ts";

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
