/**
 * True when a JSON text holds one of these texts as a whole string: how a store finds a person in bodies that it does not
 * know the shape of. A part of a longer string does not count, so that nobody else's message goes.
 */
export function holdsOneOf(body: string, texts: readonly string[]): boolean {
  return texts.some((text) => body.includes(JSON.stringify(text)));
}
