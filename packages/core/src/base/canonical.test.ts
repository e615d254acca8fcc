import fc from "fast-check";
import { expect, test } from "vitest";
import { canonical } from "./canonical.ts";
import { IntegrityError } from "./errors.ts";

test.each([
  [
    '{"1":{"f":{"f":"hi","F":5},"\\n":56.0},"10":{},"":"empty","a":{},"111":[{"e":"yes","E":"no"}],"A":{}}',
    '{"":"empty","1":{"\\n":56,"f":{"F":5,"f":"hi"}},"10":{},"111":[{"E":"no","e":"yes"}],"A":{},"a":{}}',
  ],
  [
    "[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001]",
    "[333333333.3333333,1e+30,4.5,0.002,1e-27]",
  ],
  ["[56.0, 1e2, 100, -0, 0.0, -1.50]", "[56,100,100,0,0,-1.5]"],
  [
    "[9007199254740991, 9007199254740993, 1e21, 123456789012345680000]",
    "[9007199254740991,9007199254740992,1e+21,123456789012345680000]",
  ],
  ["[5e-324, 1.7976931348623157e308, 0.000001, 0.0000001]", "[5e-324,1.7976931348623157e+308,0.000001,1e-7]"],
  ['"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/"', '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'],
  [
    '{"\\u20ac":1,"\\r":2,"\\ufb33":3,"1":4,"\\ud83d\\ude00":5,"\\u0080":6,"\\u00f6":7}',
    '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
  ],
])("JOURNAL-1 %s has one canonical text", (text, expected) => {
  expect(canonical(JSON.parse(text))).toBe(expected);
});

class Price {
  amount = 1;
  toJSON(): string {
    return "1";
  }
}

const cycle: { self?: unknown } = {};
cycle.self = cycle;
const ring: unknown[] = [];
ring.push([ring]);

test.each([
  ["undefined", undefined, "a value of type undefined"],
  ["an undefined member", { a: undefined }, "a value of type undefined"],
  // biome-ignore lint/suspicious/noSparseArray: a hole is what is tested
  ["a hole in a list", [1, , 2], "a value of type undefined"],
  ["a function", { a: () => 1 }, "a value of type function"],
  ["a toJSON member", { toJSON: () => 1 }, "a value of type function"],
  ["a symbol", [Symbol("a")], "a value of type symbol"],
  ["a bigint", 1n, "a value of type bigint"],
  ["NaN", Number.NaN, "NaN and infinities"],
  ["infinity", [Number.NEGATIVE_INFINITY], "NaN and infinities"],
  ["a date", new Date(0), "an object that is not plain"],
  ["a class instance with toJSON", { price: new Price() }, "an object that is not plain"],
  ["a map", new Map(), "an object that is not plain"],
  ["a boxed number", Object(1), "an object that is not plain"],
  ["a cycle of objects", cycle, "a cycle, or more than 1000 levels"],
  ["a cycle of lists", ring, "a cycle, or more than 1000 levels"],
  ["half a surrogate pair", "\ud83d", "a lone surrogate"],
  ["the halves of a pair in the wrong order", "\ude00\ud83d", "a lone surrogate"],
  ["half a surrogate pair in a name", { "\udc00": 1 }, "a lone surrogate"],
  ["a member named __proto__", JSON.parse('{"a":{"__proto__":1}}'), "a member named __proto__"],
])("JOURNAL-1 %s has no canonical form", (_name, value, what) => {
  expect(() => canonical(value)).toThrow(new IntegrityError(`canonical JSON refuses ${what}`));
});

test("JOURNAL-1 the same object twice is no cycle", () => {
  const shared = { b: 1 };
  expect(canonical({ one: shared, two: [shared, shared] })).toBe('{"one":{"b":1},"two":[{"b":1},{"b":1}]}');
});

test("JOURNAL-1 texts that only look the same stay apart", () => {
  expect(canonical("\u00e9")).not.toBe(canonical("e\u0301"));
});

/** The recipe of the standard, written a second time: sort by UTF-16 units, then let the language write the parts. */
function otherwise(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(otherwise).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${otherwise(member)}`).join()}}`;
}

test("JOURNAL-1 any JSON has the text of a second, independent writer, and reads back as itself", () => {
  const anyJson = fc
    .jsonValue({ stringUnit: "binary" })
    .filter((value) => !JSON.stringify(value).includes("__proto__"));
  fc.assert(
    fc.property(anyJson, (value) => {
      const plain: unknown = JSON.parse(JSON.stringify(value));
      const text = canonical(plain);
      expect(text).toBe(otherwise(plain));
      expect(canonical(JSON.parse(text))).toBe(text);
    }),
    { numRuns: 200 },
  );
});

test("JOURNAL-1 the order in which members were written does not matter", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.integer()).filter((value) => !Object.hasOwn(value, "__proto__")),
      (members) => {
        const backwards = Object.fromEntries(Object.entries(members).reverse());
        expect(canonical(backwards)).toBe(canonical({ ...members }));
      },
    ),
  );
});
