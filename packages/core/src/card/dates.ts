import { remember } from "../base/remember.ts";

const plainDate = /^\d{4}-\d{2}-\d{2}$/;
// RFC 3339. Without a zone it names no instant, and more digits than milliseconds could not be shown.
const instant = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,3}))?(?:[Zz]|[+-]\d{2}:\d{2})$/;

const formatters: Map<string, Intl.DateTimeFormat> = new Map();

const day: Intl.DateTimeFormatOptions = { weekday: "short", day: "numeric", month: "short", year: "numeric" };
const minute: Intl.DateTimeFormatOptions = {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
};

function isRealDay(date: string): boolean {
  const time = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(date);
}

function formatter(locale: string, timeZone: string, precision: 0 | 1 | 2 | 3): Intl.DateTimeFormat {
  return remember(formatters, `${locale} ${timeZone} ${precision}`, () => {
    const options = [
      day,
      minute,
      { ...minute, second: "2-digit" },
      { ...minute, second: "2-digit", fractionalSecondDigits: 3 },
    ];
    return new Intl.DateTimeFormat(locale, {
      ...(options[precision] as Intl.DateTimeFormatOptions),
      timeZone,
    });
  });
}

/** A plain `YYYY-MM-DD` in words, the same day in every time zone. Undefined where `value` is no such date. */
export function formatDate(value: unknown, locale: string): string | undefined {
  if (typeof value !== "string" || !plainDate.test(value) || !isRealDay(value)) return undefined;
  return formatter(locale, "UTC", 0).format(new Date(`${value}T00:00:00Z`));
}

/**
 * An RFC 3339 instant in words, with the name of `timeZone`; seconds only where there are any.
 * Undefined where `value` is no such instant, or has no zone of its own.
 */
export function formatDatetime(value: unknown, locale: string, timeZone: string): string | undefined {
  const parts = typeof value === "string" ? instant.exec(value) : null;
  if (!parts || !isRealDay(parts[1] as string)) return undefined;
  const time = new Date(value as string);
  if (Number.isNaN(time.getTime())) return undefined;
  return formatter(locale, timeZone, Number(parts[5] ?? 0) > 0 ? 3 : Number(parts[4]) > 0 ? 2 : 1).format(
    time,
  );
}
