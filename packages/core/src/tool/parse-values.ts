import { canonical } from "../base/canonical.ts";
import { ConfigurationError } from "../base/errors.ts";
import {
  findJsonFault,
  isPlainObject,
  type Json,
  type JsonObject,
  maxArgumentBytes,
  sameJson,
} from "../base/json.ts";
import { pointerOf } from "../base/pointer.ts";
import { type Issue, parseWith, type ToolSchema } from "../base/schema.ts";
import type { ReadTool } from "./define.ts";

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

/** Checks arguments of unknown origin against an input schema: see `parseInput` of a tool. */
export function inputParser(
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

/** Checks what a handler returned against an output schema: see `parseOutput` of a tool. */
export function outputParser(schema: ToolSchema<unknown, unknown>): ReadTool["parseOutput"] {
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
