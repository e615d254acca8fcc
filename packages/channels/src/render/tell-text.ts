import type { Receipt } from "@countersign/core";
import { wordsFor } from "../words/words.ts";
import { flatten } from "./card-text.ts";
import type { Limits } from "./limits.ts";
import { escapeMarkup, isolate } from "./markup.ts";
import { splitText } from "./split.ts";

function receiptText(receipt: Receipt, locale: string, markup: string): string {
  const { title, message, fields, reference } = receipt;
  const rows = fields.map(({ label, display }) => `${flatten(label)}: ${isolate(flatten(display), locale)}`);
  const told = [[title, ...(message === null ? [] : [message])].map(flatten).join("\n"), rows.join("\n")]
    .filter((block) => block !== "")
    .map((block) => escapeMarkup(block, markup));
  // As it is, to be copied: an id of ours, in which no chat finds markup.
  return [...told, `${wordsFor(locale).reference}: ${reference}`].join("\n\n");
}

/** A note or a receipt as texts that each fit into one message. */
export function tellTexts(
  said: string | Receipt,
  locale: string,
  limits: Limits,
): readonly [string, ...string[]] {
  const { markup } = limits;
  const text = typeof said === "string" ? escapeMarkup(said, markup) : receiptText(said, locale, markup);
  return splitText(text, limits.text);
}
