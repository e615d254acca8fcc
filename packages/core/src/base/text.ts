/** False when the string holds half of a surrogate pair, which UTF-8 cannot carry. */
export function isWellFormed(text: string): boolean {
  return (text as string & { isWellFormed(): boolean }).isWellFormed();
}

/** The text with U+FFFD in place of each half of a surrogate pair. */
export function wellFormed(text: string): string {
  return (text as string & { toWellFormed(): string }).toWellFormed();
}

/** True for 1 to `max` characters, all from space (0x20) to tilde (0x7E). */
export function isPrintableAscii(text: string, max: number): boolean {
  return text.length >= 1 && text.length <= max && /^[\x20-\x7e]+$/.test(text);
}

// What nobody can see, or what moves what one sees: format, bidi and tag characters, fillers, variation selectors,
// odd spaces, private use, non-characters, lone surrogates. The brackets of our own marks, and their look-alikes, so
// that a value cannot write a mark. Spaces where they would be lost, and piles of accents that hide their neighbours.
const unseen =
  "\\p{Cf}\\p{Zl}\\p{Zp}\\p{Co}\\p{Cs}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\u2800\\ufffc\\u27e6\\u27e7\\u301a\\u301b";
const lost = "[^\\P{Zs} ]| {2}|^ | $|\\p{M}{9}";
const unseenInLine = new RegExp(`[\\p{Cc}${unseen}]|${lost}`, "u");
const unseenInLines = new RegExp(`[^\\P{Cc}\\n]|[${unseen}]|${lost}`, "u");
const unseenCharacter = new RegExp(`[\\p{Cc}${unseen}]|[^\\P{Zs} ]`, "u");

const emoji = /\p{Extended_Pictographic}/u;
const emojiPart = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f/u;
const joiningLetter = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}]/u;
const mongolian = /\p{Script=Mongolian}/u;
// The signs that join or silence a consonant (Unicode 17, canonical combining class 9, the scripts in modern use).
const virama =
  /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u1039\u103a\u17d2\u1a60\u1b44\u1baa\ua806\ua8c4\ua953\ua9c0\uaaf6\uabed]/u;
// Format characters by category that are drawn: the Arabic, Syriac and Kaithi number and verse signs.
const drawnFormat = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;
const eastAsian =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/u;
const subdivisionFlag =
  /^\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/u;

function joinsOrParts(point: string, before: string, after: string): boolean {
  if (joiningLetter.test(before) && joiningLetter.test(after)) return true;
  if (virama.test(before)) return true;
  return point === "\u200d" && ((emojiPart.test(before) && emoji.test(after)) || virama.test(after));
}

function selectsPresentation(before: string, after: string): boolean {
  return emoji.test(before) || (/[0-9#*]/.test(before) && after === "\u20e3");
}

function isTypographicSpace(before: string, after: string): boolean {
  return (
    /[!?;:»%€$£]/.test(after) || (before === "«" && after !== "") || (/\d/.test(before) && /\d/.test(after))
  );
}

// True where a script, an emoji or good typography needs the character, so that people who write properly see no marks.
function isNeeded(point: string, before: string, after: string): boolean {
  if (point === "\u200c" || point === "\u200d") return joinsOrParts(point, before, after);
  if (point === "\ufe0f" || point === "\ufe0e") return selectsPresentation(before, after);
  if (point === "\u00a0" || point === "\u202f") return isTypographicSpace(before, after);
  if (point === "\u3000") return eastAsian.test(before) && eastAsian.test(after);
  return /[\u180b-\u180f]/.test(point) && mongolian.test(before);
}

function isUnseen(point: string, count: number, before: string, after: string, multiline: boolean): boolean {
  if (point === "\n") return !multiline;
  if (point === " ") return count > 1 || before === "" || after === "";
  if (!unseenCharacter.test(point) || drawnFormat.test(point)) return false;
  return count > 1 || !isNeeded(point, before, after);
}

const names: { readonly [point: string]: string } = { "\n": "↵", "\t": "⇥", " ": "␣" };

function nameOf(point: string): string {
  const code = point.codePointAt(0) ?? 0;
  return names[point] ?? `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

function rewrite(text: string, multiline: boolean): string {
  const points = [...text.replaceAll("\r\n", "\n")];
  let shown = "";
  let accents = 0;
  for (let at = 0; at < points.length; ) {
    const point = points[at] as string;
    let count = 1;
    while (points[at + count] === point) count += 1;
    accents = /\p{M}/u.test(point) ? accents + count : 0;
    const flag = point === "\u{1f3f4}" ? subdivisionFlag.exec(points.slice(at, at + 7).join("")) : null;
    if (flag) {
      shown += flag[0];
      at += 7;
      continue;
    }
    const before = points[at - 1] ?? "";
    const after = points[at + count] ?? "";
    const isMarked = accents > 8 || isUnseen(point, count, before, after, multiline);
    shown += isMarked ? `⟦${nameOf(point)}${count > 1 ? `×${count}` : ""}⟧` : point.repeat(count);
    at += count;
  }
  return shown;
}

/**
 * Display text of an untrusted value: what cannot be seen, or would move what can, becomes a mark such as `⟦U+202E⟧`.
 *
 * A repeated character is one mark with its count (`⟦U+200B×500⟧`). A line break is `⟦↵⟧` unless `multiline` keeps it
 * as `\n`; a tab is `⟦⇥⟧`. One space is a space; more in a row, or one at either end, are counted (`⟦␣×3⟧`), because a
 * page shows a run as one space and padding could push words out of view. Joiners, variation selectors and
 * typographic spaces stay where a script, an emoji or punctuation needs them. The brackets ⟦ and ⟧ in a value are
 * marks themselves, so no value can write a mark. Apply it once: a second time marks the marks.
 */
export function visible(text: string, how: { readonly multiline?: boolean } = {}): string {
  const multiline = how.multiline ?? false;
  return (multiline ? unseenInLines : unseenInLine).test(text) ? rewrite(text, multiline) : text;
}
