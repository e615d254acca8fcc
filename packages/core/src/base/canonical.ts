import { IntegrityError } from "./errors.ts";
import { isPlainObject } from "./json.ts";
import { remember } from "./remember.ts";
import { isWellFormed } from "./text.ts";

function refuse(what: string): never {
  throw new IntegrityError(`canonical JSON refuses ${what}`);
}

// Printable ASCII but for the quote and the backslash: nothing to escape, and far the most texts there are.
const plainText = /^[ !#-[\]-~]*$/;

function quote(text: string): string {
  if (plainText.test(text)) return `"${text}"`;
  if (!isWellFormed(text)) refuse("a lone surrogate");
  return JSON.stringify(text);
}

// Deeper than any value that was admitted; whatever gets here is a cycle or as good as one.
const deepest = 1000;

// Names come again and again: looking one up takes a third of what quoting it takes.
const members = new Map<string, string>();

/** A member's name as it stands in the text, colon and all. */
function nameOf(key: string): string {
  const known = members.get(key);
  if (known !== undefined) return known;
  if (key === "__proto__") refuse("a member named __proto__");
  return remember(members, key, () => `${quote(key)}:`);
}

// The order of the cases is that of how often they are met; one switch on the type is what the compiler makes most of.
function write(value: unknown, depth: number): string {
  switch (typeof value) {
    case "string":
      return quote(value);
    case "number":
      return Number.isFinite(value) ? `${value}` : refuse("NaN and infinities");
    case "boolean":
      return value ? "true" : "false";
    case "object":
      if (value === null) return "null";
      if (depth >= deepest) return refuse(`a cycle, or more than ${deepest} levels`);
      return Array.isArray(value) ? writeArray(value, depth + 1) : writeObject(value, depth + 1);
    default:
      return refuse(`a value of type ${typeof value}`);
  }
}

function writeArray(list: readonly unknown[], depth: number): string {
  let text = "[";
  for (let index = 0; index < list.length; index += 1) {
    text += (index === 0 ? "" : ",") + write(list[index], depth);
  }
  return `${text}]`;
}

/** Sorts in place by UTF-16 units. Objects are small and often sorted already: the built-in sort takes two to ten times as long. */
function sortKeys(keys: string[]): readonly string[] {
  if (keys.length > 32) return keys.sort();
  for (let next = 1; next < keys.length; next += 1) {
    const key = keys[next] as string;
    let at = next;
    for (; at > 0 && (keys[at - 1] as string) > key; at -= 1) keys[at] = keys[at - 1] as string;
    keys[at] = key;
  }
  return keys;
}

function writeObject(object: object, depth: number): string {
  if (!isPlainObject(object)) return refuse("an object that is not plain");
  const keys = sortKeys(Object.keys(object));
  let text = "";
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] as string;
    text += (index === 0 ? "{" : ",") + nameOf(key) + write(object[key], depth);
  }
  return text === "" ? "{}" : `${text}}`;
}

/**
 * The canonical JSON text of `value` (RFC 8785, read November 2026): sorted members, no white space, one form per number.
 *
 * Refuses by throwing what has no such form: `undefined`, functions, class instances, cycles, NaN, lone surrogates and
 * members named `__proto__`.
 */
export function canonical(value: unknown): string {
  return write(value, 0);
}
