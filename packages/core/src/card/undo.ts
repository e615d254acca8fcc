import type { Json, JsonObject } from "../base/json.ts";
import { isPlainObject } from "../base/json.ts";
import type { Pointer } from "../base/pointer.ts";
import { getAt } from "../base/pointer.ts";
import type { Undo } from "../tool/presentation.ts";

type Source = { readonly result: Json | undefined; readonly args: JsonObject };

type Reference = { readonly from: "result" | "argument"; readonly pointer: Pointer };

function referenceOf(given: unknown): Reference | undefined {
  if (!isPlainObject(given) || Object.keys(given).length !== 1) return undefined;
  if (typeof given.result === "string") return { from: "result", pointer: given.result };
  return typeof given.argument === "string" ? { from: "argument", pointer: given.argument } : undefined;
}

/** The arguments of the undo, or undefined where the result lacks one that it needs. An absent argument is left out. */
export function undoArguments(undo: Undo, source: Source): JsonObject | undefined {
  const members: [string, Json][] = [];
  for (const [name, given] of Object.entries(undo.arguments)) {
    const reference = referenceOf(given);
    const root = reference?.from === "result" ? source.result : source.args;
    const value = reference ? getAt(root, reference.pointer) : (given as Json);
    if (value !== undefined) members.push([name, value]);
    else if (reference?.from === "result") return undefined;
  }
  return Object.fromEntries(members);
}
