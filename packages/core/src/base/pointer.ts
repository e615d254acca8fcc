import { ConfigurationError } from "./errors.ts";
import type { Json, JsonObject } from "./json.ts";

/** An RFC 6901 JSON pointer, such as `/order/id`; the empty string is the whole value. */
export type Pointer = string;

const escapeToken = (token: string): string => token.replaceAll("~", "~0").replaceAll("/", "~1");
const unescapeToken = (token: string): string => token.replaceAll("~1", "/").replaceAll("~0", "~");

/** The pointer made of these member names and indices. */
export function pointerOf(path: readonly (string | number)[]): Pointer {
  return path.map((token) => `/${escapeToken(String(token))}`).join("");
}

/** The member names and indices of a pointer. */
export function pathOf(pointer: Pointer): string[] {
  if (pointer === "") return [];
  const tokens = pointer.slice(1).split("/");
  return pointer.includes("~") ? tokens.map(unescapeToken) : tokens;
}

/** Reads a pointer, or its shorthand (`orderId`, `address.city`), as a pointer. Throws on `~2` and the like. */
export function toPointer(text: string): Pointer {
  if (/~(?![01])/.test(text)) {
    throw new ConfigurationError(`"${text}" is no JSON pointer: write ~0 for "~" and ~1 for "/"`);
  }
  if (text === "" || text.startsWith("/")) return text;
  return pointerOf(text.split("."));
}

function child(value: Json | undefined, token: string): Json | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(token)) return undefined;
  return Object.hasOwn(value, token) ? (value as JsonObject)[token] : undefined;
}

/** The value at `pointer`, or undefined where nothing stands. */
export function getAt(value: Json | undefined, pointer: Pointer): Json | undefined {
  return pathOf(pointer).reduce<Json | undefined>(child, value);
}

/**
 * A copy of `root` with `value` at `pointer`; `undefined` removes the member. Missing objects on the way are made.
 * Arrays are indexed by existing positions only.
 */
export function setAt(root: JsonObject, pointer: Pointer, value: Json | undefined): JsonObject {
  return setIn(root, pathOf(pointer), value) as JsonObject;
}

function setIn(at: Json | undefined, path: readonly string[], value: Json | undefined): Json | undefined {
  const [token, ...rest] = path;
  if (token === undefined) return value;
  // Nothing to remove: the objects on the way are not made for that.
  if (value === undefined && child(at, token) === undefined) return at;
  const next = setIn(child(at, token), rest, value);
  if (Array.isArray(at))
    return at.map((item, index) => (String(index) === token && next !== undefined ? next : item));
  const copy: Record<string, Json> = { ...(at as JsonObject | undefined) };
  if (next === undefined) delete copy[token];
  else copy[token] = next;
  return copy;
}
