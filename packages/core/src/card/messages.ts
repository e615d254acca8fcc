import { remember } from "../base/remember.ts";
import { pickLocale } from "./locale.ts";
import { ar } from "./messages/ar.ts";
import type { Catalogue } from "./messages/catalogue.ts";
import { de } from "./messages/de.ts";
import { en } from "./messages/en.ts";
import { es } from "./messages/es.ts";
import { fr } from "./messages/fr.ts";
import { hi } from "./messages/hi.ts";
import { ja } from "./messages/ja.ts";
import { ptBr } from "./messages/pt-br.ts";
import type { WriteState } from "./model.ts";

const catalogues: { readonly [locale: string]: Catalogue } = { en, es, "pt-BR": ptBr, fr, de, ar, hi, ja };

const picked: Map<string, Catalogue> = new Map();

/** The locales that the card's own words are written in. */
export const messageLocales: readonly string[] = /* @__PURE__ */ Object.keys(catalogues);

/** The card's own words in `locale`, or in the nearest language there is: its own in another region, else English. */
export function messagesFor(locale: string): Catalogue {
  return remember(picked, locale, () => catalogues[pickLocale(messageLocales, locale) ?? "en"] ?? en);
}

/** What became of a write, told to the customer. The same words as {@link agentMessage}, so that both say one thing. */
export function outcomeText(state: WriteState, locale: string): string {
  return messagesFor(locale).states[state];
}

/** What became of a write, told to the agent in English; safe to relay, since it says nothing but the state. */
export function agentMessage(state: WriteState): string {
  switch (state) {
    case "proposed":
      return "It waits for the customer's decision. Nothing has changed.";
    case "running":
      return "It is being carried out, and the result is not known yet.";
    case "awaiting_verification":
      return "The customer confirmed, and has to verify who they are first. Nothing has changed.";
    case "declined":
      return "The customer decided against it. Nothing was changed.";
    default:
      return en.states[state];
  }
}

/** What is told to the agent of a write that waits and could not be shown in the customer's chat, and why. */
export function undeliveredMessage(reason: string): string {
  return `It could not be shown in the customer's chat (${reason}), and waits for a decision elsewhere. Nothing has changed.`;
}
