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
