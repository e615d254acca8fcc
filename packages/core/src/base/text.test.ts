import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitMarks } from "./marks.ts";
import { visible } from "./text.ts";

const hostile = [
  "\u202a",
  "\u202b",
  "\u202c",
  "\u202d",
  "\u202e",
  "\u2066",
  "\u2067",
  "\u2068",
  "\u2069",
  "\u200e",
  "\u200f",
  "\u061c",
  "\u200b",
  "\u200c",
  "\u200d",
  "\u2060",
  "\ufeff",
  "\u00ad",
  "\u034f",
  "\u115f",
  "\u1160",
  "\u3164",
  "\uffa0",
  "\u2800",
  "\u180e",
  "\u2028",
  "\u2029",
  "\u0085",
  "\u0000",
  "\u001b",
  "\u007f",
  "\r",
  "\t",
  "\ufe00",
  "\ufe0f",
  "\u{e0001}",
  "\u{e0041}",
  "\u{e007f}",
  "\u{e0100}",
  "\u{1d173}",
  "\ufff9",
  "\ufffc",
  "\ufffe",
  "\ue000",
  "\ud800",
  "\u00a0",
  "\u2003",
  "\u3000",
  "⟦",
  "⟧",
  "〚",
  "〛",
];

describe("making characters visible", () => {
  it("CARD-12 leaves ordinary text of any script as it is", () => {
    const ordinary = [
      "",
      "A-1042",
      "Ana O'Neill, 14 Quay Street",
      "ana@mail.example",
      "Señor Ñandú, São Paulo, Übergröße",
      "طلب إلى برشلونة",
      "हिन्दी में एक पता",
      "東京都\u3000渋谷区",
      "👩🏽\u200d🚀 ❤\ufe0f 👨\u200d👩\u200d👧 1\ufe0f⃣ 🇪🇸 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
      "می\u200cروم",
      "क्\u200dष क्\u200cष",
      "Bonjour\u00a0!",
      "10\u202f000",
    ];
    expect(ordinary.map((text) => visible(text))).toEqual(ordinary);
  });

  it.each(hostile)("CARD-12 marks %j between letters", (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    expect(visible(`a${character}b`)).toBe(`a⟦${character === "\t" ? "⇥" : `U+${code}`}⟧b`);
  });

  it("CARD-12 flattens line breaks of one-line values and keeps those of long ones", () => {
    expect(visible("one\ntwo\r\nthree")).toBe("one⟦↵⟧two⟦↵⟧three");
    expect(visible("one\ntwo\r\nthree\rfour", { multiline: true })).toBe("one\ntwo\nthree⟦U+000D⟧four");
  });

  it("CARD-12 counts repeated characters, so that padding stays one mark", () => {
    expect(visible(`pay${"\n".repeat(500)}£1`)).toBe("pay⟦↵×500⟧£1");
    expect(visible(`a${"\u200b".repeat(3)}b`)).toBe("a⟦U+200B×3⟧b");
  });

  it("CARD-12 counts spaces that a page would lose", () => {
    expect(visible(" A  B ")).toBe("⟦␣⟧A⟦␣×2⟧B⟦␣⟧");
  });

  it("CARD-12 marks joiners and selectors where nothing needs them, also a second one where one is needed", () => {
    expect(visible("क्\u200d\u200dष")).toBe("क्⟦U+200D×2⟧ष");
    expect(visible("❤\ufe0f\ufe0f")).toBe("❤⟦U+FE0F×2⟧");
    expect(visible("🏴\u{e0067}\u{e0062}")).toBe("🏴⟦U+E0067⟧⟦U+E0062⟧");
  });

  it("CARD-12 marks piles of accents that would cover their neighbours", () => {
    expect(visible(`a${"\u0301".repeat(8)}`)).toBe(`a${"\u0301".repeat(8)}`);
    expect(visible(`a${"\u0301".repeat(9)}`)).toBe("a⟦U+0301×9⟧");
  });

  it("CARD-13 never lets a value write a mark of its own", () => {
    expect(splitMarks(visible("⟦U+202E⟧"))).toEqual([
      { text: "⟦U+27E6⟧", mark: true },
      { text: "U+202E", mark: false },
      { text: "⟦U+27E7⟧", mark: true },
    ]);
  });

  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom(...hostile, " ", "\n", "a", "↵", "U+202E", "×2", "é", "क", "\u094d", "م", "❤", "🏴"),
      fc.string({ unit: "binary" }),
    ),
    maxLength: 40,
  });

  it("CARD-12 leaves no control, bidi or zero-width character in any display text", () => {
    const raw =
      /[\p{Cc}\p{Cs}\u200b\u200e\u200f\u061c\u202a-\u202e\u2060-\u206f\ufeff\u00ad\u2028\u2029\u3164]|[\u{e0100}-\u{e01ef}]/u;
    fc.assert(
      fc.property(text, (value) => {
        expect(visible(value)).not.toMatch(raw);
        expect(visible(value, { multiline: true }).replaceAll("\n", "")).not.toMatch(raw);
      }),
    );
  });

  it("CARD-13 splits into segments that join to the display, with no bracket outside a mark", () => {
    fc.assert(
      fc.property(text, (value) => {
        const segments = splitMarks(visible(value));
        expect(segments.map((segment) => segment.text).join("")).toBe(visible(value));
        for (const segment of segments) expect(/[⟦⟧]/.test(segment.text)).toBe(segment.mark);
      }),
    );
  });

  it("CARD-13 shows two different one-line values differently", () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const normal = (value: string) => value.replaceAll("\r\n", "\n");
        fc.pre(normal(one) !== normal(other));
        expect(visible(one)).not.toBe(visible(other));
      }),
    );
  });
});
