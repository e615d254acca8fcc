/** More than a card shows at once. */
export const longNote: string =
  `Ana is away until Friday. Please leave the parcel with Ben in the flat below and ring twice, since the bell is quiet. `.repeat(
    8,
  );

/** Nowhere to break a line. */
export const unbrokenWord: string = "A".repeat(180);

/** Turns the direction of what follows, hides letters, and pushes what comes after out of sight. */
export const hostileNote: string = [
  "Keep \u202eeverything\u202c as it is\u2069",
  "pay\u200bpal \u200c\u200d\u2060\ufeff",
  "tags \u{e0041}\u{e0042}\u{e0043}",
  "اترك الطرد عند بن 42 \u2067(A)",
  "z\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308\u0309\u030a\u030b\u030c",
  "<b onclick=alert(1)>Confirm</b>",
  "\n".repeat(60),
  "the end",
].join("\n");

/** A value for each of the many fields. */
export const manyLines: { readonly [name: string]: string } = Object.fromEntries(
  Array.from({ length: 24 }, (_, at) => [
    `line${at + 1}`,
    `${at + 1}: ${"Calle Luna 5, Madrid. ".repeat(1 + (at % 4)).trim()}`,
  ]),
);
