import type { Json, JsonObject } from "../base/json.ts";
import type { Pointer } from "../base/pointer.ts";
import { pointerOf } from "../base/pointer.ts";
import type { JsonSchema } from "../base/schema.ts";
import { formatOfValue } from "../tool/default-format.ts";
import { formatValue } from "./format.ts";
import type { Frame } from "./frame.ts";
import { detailFrame } from "./frame.ts";
import type { CardDetail } from "./model.ts";

type Leaf = { readonly pointer: Pointer; readonly value: Json };

function namesOf(value: object, pointer: Pointer, frame: Frame): readonly string[] {
  const names = Object.keys(value);
  if (pointer !== "") return names;
  const declared = frame.declared.filter((name) => Object.hasOwn(value, name));
  return declared.length === names.length ? declared : [...new Set([...declared, ...names])];
}

function addUncovered(value: Json, pointer: Pointer, frame: Frame, found: Leaf[]): void {
  if (frame.covered.has(pointer)) return;
  if (!frame.opened.has(pointer) || typeof value !== "object" || value === null) {
    found.push({ pointer, value });
    return;
  }
  const names = namesOf(value, pointer, frame);
  // An empty object is sent too, though it has no member to show.
  if (names.length === 0 && pointer !== "") found.push({ pointer, value });
  for (const name of names) {
    addUncovered((value as JsonObject)[name] as Json, pointer + pointerOf([name]), frame, found);
  }
}

/** The rows under More details: every argument that no field shows, then those that are named without value. */
export function composeDetails(
  frame: Frame,
  inputSchema: JsonSchema,
  args: JsonObject,
  place: { readonly locale: string; readonly timeZone: string },
): readonly CardDetail[] {
  const leaves: Leaf[] = [];
  addUncovered(args, "", frame, leaves);
  const shown = leaves.map(({ pointer, value }): CardDetail => {
    const { label, format = formatOfValue(value) } = detailFrame(frame, inputSchema, pointer);
    const { display } = formatValue(value, { format }, place.locale, place.timeZone);
    return { argument: pointer, label, display, omitted: false };
  });
  return [...shown, ...frame.omitted];
}
