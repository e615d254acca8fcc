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

type Part = { text: string; characters: number; bytes: number };

// The sizes are added up piece by piece: measuring every part anew would take the square of the time.
function pack(text: string, limit: TextLimit, level: number, parts: Part[]): readonly Part[] {
  const piece: Part = { text, characters: text.length, bytes: Buffer.byteLength(text, "utf8") };
  const fits = (extra: Part | undefined): boolean =>
    piece.characters + (extra?.characters ?? 0) <= limit.characters &&
    piece.bytes + (extra?.bytes ?? 0) <= limit.bytes;
  const last = parts.at(-1);
  const cut = cuts[level];
  if (last !== undefined && fits(last)) {
    last.text += text;
    last.characters += piece.characters;
    last.bytes += piece.bytes;
  } else if (cut === undefined || fits(undefined)) parts.push(piece);
  else {
    // Apart from what stands before it, or a long sentence would be torn to fill up the part before.
    const torn: Part[] = [];
    for (const smaller of cut(text)) pack(smaller, limit, level + 1, torn);
    parts.push(...torn);
  }
  return parts;
}

// Room for "(999/999) ".
const numbering = 10;

/** A text as parts that each fit, whole and in order, numbered where there are several. */
export function splitText(text: string, limit: TextLimit): readonly [string, ...string[]] {
  if (measure(text, limit).fits) return [text];
  const room = { characters: limit.characters - numbering, bytes: limit.bytes - numbering };
  const parts = pack(text, room, 0, [])
    .map((part) => part.text.trim())
    .filter((part) => part !== "");
  const [first = text, ...rest] = parts;
  if (rest.length === 0) return [first];
  const number = (part: string, index: number): string => `(${index + 1}/${parts.length}) ${part}`;
  return [number(first, 0), ...rest.map((part, index) => number(part, index + 1))];
}
