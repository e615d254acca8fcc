// Decimal numbers are text here: an optional minus, digits, a point and digits. Money is never a float.

/** The group and decimal marks of a locale. */
function marksOf(locale: string): readonly [string, string] {
  const marks = (1234567.5).toLocaleString(locale, { numberingSystem: "latn" }).match(/\D/g) ?? ["."];
  return [marks.length > 1 ? (marks[0] as string) : "", marks.at(-1) as string];
}

/** Arabic, Persian and Devanagari digits as 0 to 9: a phone keyboard writes its own. */
export const toLatin = (text: string): string =>
  text.replace(/[٠-٩۰-۹०-९]/g, (digit) => `${(digit.charCodeAt(0) - (digit < "०" ? 0 : 6)) % 16}`);

/**
 * Reads what a customer typed in their locale; undefined when it is no plain number. Groups count only where they are
 * whole, so that `24.50` typed in a locale that groups with dots is refused, not read as 2450.
 */
export function readDecimal(text: string, locale: string): string | undefined {
  const [group, point] = marksOf(locale);
  const between = `[${group}\\s'’]`;
  const pattern = `^(-?)(\\d+|\\d{1,3}(?:${between}\\d{2,3})*${between}\\d{3})(?:[${point}٫](\\d*))?$`;
  const match = new RegExp(pattern).exec(toLatin(text.trim()).replace("−", "-"));
  if (!match) return undefined;
  const [, sign, whole = "", digits] = match;
  return `${sign}${whole.replace(/\D/g, "").replace(/^0+(?=\d)/, "")}${digits ? `.${digits}` : ""}`;
}

/** Times a power of ten, digit by digit: `0.15`, 2 → `15`; `2400`, -2 → `24.00`. An exponent stays as it is. */
export function shiftPoint(plain: string, places: number): string {
  const [, sign, digits = "", fraction] = /^(-?)(\d+)\.?(\d*)$/.exec(plain) ?? [];
  if (!digits) return plain;
  const whole = digits.padStart(1 - places, "0");
  const at = whole.length + places;
  const moved = (whole + fraction).padEnd(at, "0");
  const rest = moved.slice(at);
  return `${sign}${moved.slice(0, at).replace(/^0+(?=\d)/, "")}${rest && `.${rest}`}`;
}

/** With the decimal mark of `locale` in place of the point. */
export const localDecimal = (plain: string, locale: string): string => plain.replace(".", marksOf(locale)[1]);
