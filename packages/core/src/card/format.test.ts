import { describe, expect, it } from "vitest";
import type { Json } from "../base/json.ts";
import type { Format } from "../tool/presentation.ts";
import { formatValue, type ValueFormat } from "./format.ts";
import { isLocale, isTimeZone, localise } from "./locale.ts";

const show = (
  value: Json | undefined,
  how: Format | ValueFormat,
  locale = "en",
  timeZone = "Europe/Madrid",
) => formatValue(value, typeof how === "string" ? { format: how } : how, locale, timeZone).display;

describe("showing a value", () => {
  it("CARD-6 shows a plain date with its weekday, the same day in every time zone", () => {
    const days = ["Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"].map((zone) =>
      show("2026-12-03", "date", "en", zone),
    );
    expect(days).toEqual(["Thu, Dec 3, 2026", "Thu, Dec 3, 2026", "Thu, Dec 3, 2026"]);
  });

  it("CARD-6 shows an instant with weekday, date, time and zone, and seconds where there are any", () => {
    expect(show("2026-12-03T22:41:00Z", "datetime", "es")).toBe("jue, 3 dic 2026, 23:41 CET");
    expect(show("2026-12-03T22:41:07.250Z", "datetime", "es")).toBe("jue, 3 dic 2026, 23:41:07,250 CET");
    expect(show("2026-07-03T22:41:00+02:00", "datetime", "es")).toBe("vie, 3 jul 2026, 22:41 CEST");
  });

  it.each([
    ["2026-02-30", "date"],
    ["03/04/2026", "date"],
    ["2026-12-03T22:41:00", "datetime"],
    ["2026-02-30T10:00:00Z", "datetime"],
    ["2026-12-03T22:41:00.1234567Z", "datetime"],
    ["soon", "datetime"],
    ["1e3", "number"],
    ["24", "boolean"],
    ["nothing", "percent"],
    ["one", "list"],
  ] as const)("CARD-7 shows %j, which is no %s, as it was sent", (value, format) => {
    expect(show(value, format)).toBe(value);
  });

  it("CARD-7 shows money whose currency is unknown as the bare number, and other values whole", () => {
    expect(show(2400, { format: "money", currency: "ABC" })).toBe("2400");
    expect(show({ cents: 5 }, { format: "money", currency: "EUR" })).toBe('{ "cents": 5 }');
    expect(show([1, { b: 1, a: "x" }], "text")).toBe('[1, { "a": "x", "b": 1 }]');
  });

  it("CARD-8 says yes and no in the customer's language", () => {
    expect(
      ["en", "es", "pt-BR", "fr", "de", "ar", "hi", "ja"].map((locale) => show(true, "boolean", locale)),
    ).toEqual(["Yes", "Sí", "Sim", "Oui", "Ja", "نعم", "हाँ", "はい"]);
  });

  it("CARD-8 shows the label of an option, and a value without one as it is", () => {
    const how: ValueFormat = {
      format: "enum",
      options: [{ value: "late", label: { en: "Too late", es: "Tarde" } }],
    };
    expect([show("late", how), show("late", how, "es-MX"), show("other", how)]).toEqual([
      "Too late",
      "Tarde",
      "other",
    ]);
  });

  it("CARD-9 masks all but the last four characters, and an e-mail but for its first letter and domain", () => {
    expect(
      ["+1 555-0117", "4000 0000 0000 0123", "555-011", "ana@mail.example", 5550100117, true, { a: 1 }].map(
        (value) => show(value, "masked"),
      ),
    ).toEqual(["•••• 0117", "•••• 0123", "••••", "a•••@mail.example", "•••• 0117", "••••", "••••"]);
  });

  it("CARD-8 lists every item, and quotes one that could read as two", () => {
    expect(formatValue(["a, b", "c", 3], { format: "list" }, "en", "UTC")).toEqual({
      display: '"a, b", c, 3',
      items: ["a, b", "c", "3"],
    });
    expect(formatValue([], { format: "list" }, "en", "UTC")).toEqual({ display: "—", items: [] });
  });

  it("CARD-8 shows JSON in order of name, with invisible characters in names and values made visible", () => {
    expect(show({ b: [1, "x\u202e"], "a\u200b": null, c: {} }, "json")).toBe(
      '{\n  "a⟦U+200B⟧": null,\n  "b": [\n    1,\n    "x⟦U+202E⟧"\n  ],\n  "c": {}\n}',
    );
  });

  it("CARD-8 keeps the lines of a long text and flattens those of others", () => {
    expect([show("a\nb", "multiline"), show("a\nb", "text"), show("a\nb", "email")]).toEqual([
      "a\nb",
      "a⟦↵⟧b",
      "a⟦↵⟧b",
    ]);
  });

  it("CARD-8 shows what is absent, null or empty as the empty text", () => {
    const how: ValueFormat = { format: "text", emptyText: { en: "none", es: "ninguno" } };
    expect([show(undefined, how), show(null, how, "es"), show("", how), show(undefined, "text")]).toEqual([
      "none",
      "ninguno",
      "none",
      "—",
    ]);
  });

  it("CARD-2 falls back to English and UTC for a place that is unknown", () => {
    expect(show("2026-12-03T22:41:00Z", "datetime", "x-nonsense", "Nowhere/Town")).toBe(
      show("2026-12-03T22:41:00Z", "datetime", "en", "UTC"),
    );
  });
});

describe("locales and time zones", () => {
  it("CARD-2 admits what this machine can format for, without extensions that change digits or calendar", () => {
    expect(
      ["en", "pt-br", "zh-Hant-TW", "ar-u-nu-arab", "en-x-a", "xx", "", "en_US", "not a locale"].map(
        isLocale,
      ),
    ).toEqual([true, true, true, false, false, false, false, false, false]);
    expect(["Europe/Madrid", "UTC", "+02:00", "", "Mars/Base", "../etc"].map(isTimeZone)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it("CARD-2 falls back along the locale, then to its language, then to English, then to the first", () => {
    const text = { fr: "fr", en: "en", "pt-PT": "pt-PT" };
    expect(["fr-CA", "pt-BR", "ja", "en-GB"].map((locale) => localise(text, locale))).toEqual([
      "fr",
      "pt-PT",
      "en",
      "en",
    ]);
    expect(localise({ fr: "fr", de: "de" }, "ja")).toBe("fr");
  });
});
