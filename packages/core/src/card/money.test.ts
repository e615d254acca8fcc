import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { currencyCode, formatMoney, formatNumber, formatPercent, minorDigits } from "./money.ts";

describe("money", () => {
  it("CARD-10 shows minor units with the digits of the currency", () => {
    const minor = (value: number, currency: string) => formatMoney(value, { currency, unit: "minor" }, "en");
    expect([
      minor(2400, "EUR"),
      minor(2400, "JPY"),
      minor(2400, "KWD"),
      minor(24_000, "PKR"),
      minor(-1, "EUR"),
    ]).toEqual(["€24.00", "¥2,400", "KWD\u00a02.400", "PKR\u00a0240.00", "-€0.01"]);
  });

  it("CARD-10 shows major units without rounding a digit away", () => {
    const major = (value: number | string) => formatMoney(value, { currency: "EUR", unit: "major" }, "en");
    expect([major(24), major(24.5), major(24.005), major("0.10"), major("12345678901234567890.99")]).toEqual([
      "€24.00",
      "€24.50",
      "€24.005",
      "€0.10",
      "€12,345,678,901,234,567,890.99",
    ]);
  });

  it("CARD-10 keeps a fraction of a minor unit visible", () => {
    expect(formatMoney(2450.5, { currency: "EUR", unit: "minor" }, "en")).toBe("€24.505");
  });

  it("CARD-10 answers nothing for what is no plain decimal", () => {
    const values = ["1e3", "007", "1,000", " 1", "", "1.", true, null, 1e21, 1e-7];
    expect(values.map((value) => formatMoney(value, { currency: "EUR", unit: "minor" }, "en"))).toEqual(
      values.map(() => undefined),
    );
  });

  it("CARD-10 is exact for every safe integer", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.constantFrom("EUR", "JPY", "KWD", "CLF"), (value, currency) => {
        const shown = formatMoney(value, { currency, unit: "minor" }, "en") ?? "";
        const places = minorDigits(currency);
        expect(/\.(\d+)$/.exec(shown)?.[1]?.length ?? 0).toBe(places);
        expect(BigInt(shown.replaceAll(/\D/g, ""))).toBe(BigInt(Math.abs(value)));
        expect(shown.startsWith("-")).toBe(value < 0);
      }),
    );
  });

  it("CARD-10 knows currencies in any case, and nothing else", () => {
    expect(["EUR", "eur", "UYW", "EURO", "ABC", "", 3].map(currencyCode)).toEqual([
      "EUR",
      "EUR",
      "UYW",
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("numbers", () => {
  it("CARD-11 shows all digits with the separators of the locale", () => {
    expect([
      formatNumber(1234.56789, "de"),
      formatNumber(-0, "en"),
      formatNumber(9007199254740991, "en"),
    ]).toEqual(["1.234,56789", "0", "9,007,199,254,740,991"]);
  });

  it("CARD-11 shows a ratio as a percentage, unrounded", () => {
    expect([
      formatPercent(0.07, "en"),
      formatPercent(0.125, "en"),
      formatPercent(1, "en"),
      formatPercent(0.0001, "en"),
    ]).toEqual(["7%", "12.5%", "100%", "0.01%"]);
  });
});
