const wordJoiner = "\u2060";
const lineMarkup = /^(?=>|[-*] |\d+\. )/gm;

/**
 * The text so that a chat shows its markup characters instead of formatting with them.
 *
 * Chats know no escape character. They take a mark as an opening one only after a space or punctuation, and as a closing
 * one only before such; a word joiner, which nobody sees, on both sides of it is neither. A mark that stands alone formats
 * nothing and is left as it is, so that ids can be copied.
 */
export function escapeMarkup(text: string, markup: string): string {
  if (markup === "") return text;
  const paired = new Set([...markup].filter((mark) => text.split(mark).length > 2));
  const guard = (point: string): string => (paired.has(point) ? wordJoiner + point + wordJoiner : point);
  const escaped = paired.size === 0 ? text : [...text].map(guard).join("");
  return escaped.replace(lineMarkup, wordJoiner);
}

const rightToLeft =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** True for languages written from right to left. */
function isRightToLeft(locale: string): boolean {
  return /^(ar|fa|he|iw|ur|ps|sd|ug|yi|dv|ckb)\b/i.test(locale);
}

/** A value that cannot reorder what stands beside it: isolated wherever directions could meet. */
export function isolate(value: string, locale: string): string {
  const mixes = isRightToLeft(locale) ? /[^\p{Script=Arabic}\p{Script=Hebrew}\s]/u : rightToLeft;
  return mixes.test(value) ? `\u2068${value}\u2069` : value;
}
