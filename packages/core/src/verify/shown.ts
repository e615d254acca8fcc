import { isPlainObject, type Json, sameJson } from "../base/json.ts";
import { getAt, pointerOf } from "../base/pointer.ts";
import type { Link } from "./chain.ts";
import type { Note } from "./proof.ts";

function isPointer(value: unknown): value is string {
  return typeof value === "string" && /^(?:\/(?:[^~]|~[01])*)?$/.test(value);
}

/** The first argument that stands nowhere on the card, not even among what it says it leaves out. */
function findHidden(value: Json, pointer: string, named: ReadonlySet<string>): string | undefined {
  if (named.has(pointer)) return undefined;
  const names = typeof value === "object" && value !== null ? Object.keys(value) : [];
  if (names.length === 0) return pointer === "" ? undefined : pointer;
  for (const name of names) {
    const below = (value as Readonly<Record<string, Json>>)[name] as Json;
    const hidden = findHidden(below, pointer + pointerOf([name]), named);
    if (hidden !== undefined) return hidden;
  }
  return undefined;
}

/** Compares the card of a version with its arguments: that what was shown is what would run. */
export function checkShown({ seq, event }: Link, note: Note): void {
  const { args, card, plan } = event.plain ?? {};
  if (isPlainObject(plan) && !sameJson(plan.targets, event.body.targets))
    note(seq, "plain.plan.targets", "are not the targets that the digest binds");
  if (args === undefined || card === undefined) return;
  if (!isPlainObject(card)) {
    note(seq, "plain.card", "is no object");
    return;
  }
  if (card.tool !== event.body.tool) note(seq, "plain.card.tool", "is not the tool of this version");
  const { fields, details } = card;
  if (!Array.isArray(fields) || !Array.isArray(details)) {
    note(seq, `plain.card.${Array.isArray(fields) ? "details" : "fields"}`, "is no list");
    return;
  }
  const named = new Set<string>();
  for (const [index, row] of [...fields, ...details].entries()) {
    const where =
      index < fields.length ? `plain.card.fields[${index}]` : `plain.card.details[${index - fields.length}]`;
    if (!isPlainObject(row) || !isPointer(row.argument)) {
      note(seq, where, "names no argument");
      continue;
    }
    named.add(row.argument);
    // A masked field, and a detail, hold no value of their own to compare.
    if (Object.hasOwn(row, "value") && !sameJson(row.value, getAt(args, row.argument) ?? null))
      note(seq, `${where}.value`, "is not the argument that would run: what was shown is something else");
  }
  if (findHidden(args, "", named) !== undefined)
    note(seq, "plain.args", "holds an argument that the card does not name: something was hidden");
}
