import type { Prompt, PromptTime } from "@countersign/core";
import type { FrozenCard } from "@countersign/core/card";
import { wordsFor } from "../words/words.ts";
import { answerLines, type Block, type Buttons, cardBlocks, type Line, textOf } from "./card-text.ts";
import { type Limits, type Measure, measure, type TextLimit } from "./limits.ts";
import { escapeMarkup } from "./markup.ts";
import { splitText } from "./split.ts";

/** A prompt that cannot be shown whole. */
export type TooLong = Extract<Prompt, { readonly kind: "confirmation_too_long" }>;

/** The texts of a prompt: what goes before it, and what stands above its buttons. */
export type PromptTexts = {
  readonly kind: "texts";
  readonly details: readonly string[];
  readonly prompt: string;
};

function tooLong(part: TooLong["part"], { limit, length, unit }: Measure): TooLong {
  return { kind: "confirmation_too_long", part, limit, length, unit };
}

/** A button's text that does not fit, or reads like the other one's; undefined when both are fine. */
function labelFault(buttons: Buttons, limit: number): TooLong | undefined {
  const labels = [buttons.confirm, buttons.decline];
  const length = Math.max(...labels.map((label) => label.length));
  const different = new Set(["", ...labels.map((label) => label.trim())]).size === 3;
  if (length <= limit && different) return undefined;
  return { kind: "confirmation_too_long", part: "label", limit, length, unit: "characters" };
}

function shortened(blocks: readonly Block[], extra: ReadonlySet<Line>): readonly Block[] {
  const kept = ({ heading, lines }: Block): Block => ({
    heading,
    lines: lines.filter((line) => line.essential || extra.has(line)),
  });
  return blocks.map(kept).filter(({ lines }) => lines.length > 0);
}

/** What is essential, and as many of the other lines as leave it fitting. */
function fullest(blocks: readonly Block[], fits: (shown: readonly Block[]) => boolean): readonly Block[] {
  const extra: Set<Line> = new Set();
  for (const line of blocks.flatMap(({ lines }) => lines).filter(({ essential }) => !essential)) {
    extra.add(line);
    if (!fits(shortened(blocks, extra))) extra.delete(line);
  }
  return shortened(blocks, extra);
}

/**
 * The texts of a card's prompt.
 *
 * What fits goes in one message. What does not is written in full before it, and the prompt keeps what decides: title,
 * amounts, what changes, warnings and both answers, and of the other lines as many as there is room for. Nothing is cut.
 */
export function promptTexts(card: FrozenCard, time: PromptTime, limits: Limits): PromptTexts | TooLong {
  const fault = labelFault({ confirm: card.confirmLabel, decline: card.declineLabel }, limits.label);
  if (fault) return fault;
  const blocks = cardBlocks(card);
  const answers = answerLines(card, time.expiresAt, {
    buttonless: limits.buttonless,
    reviewUrl: time.reviewUrl,
  });
  const compose = (shown: readonly Block[], tail: readonly string[]): string =>
    escapeMarkup(`${textOf(shown)}\n\n${tail.join("\n")}`, limits.markup);
  const whole = compose(blocks, answers);
  if (measure(whole, limits.prompt).fits) return { kind: "texts", details: [], prompt: whole };

  const tail = [wordsFor(card.locale).above, ...answers];
  const measured = (shown: readonly Block[]): Measure => measure(compose(shown, tail), limits.prompt);
  const shortest = measured(shortened(blocks, new Set()));
  if (!shortest.fits) return tooLong("prompt", shortest);
  const full = escapeMarkup(textOf(blocks), limits.markup);
  const tooMany = (length: number): TooLong => {
    return {
      kind: "confirmation_too_long",
      part: "details",
      limit: limits.details,
      length,
      unit: "messages",
    };
  };
  const least = Math.ceil(measure(full, limits.text).length / limits.text.characters);
  // Not worth cutting apart when it is far too long anyway.
  if (least > limits.details) return tooMany(least);
  const details = splitText(full, limits.text);
  if (details.length > limits.details) return tooMany(details.length);
  return {
    kind: "texts",
    details,
    prompt: compose(
      fullest(blocks, (shown) => measured(shown).fits),
      tail,
    ),
  };
}

/**
 * A card's prompt on one line, for the one place of an approved template; `frame` is the template's text around it,
 * with `{{1}}` for that place. Nothing can go before a template, so it holds everything or nothing.
 */
export function templateText(
  card: FrozenCard,
  time: PromptTime,
  how: {
    readonly frame: string;
    readonly limit: TextLimit;
    readonly label: number;
    readonly markup: string;
    readonly buttons: Buttons;
  },
): { readonly kind: "text"; readonly variable: string; readonly text: string } | TooLong {
  const fault = labelFault(how.buttons, how.label);
  if (fault) return fault;
  const answers = answerLines(card, time.expiresAt, { buttons: how.buttons, buttonless: false });
  const lines = [textOf(cardBlocks(card)), ...answers].join("\n").split("\n");
  const variable = escapeMarkup(lines.filter((line) => line !== "").join(" · "), how.markup);
  const text = how.frame.replace("{{1}}", () => variable);
  const length = measure(text, how.limit);
  return length.fits ? { kind: "text", variable, text } : tooLong("prompt", length);
}
