import fc from "fast-check";
import { expect, test } from "vitest";
import { ConfigurationError } from "./errors.ts";
import { getAt, pathOf, pointerOf, setAt, toPointer } from "./pointer.ts";

// RFC 6901, section 5, without the fragment forms.
const example = {
  foo: ["bar", "baz"],
  "": 0,
  "a/b": 1,
  "c%d": 2,
  "e^f": 3,
  "g|h": 4,
  "i\\j": 5,
  'k"l': 6,
  " ": 7,
  "m~n": 8,
};

test.each([
  ["", example],
  ["/foo", ["bar", "baz"]],
  ["/foo/0", "bar"],
  ["/", 0],
  ["/a~1b", 1],
  ["/c%d", 2],
  ["/e^f", 3],
  ["/g|h", 4],
  ["/i\\j", 5],
  ['/k"l', 6],
  ["/ ", 7],
  ["/m~0n", 8],
  ["/foo/2", undefined],
  ["/foo/length", undefined],
  ["/toString", undefined],
  ["/foo/0/x", undefined],
])("TOOL-2 the pointer %j finds its value", (pointer, value) => {
  expect(getAt(example, pointer)).toEqual(value);
});

test("TOOL-2 any path survives being written as a pointer", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (path) => {
      expect(pathOf(pointerOf(path))).toEqual(path);
    }),
  );
});

test("TOOL-2 the shorthand of a pointer is read, a broken escape is refused", () => {
  expect(["orderId", "address.city", "/a~1b", ""].map(toPointer)).toEqual([
    "/orderId",
    "/address/city",
    "/a~1b",
    "",
  ]);
  expect(() => toPointer("/a~2")).toThrow(
    new ConfigurationError('"/a~2" is no JSON pointer: write ~0 for "~" and ~1 for "/"'),
  );
});

test.each([
  [{ a: 1 }, "/a", 2, { a: 2 }],
  [{ a: 1 }, "/b/c", 2, { a: 1, b: { c: 2 } }],
  [{ a: { b: 1, c: 2 } }, "/a/b", undefined, { a: { c: 2 } }],
  [{ a: [1, 2] }, "/a/1", 3, { a: [1, 3] }],
  [{ a: [1, 2] }, "/a/2", 3, { a: [1, 2] }],
  [{ a: 1 }, "/b", undefined, { a: 1 }],
  [{ a: 1 }, "/b/c", undefined, { a: 1 }],
  [{ a: 1 }, "/b/c/d", undefined, { a: 1 }],
] as const)("FLOW-18 in %j, setting %s to %j changes that place only", (root, pointer, value, expected) => {
  const before = structuredClone(root);
  expect(setAt(root, pointer, value)).toEqual(expected);
  expect(root).toEqual(before);
});
