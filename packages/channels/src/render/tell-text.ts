import type { Receipt } from "@countersign/core";
import { wordsFor } from "../words/words.ts";
import { flatten } from "./card-text.ts";
import type { Limits } from "./limits.ts";
import { escapeMarkup, isolate } from "./markup.ts";
import { splitText } from "./split.ts";

function receiptText(receipt: Receipt, locale: string): string {
  const { title, message, fields, reference } = receipt;
  return [
    [title, ...(message === null ? [] : [message])].map(flatten).join("\n"),
    fields.map(({ label, display }) => `${flatten(label)}: ${isolate(flatten(display), locale)}`).join("\n"),
    `${wordsFor(locale).reference}: ${isolate(reference, locale)}`,
  ]
    .filter((block) => block !== "")
    .join("\n\n");
}

/** A note or a receipt as texts that each fit into one message. */
export function tellTexts(
  said: string | Receipt,
  locale: string,
  limits: Limits,
): readonly [string, ...string[]] {
  const text = typeof said === "string" ? said : receiptText(said, locale);
  return splitText(escapeMarkup(text, limits.markup), limits.text);
}
