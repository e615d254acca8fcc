import { type FrozenCard, formatValue } from "@countersign/core/card";
import { fill, type Words, wordsFor } from "../words/words.ts";
import { isolate } from "./markup.ts";

/** One line. What is not essential may stand in the messages before the prompt instead. */
export type Line = { readonly text: string; readonly essential: boolean };

/** Lines that belong together, under a heading of their own or none. */
export type Block = { readonly heading: string | null; readonly lines: readonly Line[] };

/** What stands on the two buttons. */
export type Buttons = { readonly confirm: string; readonly decline: string };

const lineBreak = "⟦↵⟧";

// Laid out JSON is JSON on one line too; in any other text a line break is something that the customer should see.
function isJson(text: string): boolean {
  if (!/^[[{]/.test(text)) return false;
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}

/** A value on one line. */
export function flatten(text: string): string {
  if (!text.includes("\n")) return text;
  return isJson(text) ? text.replace(/\n */g, " ") : text.replaceAll("\n", lineBreak);
}

const amounts: ReadonlySet<string> = new Set(["money", "number", "percent"]);

function effectLine(effect: FrozenCard["effects"][number], words: Words, locale: string): string {
  const { label, before, after, tolerance } = effect;
  const value = (text: string | null): string =>
    text === null ? words.none : isolate(flatten(text), locale);
  const shown = (text: string, what: string | null): string => fill(text, { value: value(what) });
  // What was nothing before is no change from something: it just is.
  const only = after === null ? "" : value(after);
  const both = before === null ? only : [shown(words.was, before), shown(words.now, after)].join(words.comma);
  const change = both + (tolerance === undefined ? "" : ` (${flatten(tolerance)})`);
  return change === "" ? flatten(label) : `${flatten(label)}: ${change.trim()}`;
}

/** Everything a card shows, in the order it is read. */
export function cardBlocks(card: FrozenCard): readonly Block[] {
  const words = wordsFor(card.locale);
  const value = (text: string): string => isolate(flatten(text), card.locale);
  const always = (text: string): Line => ({ text, essential: true });
  const blocks: readonly Block[] = [
    { heading: null, lines: [always(flatten(card.title))] },
    {
      heading: null,
      lines: card.description === null ? [] : [{ text: flatten(card.description), essential: false }],
    },
    {
      heading: null,
      lines: card.fields.map(({ label, display, format }) => ({
        text: `${flatten(label)}: ${value(display)}`,
        essential: amounts.has(format),
      })),
    },
    {
      heading: words.whatChanges,
      lines: card.effects.map((effect) => always(effectLine(effect, words, card.locale))),
    },
    {
      heading: words.details,
      lines: card.details.map(({ label, display }) => ({
        text: `${flatten(label)}: ${display === null ? words.notShown : value(display)}`,
        essential: false,
      })),
    },
    {
      heading: null,
      lines: [
        ...card.warnings.map((warning) => always(`⚠ ${flatten(warning)}`)),
        ...(card.reversible === false ? [always(words.irreversible)] : []),
      ],
    },
  ];
  return blocks.filter(({ lines }) => lines.length > 0);
}

/** How to answer, and until when. `buttons` are the texts of the buttons where they are not the card's own labels. */
export function answerLines(
  card: FrozenCard,
  expiresAt: number,
  how: { readonly buttons?: Buttons; readonly buttonless: boolean; readonly reviewUrl?: string | undefined },
): readonly string[] {
  const words = wordsFor(card.locale);
  const own = { confirm: card.confirmLabel, decline: card.declineLabel };
  const buttons = how.buttons ?? own;
  const meanings = (["confirm", "decline"] as const)
    .filter((decision) => buttons[decision] !== own[decision])
    .map((decision) => fill(words.means, { button: buttons[decision], label: own[decision] }));
  // The minute that is surely still open: nobody reads seconds.
  const until = formatValue(
    new Date(Math.floor(expiresAt / 60_000) * 60_000).toISOString(),
    { format: "datetime" },
    card.locale,
    card.timeZone,
  );
  return [
    fill(words.answerBy, { time: isolate(until.display, card.locale) }),
    ...meanings,
    fill(words.choose, buttons),
    ...(how.buttonless ? [words.noButtons] : []),
    ...(how.reviewUrl === undefined ? [] : [fill(words.review, { url: how.reviewUrl })]),
  ];
}

/** Blocks as text: a line each, an empty line between blocks. */
export function textOf(blocks: readonly Block[]): string {
  return blocks
    .map(({ heading, lines }) => [
      ...(heading === null ? [] : [`${heading}:`]),
      ...lines.map(({ text }) => text),
    ])
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}
