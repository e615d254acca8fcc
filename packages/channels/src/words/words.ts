import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { hi } from "./hi.ts";
import { ja } from "./ja.ts";
import { ptBr } from "./pt-br.ts";

/** The words of a prompt that are not the tool's. `{…}` is filled in. */
export type Words = {
  readonly whatChanges: string;
  readonly was: string;
  readonly now: string;
  /** Between `was` and `now`. */
  readonly comma: string;
  readonly none: string;
  readonly details: string;
  readonly notShown: string;
  readonly irreversible: string;
  /** Until when it can be answered: `{time}`. */
  readonly answerBy: string;
  /** The two answers in words: `{confirm}` and `{decline}`. */
  readonly choose: string;
  /** What a button stands for where it does not say what the tool says: `{button}` and `{label}`. */
  readonly means: string;
  /** Points from the prompt to the messages before it. */
  readonly above: string;
  /** For clients that show no buttons. */
  readonly noButtons: string;
  /** Leads to the card on a page of its own: `{url}`. */
  readonly review: string;
  readonly reference: string;
};

const catalogues: { readonly [language: string]: Words } = { en, es, pt: ptBr, fr, de, ar, hi, ja };

/** The words in the language of `locale`, or English. */
export function wordsFor(locale: string): Words {
  return catalogues[locale.split("-")[0]?.toLowerCase() ?? ""] ?? en;
}

/** Puts values in the places of a text. Values are not looked at again. */
export function fill(text: string, values: { readonly [name: string]: string }): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}
