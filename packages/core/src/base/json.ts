import { pointerOf } from "./pointer.ts";
import { isWellFormed } from "./text.ts";

/** Plain JSON, never changed after it was made. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object: own enumerable string keys only. */
export type JsonObject = { readonly [key: string]: Json };

/** Why a value is not admitted as plain JSON, and where (an RFC 6901 pointer). */
export type JsonFault = { readonly pointer: string; readonly message: string };

/** The deepest nesting that arguments may have. */
export const maxDepth = 32;

/** The largest canonical size of arguments, in bytes of UTF-8. */
export const maxArgumentBytes: number = 64 * 1024;

/** True for objects made by `{}`, `JSON.parse` or `Object.create(null)`. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function faultOfNumber(value: number): string | undefined {
  if (!Number.isFinite(value)) return "must be a finite number";
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return "is an integer beyond 2^53-1; send it as a string";
  }
  return undefined;
}

function faultOfKey(key: string): string | undefined {
  if (key === "__proto__") return "must not be named __proto__";
  return isWellFormed(key) ? undefined : "has a name with half of a surrogate pair";
}

function within(fault: JsonFault, member: string | number): JsonFault {
  return { pointer: pointerOf([member]) + fault.pointer, message: fault.message };
}

/** Finds the first reason why `value` cannot be an argument: depth, numbers, lone surrogates, foreign objects. */
export function findJsonFault(value: unknown, depth = 0): JsonFault | undefined {
  // The pointer is put together on the way back: nearly always there is no fault, and nobody needs one.
  const fault = (message: string): JsonFault => ({ pointer: "", message });
  if (value === null || typeof value === "boolean") return undefined;
  if (typeof value === "string") {
    return isWellFormed(value) ? undefined : fault("holds half of a surrogate pair");
  }
  if (typeof value === "number") {
    const message = faultOfNumber(value);
    return message === undefined ? undefined : fault(message);
  }
  if (depth >= maxDepth) return fault(`is nested deeper than ${maxDepth} levels`);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const found = findJsonFault(value[index], depth + 1);
      if (found) return within(found, index);
    }
    return undefined;
  }
  if (!isPlainObject(value)) return fault("is not plain JSON");
  for (const key of Object.keys(value)) {
    const message = faultOfKey(key);
    const found = message === undefined ? findJsonFault(value[key], depth + 1) : fault(message);
    if (found) return within(found, key);
  }
  return undefined;
}

/** Freezes `value` and all it holds, and returns it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}

/** True when two plain JSON values are the same; the order of members does not count. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, index) => sameJson(item, other[index]));
  }
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every(
    (key) => Object.hasOwn(other, key) && sameJson((one as JsonObject)[key], (other as JsonObject)[key]),
  );
}
