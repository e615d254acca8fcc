import { type Card, splitMarks } from "@countersign/core/card";

/** Whether the buttons can be seen: `covered` by something else on the page, or `framed` by a foreign one. */
export type Presence = "visible" | "away" | "covered" | "framed";

/** What Confirm still waits for. `label`: of the row that has to be opened. */
export type Wait =
  | { readonly type: "covered" | "framed" }
  | { readonly type: "unopened"; readonly label: string }
  | { readonly type: "word"; readonly word: string };

const longest = 320;
const longestLines = 8;
const shownLength = 240;
const shownLines = 5;

/** A long text in two parts, the second of which is shown on demand; null for one that is shown whole. */
export function cutLong(text: string): readonly [string, string] | null {
  if (text.length <= longest && text.split("\n", longestLines + 1).length <= longestLines) return null;
  let shown = "";
  // A mark is never cut in two, nor is a word where there are words, nor a letter and its accents.
  for (const { text: segment, mark } of splitMarks(text)) {
    const room = shownLength - shown.length;
    if (segment.length <= room) shown += segment;
    else {
      const atWord = `.{${Math.max(room - 40, 0)},${room}}(?=\\s)`;
      if (!mark) shown += new RegExp(`^(?:${atWord}|.{0,${room}}(?!\\p{M}))`, "su").exec(segment)?.[0] ?? "";
      break;
    }
  }
  shown = shown.split("\n", shownLines).join("\n");
  return [shown, text.slice(shown.length)];
}

/** The label of the first row whose long text nobody has opened. */
export function unopenedLabel(card: Card, opened: readonly string[]): string | undefined {
  const rows = [
    ...card.fields.map(({ label, display, items }) => ({ label, texts: items?.length ? items : [display] })),
    ...card.effects.map(({ label, before, after }) => ({ label, texts: [before ?? "", after ?? ""] })),
  ];
  return rows.find(({ texts }) => texts.some((text) => !opened.includes(text) && cutLong(text)))?.label;
}

/** What has to be typed before a write of high risk is confirmed: the first word of its button, in capitals. */
export const wordOf = ({ confirmLabel, locale }: Card): string =>
  (confirmLabel.trim().split(/\s/)[0] ?? "").toLocaleUpperCase(locale);

/** Whether `typed` is that word, in whatever case and width it was typed. */
export const isWord = (typed: string, card: Card): boolean =>
  typed.trim().normalize("NFKC").toLocaleUpperCase(card.locale) === wordOf(card).normalize("NFKC");
