import { messagesFor } from "@countersign/core/card";
import { describe, expect, it } from "vitest";
import { en } from "./en.ts";
import { fillPlural } from "./fill.ts";
import { loadMessages, messageLocales } from "./load.ts";
import type { Messages, Plural } from "./messages.ts";

type Texts = { readonly [path: string]: string };

const plurals = ["unchanged", "showMore", "invisibleCount", "cannotSave"] as const;

/** Every sentence but the plural ones, by its path. */
function sentences(messages: Messages): Texts {
  const entries = Object.entries(messages).flatMap(([key, text]: [string, string | Texts]) => {
    if (typeof text === "string") return [[key, text] as const];
    if (plurals.some((name) => name === key)) return [];
    return Object.entries(text).map(([code, sentence]) => [`${key}.${code}`, sentence] as const);
  });
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

const places = (texts: Texts): Texts =>
  Object.fromEntries(
    Object.entries(texts).map(([path, text]) => [path, (text.match(/\{\w+\}/g) ?? []).join(" ")]),
  );
/** A notice with a title keeps it: the title stands on a line of its own. */
const lineCounts = (texts: Texts): { readonly [path: string]: number } =>
  Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, text.split("\n").length]));

const catalogues: readonly Messages[] = await Promise.all(messageLocales.map(loadMessages));
const others = catalogues.filter(({ locale }) => locale !== "en");

describe("the card's words in eight languages", () => {
  it("CARD-51 are complete, with the same places for values and the same lines as in English", () => {
    expect(catalogues.map(({ locale }) => locale)).toEqual([
      "en",
      "es",
      "pt-BR",
      "fr",
      "de",
      "ar",
      "hi",
      "ja",
    ]);
    for (const messages of others) {
      expect(places(sentences(messages))).toEqual(places(sentences(en)));
      expect(lineCounts(sentences(messages))).toEqual(lineCounts(sentences(en)));
      expect(
        Object.values(sentences(messages)).filter((text) => text.trim() !== text || text === ""),
      ).toEqual([]);
    }
  });

  it("CARD-51 leave no sentence in English", () => {
    const english = new Set(Object.values(sentences(en)));
    // "No" is Spanish, too.
    const same = others.flatMap(({ locale, ...messages }) =>
      Object.entries(sentences({ locale, ...messages })).flatMap(([path, text]) =>
        english.has(text) ? [`${locale} ${path}`] : [],
      ),
    );
    expect(same).toEqual(["es no"]);
  });

  it("CARD-51 have every plural form that their language needs, each with its number", () => {
    for (const messages of catalogues) {
      const { locale } = messages;
      const needed = new Intl.PluralRules(locale).resolvedOptions().pluralCategories.filter(
        // Of round millions in French, Spanish and Portuguese; no card has as many of anything.
        (category) => !(category === "many" && /^(?:es|fr|pt)/.test(locale)),
      );
      for (const name of plurals) {
        const plural: Plural = messages[name];
        expect([locale, name, Object.keys(plural).sort()]).toEqual([locale, name, [...needed].sort()]);
        for (const count of [3, 11, 25, 100]) {
          expect(fillPlural(plural, count, messages)).toContain(count.toLocaleString(locale));
        }
        expect(fillPlural(plural, 1, messages)).not.toMatch(/[{}]/);
      }
    }
  });

  it("CARD-51 say that nothing was changed as the receipts of the core do, so that it is not said twice", () => {
    for (const { locale, nothingChanged } of catalogues) {
      const { receipts } = messagesFor(locale);
      expect(receipts.not_applied).toContain(nothingChanged);
      expect(receipts.declined).toContain(nothingChanged);
    }
  });

  it("CARD-52 are found for any region of their language, and are English for every other", async () => {
    const asked = [
      "pt",
      "pt-PT",
      "de-AT",
      "es-419",
      "fr-CA",
      "AR-eg",
      "hi",
      "ja-JP",
      "en-GB",
      "sw",
      "zh-Hant-TW",
      "",
    ];
    const found = await Promise.all(asked.map(loadMessages));
    expect(found.map(({ locale }) => locale)).toEqual([
      "pt-BR",
      "pt-BR",
      "de",
      "es",
      "fr",
      "ar",
      "hi",
      "ja",
      "en",
      "en",
      "en",
      "en",
    ]);
  });
});
