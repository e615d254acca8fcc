import type { Card } from "@countersign/core/card";
import { describe, expect, it } from "vitest";
import { cancelOrder, moveDelivery, refund } from "../example-cards.ts";
import { readDecimal, shiftPoint } from "./decimal.ts";
import { checkEntries, type EditableField, editableFields, entryOf } from "./entries.ts";
import { fromWallTime, toWallTime } from "./wall-time.ts";

const cents = (text: string, locale: string): number | undefined => {
  const plain = readDecimal(text, locale);
  const minor = plain === undefined ? "" : shiftPoint(plain, 2);
  return /^-?\d+$/.test(minor) ? Number(minor) : undefined;
};

describe("money", () => {
  it("CARD-34 is read in the customer's own way of writing it", () => {
    expect(cents("1,234.50", "en")).toBe(123450);
    expect(cents("1.234,50", "de")).toBe(123450);
    expect(cents("1 234,50", "fr")).toBe(123450);
    expect(cents("١٢٫٥", "ar")).toBe(1250);
    expect(cents("-3", "en")).toBe(-300);
  });

  it("CARD-34 is never read a hundred times too large", () => {
    expect(cents("24.50", "de")).toBeUndefined();
    expect(cents("24,50", "en")).toBeUndefined();
    expect(cents("1,2345", "en")).toBeUndefined();
    expect(cents("1e3", "en")).toBeUndefined();
    expect(cents("0.001", "en")).toBeUndefined();
  });

  it.each([0, 1, 9, 10, 99, 100, 101, -1, -100, 2400, 123456789, 2 ** 53 - 1, 1 - 2 ** 53])(
    "CARD-34 comes back as it went, to the last digit: %i",
    (minor) => {
      for (const digits of [0, 1, 2, 3, 4]) {
        const amount = readDecimal(shiftPoint(String(minor), -digits), "en") ?? "";
        expect(Number(shiftPoint(amount, digits))).toBe(minor);
      }
    },
  );

  it("CARD-34 says what is wrong with an amount in the units that were typed", () => {
    const check = (entry: string): unknown => checkEntries(refund(), { "/amount": entry });
    expect(check("12.50")).toEqual({ values: { "/amount": 1250 }, faults: {} });
    expect(check("0.50")).toEqual({
      values: {},
      faults: { "/amount": { code: "too_small", limit: "1.00" } },
    });
    expect(check("24.01")).toEqual({
      values: {},
      faults: { "/amount": { code: "too_large", limit: "24.00" } },
    });
    expect(check("12.505")).toEqual({
      values: {},
      faults: { "/amount": { code: "too_precise", limit: "2" } },
    });
    expect(check("much")).toEqual({ values: {}, faults: { "/amount": { code: "number" } } });
    expect(check("")).toEqual({ values: {}, faults: { "/amount": { code: "required" } } });
  });
});

describe("every currency", () => {
  /** A refund of this many minor units of a currency. */
  const inCurrency = (currency: string, minorDigits: number, value: number, locale = "en"): Card =>
    refund({
      locale,
      fields: refund().fields.flatMap((field) =>
        field.editable
          ? [
              {
                ...field,
                currency,
                minorDigits,
                value,
                input: { ...field.input, minimum: null, maximum: null },
              },
            ]
          : [],
      ),
    });

  it.each([
    ["JPY", 0, 1990, "ja", "1990", "1991", 1991],
    ["EUR", 2, 1990, "de", "19,90", "19,99", 1999],
    ["KWD", 3, 1990, "en", "1.990", "0.001", 1],
    ["TND", 3, 1, "fr", "0,001", "1\u202f234,567", 1234567],
    ["CLF", 4, 19900, "es", "1,9900", "1,9901", 19901],
    ["INR", 2, 123, "hi", "1.23", "1,23,456.78", 12345678],
  ] as const)(
    "CARD-34 is entered with the digits that ISO 4217 gives it, without a float: %s",
    (currency, digits, value, locale, shown, typed, sent) => {
      const card = inCurrency(currency, digits, value, locale);
      expect(entryOf(editableFields(card)[0] as EditableField, card)).toBe(shown);
      expect(checkEntries(card, { "/amount": typed })).toEqual({ values: { "/amount": sent }, faults: {} });
    },
  );

  it.each([
    ["JPY", 0, "en", "19.5"],
    ["EUR", 2, "en", "19.995"],
    ["KWD", 3, "en", "1.2345"],
  ] as const)("CARD-34 is refused with more digits than it has: %s", (currency, digits, locale, typed) => {
    expect(checkEntries(inCurrency(currency, digits, 1, locale), { "/amount": typed })).toEqual({
      values: {},
      faults: { "/amount": { code: "too_precise", limit: `${digits}` } },
    });
  });
});

describe("a phone number", () => {
  const withPhone = (value: string | null): Card =>
    refund({
      fields: refund().fields.flatMap((field) =>
        field.editable
          ? [
              {
                ...field,
                argument: "/phone",
                format: "phone" as const,
                value,
                input: { ...field.input, type: "string" as const, minimum: null, maximum: null },
              },
            ]
          : [],
      ),
    });
  const check = (entry: string, value: string | null = "+12025550142"): unknown =>
    checkEntries(withPhone(value), { "/phone": entry });

  it.each([
    ["+1 (202) 555-0143", "+12025550143"],
    ["001 202 555 0143", "+12025550143"],
    ["+1.202.555.0143", "+12025550143"],
    ["+١ ٢٠٢ ٥٥٥ ٠١٤٣", "+12025550143"],
  ])("CARD-47 is taken however it was grouped: %s", (typed, sent) => {
    expect(check(typed)).toEqual({ values: { "/phone": sent }, faults: {} });
  });

  it.each(["555-0143", "(202) 555-0143", "+1 202 CALL NOW", "+0 202 555 0143", "+1"])(
    "CARD-47 is never guessed at without its country: %s",
    (typed) => {
      const refused = { values: {}, faults: { "/phone": { code: "phone" } } };
      expect([check(typed), check(typed, null)]).toEqual([refused, refused]);
    },
  );

  it("CARD-47 stays the way of its shop where that has no country", () => {
    expect(check("555-0143", "5550142")).toEqual({ values: { "/phone": "5550143" }, faults: {} });
  });
});

describe("a percentage", () => {
  it("CARD-34 moves its point without rounding", () => {
    expect(shiftPoint("0.15", 2)).toBe("15");
    expect(shiftPoint("0.155", 2)).toBe("15.5");
    expect(shiftPoint("7", -2)).toBe("0.07");
    expect(shiftPoint("-12.5", -2)).toBe("-0.125");
    expect(shiftPoint("0", 2)).toBe("0");
  });
});

describe("entries", () => {
  it("CARD-35 start with what the card holds, and a masked one empty", () => {
    const masked = { ...editableFields(moveDelivery())[1], format: "masked" } as EditableField;
    expect(entryOf(masked, moveDelivery())).toBe("");
    expect(editableFields(moveDelivery()).map((field) => entryOf(field, moveDelivery()))).toEqual([
      "2026-12-02",
      "Ring twice.\nBen is at home.",
    ]);
  });

  it("CARD-35 are sent only where they were changed, and an optional one can be taken away", () => {
    const entries = { "/date": "2026-12-02", "/note": "" };
    expect(checkEntries(moveDelivery(), entries)).toEqual({ values: { "/note": null }, faults: {} });
  });

  it("CARD-35 keep the type of a choice", () => {
    expect(checkEntries(cancelOrder(), { "/reason": '"mind"' }).values).toEqual({ "/reason": "mind" });
  });

  it("CARD-35 count characters as the server does, not halves of them", () => {
    const card = moveDelivery();
    expect(checkEntries(card, { "/note": "😀".repeat(80) }).faults).toEqual({});
    expect(checkEntries(card, { "/note": "😀".repeat(81) }).faults).toEqual({
      "/note": { code: "too_long", limit: "80" },
    });
  });
});

describe("a date with a time", () => {
  it("CARD-35 is shown and read in the card's time zone, in summer and in winter", () => {
    expect(toWallTime("2026-07-01T08:30:00Z", "Europe/Madrid")).toBe("2026-07-01T10:30");
    expect(fromWallTime("2026-07-01T10:30", "Europe/Madrid")).toBe("2026-07-01T08:30:00Z");
    expect(fromWallTime("2026-12-01T10:30", "Europe/Madrid")).toBe("2026-12-01T09:30:00Z");
  });

  it("CARD-35 does not exist in the hour that clocks skip", () => {
    expect(fromWallTime("2026-03-29T02:30", "Europe/Madrid")).toBeUndefined();
    expect(fromWallTime("2026-03-29T03:00", "Europe/Madrid")).toBe("2026-03-29T01:00:00Z");
  });
});
