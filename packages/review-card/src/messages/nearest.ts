const languageOf = (locale: string): string => locale.toLowerCase().replace(/[-_].*/, "");

/**
 * The one of `locales` that is read where `locale` is: the same, else the nearest one above it (`zh-Hant-TW`,
 * `zh-Hant`, `zh`), else the first of its language; undefined where there is none.
 */
export function nearestLocale(locales: readonly string[], locale: string): string | undefined {
  for (let at = locale.toLowerCase(); at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("-")))) {
    const same = locales.find((each) => each.toLowerCase() === at);
    if (same !== undefined) return same;
  }
  return locales.find((each) => languageOf(each) === languageOf(locale));
}
