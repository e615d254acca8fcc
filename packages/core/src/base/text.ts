/** False when the string holds half of a surrogate pair, which UTF-8 cannot carry. */
export function isWellFormed(text: string): boolean {
  return (text as string & { isWellFormed(): boolean }).isWellFormed();
}

/** True for 1 to `max` characters, all from space (0x20) to tilde (0x7E). */
export function isPrintableAscii(text: string, max: number): boolean {
  return text.length >= 1 && text.length <= max && /^[\x20-\x7e]+$/.test(text);
}
