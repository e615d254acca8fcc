import { remember } from "../base/remember.ts";

// ISO 4217, list one, read November 2026. Intl is no source for this: its data gives several currencies fewer digits
// than the standard (PKR, COP and IDR none), so that 24000 hundredths would read as 24000 whole ones.
const unusual: { readonly [count: string]: string } = {
  "0": "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
  "3": "BHD IQD JOD KWD LYD OMR TND",
  "4": "CLF UYW",
};
let minorDigitsOf: ReadonlyMap<string, number> | undefined;

function unusualDigits(): ReadonlyMap<string, number> {
  minorDigitsOf ??= new Map(
    Object.entries(unusual).flatMap(([count, codes]) =>
      codes.split(" ").map((code): [string, number] => [code, Number(count)]),
    ),
  );
  return minorDigitsOf;
}

let known: ReadonlySet<string> | undefined;

/** The code in capitals, or undefined where it names no currency. */
export function currencyCode(text: unknown): string | undefined {
  if (typeof text !== "string" || !/^[A-Za-z]{3}$/.test(text)) return undefined;
  known ??= new Set([...Intl.supportedValuesOf("currency"), ...unusualDigits().keys()]);
  const code = text.toUpperCase();
  return known.has(code) ? code : undefined;
}

/** How many decimal digits the minor unit of a currency has: 2 for EUR, 0 for JPY, 3 for KWD. */
export function minorDigits(code: string): number {
  return unusualDigits().get(code) ?? 2;
}

// Longer ones are no amounts, and slow to format.
const longestDecimal = 64;
const decimal = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/;

/** The plain decimal text of a number or of a decimal string, or undefined: no exponent, no leading zero, no spaces. */
function decimalText(value: unknown): string | undefined {
  if (typeof value !== "number" && typeof value !== "string") return undefined;
  const text = String(value);
  return text.length <= longestDecimal && decimal.test(text) ? text : undefined;
}

/** Moves the decimal point of a plain decimal text `places` to the left, exactly. */
function shiftLeft(text: string, places: number): string {
  const [, sign = "", whole = "0", fraction = ""] = decimal.exec(text) ?? [];
  const padded = whole.padStart(places + 1, "0");
  const at = padded.length - places;
  const rest = padded.slice(at) + fraction;
  const shifted = padded.slice(0, at) + (rest === "" ? "" : `.${rest}`);
  return sign !== "" && /[1-9]/.test(shifted) ? `-${shifted}` : shifted;
}

const formatters: Map<string, Intl.NumberFormat> = new Map();

// The decimal goes to Intl as text, so that no digit passes through a binary fraction, and nothing is rounded.
function formatDecimal(
  text: string,
  key: string,
  locale: string,
  options: Intl.NumberFormatOptions,
): string | undefined {
  const point = text.indexOf(".");
  const written = point === -1 ? 0 : text.length - point - 1;
  const least = options.minimumFractionDigits ?? 0;
  if (written > 20) return undefined;
  const formatter = remember(formatters, `${locale} ${key} ${written}`, () => {
    return new Intl.NumberFormat(locale, { ...options, maximumFractionDigits: Math.max(least, written) });
  });
  return formatter.format(text as Intl.StringNumericLiteral);
}

/** An amount with its currency's sign: all digits, none rounded. Undefined where `value` is no decimal number. */
export function formatMoney(
  value: unknown,
  money: { readonly currency: string; readonly unit: "minor" | "major" },
  locale: string,
): string | undefined {
  const text = decimalText(value);
  if (text === undefined) return undefined;
  const places = minorDigits(money.currency);
  return formatDecimal(shiftLeft(text, money.unit === "minor" ? places : 0), money.currency, locale, {
    style: "currency",
    currency: money.currency,
    minimumFractionDigits: places,
  });
}

/** A number with the locale's separators, unrounded. Undefined where `value` is no decimal number. */
export function formatNumber(value: unknown, locale: string): string | undefined {
  const text = decimalText(value);
  return text === undefined ? undefined : formatDecimal(text, "number", locale, {});
}

/** A ratio as a percentage (0.15 is 15 %), unrounded. Undefined where `value` is no decimal number. */
export function formatPercent(value: unknown, locale: string): string | undefined {
  const text = decimalText(value);
  return text === undefined ? undefined : formatDecimal(text, "percent", locale, { style: "percent" });
}
