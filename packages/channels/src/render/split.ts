import { measure, type TextLimit } from "./limits.ts";

const segmenter: Intl.Segmenter = new Intl.Segmenter();

// From the kindest place to cut to the last resort: paragraphs, lines, sentences, words, what is drawn as one, characters.
const cuts: readonly ((text: string) => readonly string[])[] = [
  (text) => text.split(/(?<=\n\n)/),
  (text) => text.split(/(?<=\n)/),
  (text) => text.split(/(?<=[.!?؟] |[。！？।])/),
  (text) => text.split(/(?<= )/),
  (text) => [...segmenter.segment(text)].map(({ segment }) => segment),
  (text) => [...text],
];

function pack(text: string, limit: TextLimit, level: number): readonly string[] {
  if (measure(text, limit).fits) return [text];
  const cut = cuts[level];
  if (cut === undefined) return [text];
  const parts: string[] = [];
  for (const piece of cut(text)) {
    const last = parts.at(-1);
    if (last !== undefined && measure(last + piece, limit).fits) parts[parts.length - 1] = last + piece;
    else parts.push(...pack(piece, limit, level + 1));
  }
  return parts;
}

// Room for "(999/999) ".
const numbering = 10;

/** A text as parts that each fit, whole and in order, numbered where there are several. */
export function splitText(text: string, limit: TextLimit): readonly [string, ...string[]] {
  if (measure(text, limit).fits) return [text];
  const room = { characters: limit.characters - numbering, bytes: limit.bytes - numbering };
  const parts = pack(text, room, 0)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const [first = text, ...rest] = parts;
  if (rest.length === 0) return [first];
  const number = (part: string, index: number): string => `(${index + 1}/${parts.length}) ${part}`;
  return [number(first, 0), ...rest.map((part, index) => number(part, index + 1))];
}
