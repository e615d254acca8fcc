const languageOf = (locale: string): string => locale.toLowerCase().replace(/-.*/, "");

/**
 * The one of `locales` that is read where `locale` is: the same, else its language without a region, else the first of
 * its language; undefined where there is none.
 */
export function nearestLocale(locales: readonly string[], locale: string): string | undefined {
  const language = languageOf(locale);
  const same = (name: string): string | undefined => locales.find((each) => each.toLowerCase() === name);
  return (
    same(locale.toLowerCase()) ?? same(language) ?? locales.find((each) => languageOf(each) === language)
  );
}
