/** How long one text may be, in UTF-16 units and in bytes of UTF-8: whichever is reached first. */
export type TextLimit = { readonly characters: number; readonly bytes: number };

/** What a platform takes. Each constant of this type says where it is from, and when that was read. */
export type Limits = {
  /** The text above two buttons. */
  readonly prompt: TextLimit;
  /** A plain message. */
  readonly text: TextLimit;
  /** How many plain messages may come before a prompt. */
  readonly details: number;
  /** UTF-16 units of a button's text. */
  readonly label: number;
  /** The characters that format a text when they come in pairs. */
  readonly markup: string;
  /** True where some clients show no buttons at all. */
  readonly buttonless: boolean;
};

/** A limit of UTF-16 units only: as bytes never more than three for each. */
export function characters(count: number): TextLimit {
  return { characters: count, bytes: count * 3 };
}

/** By how much a text fits or does not. */
export type Measure = {
  readonly fits: boolean;
  readonly limit: number;
  readonly length: number;
  readonly unit: "characters" | "bytes";
};

/** Measures a text as the platforms that count most strictly do. */
export function measure(text: string, limit: TextLimit): Measure {
  const bytes = Buffer.byteLength(text, "utf8");
  if (bytes > limit.bytes) return { fits: false, limit: limit.bytes, length: bytes, unit: "bytes" };
  const { length } = text;
  return { fits: length <= limit.characters, limit: limit.characters, length, unit: "characters" };
}
