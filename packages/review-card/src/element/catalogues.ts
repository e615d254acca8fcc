import { en } from "../messages/en.ts";
import type { Messages } from "../messages/messages.ts";
import { nearestLocale } from "../messages/nearest.ts";

/** A catalogue, or single sentences of one, and the locale they are written in. */
export type Catalogue = Partial<Messages> & { readonly locale: string };

const catalogues = new Map<string, Catalogue>();
const listeners = new Set<() => void>();
let count = 0;

/**
 * Adds the card's own words in another language, for all cards of the page, also those that are shown already. What was
 * added for the same locale before stays where nothing takes its place.
 */
export function addMessages(catalogue: Catalogue): void {
  const name = catalogue.locale.toLowerCase();
  const before = catalogues.get(name);
  const refusals = { ...(before ?? en).refusals, ...catalogue.refusals };
  catalogues.set(name, { ...before, ...catalogue, refusals });
  count += 1;
  for (const listener of [...listeners]) listener();
}

/** Grows with every catalogue that is added. */
export const catalogueCount = (): number => count;

/** Told of every catalogue that is added; the returned function ends it. */
export function onCatalogue(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** The words for this locale: of the region, or else of the language; undefined for those that are built in. */
export function findMessages(locale: string): Catalogue | undefined {
  return catalogues.get(nearestLocale([...catalogues.keys()], locale) ?? "");
}
