import fc from "fast-check";
import { expect, test } from "vitest";
import { measure, type TextLimit } from "./limits.ts";
import { splitText } from "./split.ts";

const withoutNumbers = (parts: readonly string[]): string =>
  parts.map((part) => (parts.length > 1 ? part.replace(/^\(\d+\/\d+\) /, "") : part)).join("");
const bare = (text: string): string => text.replace(/\s/g, "");

test("CHAN-16 a text is parted between lines, sentences and words before anything else", () => {
  const limit: TextLimit = { characters: 50, bytes: 150 };
  const text =
    "First line stays whole.\n\nSecond: one sentence. Another sentence that is longer than a part can be.";
  expect(splitText(text, limit)).toEqual([
    "(1/4) First line stays whole.",
    "(2/4) Second: one sentence.",
    "(3/4) Another sentence that is longer than a",
    "(4/4) part can be.",
  ]);
});

test("CHAN-16 no part is longer than the platform takes, in characters or bytes, and none is missing", () => {
  const text = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 300 }),
    fc.string({ unit: fc.constantFrom("a", " ", "\n", ". ", "漢", "👍🏽", "é"), maxLength: 300 }),
  );
  const limit = fc.record({
    characters: fc.integer({ min: 30, max: 80 }),
    bytes: fc.integer({ min: 60, max: 200 }),
  });
  fc.assert(
    fc.property(text, limit, (whole, most) => {
      const parts = splitText(whole, most);
      expect(bare(withoutNumbers(parts))).toBe(bare(whole));
      for (const part of parts) expect(measure(part, most).fits).toBe(true);
    }),
  );
});

test("CHAN-16 an emoji of several characters is not parted", () => {
  const family = "👨‍👩‍👧‍👦";
  const parts = splitText(family.repeat(20), { characters: 50, bytes: 200 });
  for (const part of parts) expect(part.replace(/^\(\d+\/\d+\) /, "").replaceAll(family, "")).toBe("");
});
