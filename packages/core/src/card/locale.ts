import { remember } from "../base/remember.ts";
import type { Text } from "../tool/presentation.ts";

const locales: Map<string, string | null> = new Map();
const timeZones: Map<string, string | null> = new Map();

function canonicalLocale(text: string): string | null {
  return remember(locales, text, () => {
    // Extensions (-u-, -x-) could change digits or calendar, so that a date or an amount reads as another one.
    if (text.length > 35 || /-[a-z0-9](-|$)/i.test(text)) return null;
    try {
      return Intl.DateTimeFormat.supportedLocalesOf(text).length > 0
        ? (Intl.getCanonicalLocales(text)[0] ?? null)
        : null;
    } catch {
      return null;
    }
  });
}

function canonicalTimeZone(text: string): string | null {
  return remember(timeZones, text, () => {
    if (!/^[A-Za-z]/.test(text) || text.length > 64) return null;
    try {
      return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
    } catch {
      return null;
    }
  });
}

/** True for a BCP 47 tag that this machine can format for, without extensions. */
export function isLocale(text: string): boolean {
  return canonicalLocale(text) !== null;
}

/** True for an IANA time zone name (`Europe/Madrid`, `UTC`) that this machine knows; not for a bare offset. */
export function isTimeZone(text: string): boolean {
  return canonicalTimeZone(text) !== null;
}

/** The locale in canonical form (`pt-br` → `pt-BR`), or `en` where it is not one. */
export function settleLocale(text: string): string {
  return canonicalLocale(text) ?? "en";
}

/** The time zone as stated, or `UTC` where it is not one. */
export function settleTimeZone(text: string): string {
  return canonicalTimeZone(text) === null ? "UTC" : text;
}

/** The locales tried for `locale`, most specific first: `zh-Hant-TW`, `zh-Hant`, `zh`. */
function* parents(locale: string): Generator<string> {
  for (let at = locale; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("-")))) yield at.toLowerCase();
}

/** The key of `keys` that serves `locale` best: along its parents, else of the same language, else `en`, else the first. */
export function pickLocale(keys: readonly string[], locale: string): string | undefined {
  for (const parent of parents(locale)) {
    const same = keys.find((key) => key.toLowerCase() === parent);
    if (same !== undefined) return same;
  }
  const language = locale.split("-")[0]?.toLowerCase();
  const kin = (key: string): string | undefined => key.split("-")[0]?.toLowerCase();
  return keys.find((key) => kin(key) === language) ?? keys.find((key) => kin(key) === "en") ?? keys[0];
}

/** A definition's text in `locale`, or in the language nearest to it that the text has. */
export function localise(text: Text, locale: string): string {
  if (typeof text === "string") return text;
  if (Object.hasOwn(text, locale)) return text[locale] as string;
  const key = pickLocale(Object.keys(text), locale);
  return key === undefined ? "" : (text[key] as string);
}
