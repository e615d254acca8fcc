import fc from "fast-check";
import { expect, test } from "vitest";
import { readJson } from "./strict-json.ts";

test("HTTP-27 plain JSON is read as JSON.parse reads it", () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 6 }).filter((value) => !JSON.stringify(value).includes("__proto__")),
      (value) => {
        const text = JSON.stringify(value);
        expect(readJson(text)).toMatchObject({ value: JSON.parse(text) });
      },
    ),
  );
});

test.each([
  ["", "the text is not JSON"],
  ["{", "the text is not JSON"],
  ["{'a':1}", "the text is not JSON"],
  ["[1,]", "the text is not JSON"],
  ["NaN", "the text is not JSON"],
  ["\ufeff{}", "the text is not JSON"],
  ['{"a":1,"a":1}', "an object has two members of the same name"],
  ['{"a":1,"\\u0061":2}', "an object has two members of the same name"],
  ['{"x":[{"a":{},"b":"}","a":1}]}', "an object has two members of the same name"],
  ['{"__proto__":{}}', "a member is named __proto__"],
  ['{"a":[{"\\u005f_proto__":1}]}', "a member is named __proto__"],
])("HTTP-27 %j is malformed", (text, malformed) => {
  expect(readJson(text)).toEqual({ malformed });
});

test.each([
  '{"a":{"a":1},"b":[{"a":1},{"a":2}]}',
  '{"a":"\\"a\\":1,","b":"__proto__"}',
  '["a","a","__proto__"]',
  '{"a\\\\":1,"a":2}',
])("HTTP-27 %j repeats no name within one object", (text) => {
  expect(readJson(text)).toEqual({ value: JSON.parse(text), fault: undefined });
});

test.each([
  ['{"a":{"b/c":[9007199254740992]}}', "/a/b~1c/0", "is an integer beyond 2^53-1; send it as a string"],
  ['{"a":-9007199254740993}', "/a", "is an integer beyond 2^53-1; send it as a string"],
  ['{"a":1e300}', "/a", "is an integer beyond 2^53-1; send it as a string"],
  ['{"a":1e999}', "/a", "must be a finite number"],
  ['{"a":"\\ud800"}', "/a", "holds half of a surrogate pair"],
  ['{"\\udc00":1}', "", "has a member whose name holds half of a surrogate pair"],
])("HTTP-28 %j is JSON with a fault", (text, pointer, message) => {
  expect(readJson(text)).toMatchObject({ fault: { pointer, message } });
});

test("HTTP-28 the largest safe integers and whole surrogate pairs have no fault", () => {
  const text = '{"a":9007199254740991,"b":-9007199254740991,"c":"\\ud83d\\ude00"}';
  expect(readJson(text)).toEqual({ value: JSON.parse(text), fault: undefined });
});

test("HTTP-28 32 levels below the outermost container are read, 33 are a fault", () => {
  const nested = (levels: number): string => `{"a":${"[".repeat(levels)}${"]".repeat(levels)}}`;
  expect(readJson(nested(32))).toMatchObject({ fault: undefined });
  expect(readJson(nested(33))).toMatchObject({
    fault: { pointer: `/a${"/0".repeat(32)}`, message: "is nested deeper than 32 levels" },
  });
});

test("HTTP-28 a hundred thousand levels are a fault and no crash", () => {
  expect(readJson(`${"[".repeat(100_000)}${"]".repeat(100_000)}`)).toMatchObject({
    fault: { message: "is nested deeper than 32 levels" },
  });
  expect(readJson("[".repeat(100_000))).toEqual({ malformed: "the text is not JSON" });
});
