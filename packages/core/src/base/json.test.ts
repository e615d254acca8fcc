import { expect, test } from "vitest";
import { deepFreeze, findJsonFault, maxDepth } from "./json.ts";

/** An object that is nested this many levels deep. */
function nested(levels: number): unknown {
  return levels === 0 ? 1 : { a: nested(levels - 1) };
}

test.each([
  [{ text: "a", list: [1, null, true, { b: 0.5 }] }],
  [{ most: Number.MAX_SAFE_INTEGER, least: Number.MIN_SAFE_INTEGER, small: 1e-300, zero: -0 }],
  [Object.assign(Object.create(null) as object, { a: 1 })],
  [nested(maxDepth)],
])("TOOL-2 plain data is admitted", (value) => {
  expect(findJsonFault(value)).toBeUndefined();
});

test.each([
  [{ a: [1, undefined] }, "/a/1", "is not plain JSON"],
  [{ when: new Date(0) }, "/when", "is not plain JSON"],
  [{ run: () => 1 }, "/run", "is not plain JSON"],
  [{ count: 2 ** 53 }, "/count", "is an integer beyond 2^53-1; send it as a string"],
  [{ count: -(2 ** 53) }, "/count", "is an integer beyond 2^53-1; send it as a string"],
  [{ count: 1e21 }, "/count", "is an integer beyond 2^53-1; send it as a string"],
  [{ count: Number.POSITIVE_INFINITY }, "/count", "must be a finite number"],
  [{ "a/b": { "c~d": "\ud800" } }, "/a~1b/c~0d", "holds half of a surrogate pair"],
  [{ "\udfff": 1 }, "/\udfff", "has a name with half of a surrogate pair"],
  [JSON.parse('{"a":{"__proto__":{"b":1}}}'), "/a/__proto__", "must not be named __proto__"],
  [nested(maxDepth + 1), "/a".repeat(maxDepth), `is nested deeper than ${maxDepth} levels`],
])("TOOL-2 what is no plain data is named with its place: %j", (value, pointer, message) => {
  expect(findJsonFault(value)).toEqual({ pointer, message });
});

test("TOOL-2 a cycle ends at the depth limit", () => {
  const cycle: { a?: unknown } = {};
  cycle.a = cycle;
  expect(findJsonFault(cycle)?.message).toBe(`is nested deeper than ${maxDepth} levels`);
});

test("FLOW-17 frozen data is frozen to its leaves", () => {
  const frozen = deepFreeze({ a: [{ b: [1] }] });
  expect(Object.isFrozen(frozen.a[0]?.b)).toBe(true);
  expect(() => frozen.a[0]?.b.push(2)).toThrow(TypeError);
});
