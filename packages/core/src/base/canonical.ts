import { IntegrityError } from "./errors.ts";
import { isPlainObject } from "./json.ts";
import { isWellFormed } from "./text.ts";

function refuse(what: string): never {
  throw new IntegrityError(`canonical JSON refuses ${what}`);
}

function quote(text: string): string {
  if (!isWellFormed(text)) refuse("a lone surrogate");
  return JSON.stringify(text);
}

function write(value: unknown, open: Set<object>): string {
  if (value === null || value === true || value === false) return String(value);
  if (typeof value === "string") return quote(value);
  if (typeof value === "number")
    return Number.isFinite(value) ? JSON.stringify(value) : refuse("NaN and infinities");
  if (typeof value !== "object") return refuse(`a value of type ${typeof value}`);
  if (open.has(value)) return refuse("a cycle");
  open.add(value);
  const text = Array.isArray(value) ? writeArray(value, open) : writeObject(value, open);
  open.delete(value);
  return text;
}

function writeArray(list: readonly unknown[], open: Set<object>): string {
  let text = "[";
  for (let index = 0; index < list.length; index += 1) {
    text += (index === 0 ? "" : ",") + write(list[index], open);
  }
  return `${text}]`;
}

function writeObject(object: object, open: Set<object>): string {
  if (!isPlainObject(object)) return refuse("an object that is not plain");
  let text = "{";
  for (const key of Object.keys(object).sort()) {
    if (key === "__proto__") refuse("a member named __proto__");
    text += `${text.length === 1 ? "" : ","}${quote(key)}:${write(object[key], open)}`;
  }
  return `${text}}`;
}

/**
 * The canonical JSON text of `value` (RFC 8785, read November 2026): sorted members, no white space, one form per number.
 *
 * Refuses by throwing what has no such form: `undefined`, functions, class instances, cycles, NaN, lone surrogates and
 * members named `__proto__`.
 */
export function canonical(value: unknown): string {
  return write(value, new Set());
}
