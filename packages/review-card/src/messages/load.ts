import { en } from "./en.ts";
import type { Messages } from "./messages.ts";
import { nearestLocale } from "./nearest.ts";

const catalogues: { readonly [locale: string]: () => Promise<Messages> } = {
  en: async () => en,
  es: async () => (await import("./es.ts")).es,
  "pt-BR": async () => (await import("./pt-br.ts")).ptBr,
  fr: async () => (await import("./fr.ts")).fr,
  de: async () => (await import("./de.ts")).de,
  ar: async () => (await import("./ar.ts")).ar,
  hi: async () => (await import("./hi.ts")).hi,
  ja: async () => (await import("./ja.ts")).ja,
};

/** The locales that the card's own words are written in. */
export const messageLocales: readonly string[] = /* @__PURE__ */ Object.keys(catalogues);

/**
 * The card's own words for somebody who reads `locale`, loaded when they are asked for: in the same language, of
 * another region where need be, else in English. Rejects when the file cannot be loaded.
 */
export async function loadMessages(locale: string): Promise<Messages> {
  const found = nearestLocale(messageLocales, locale);
  return found === undefined ? en : ((await catalogues[found]?.()) ?? en);
}
