// Swedish writes a time as ISO 8601 does, with a space in place of the T.
const wallAt = (instant: number, timeZone: string): string =>
  new Date(instant).toLocaleString("sv", { timeZone }).replace(" ", "T");

/** An RFC 3339 instant as `datetime-local` shows it in `timeZone`; text without a zone stays as it is. */
export function toWallTime(text: string, timeZone: string): string {
  const instant = Date.parse(text);
  const zoned = /(?:Z|[+-]\d\d:\d\d)$/i.test(text) && !Number.isNaN(instant);
  return (zoned ? wallAt(instant, timeZone) : text).slice(0, 16);
}

/** The instant of a wall time in `timeZone`, as RFC 3339 UTC; undefined for an hour that the clocks skip. */
export function fromWallTime(wall: string, timeZone: string): string | undefined {
  const local = Date.parse(`${wall}Z`);
  if (Number.isNaN(local)) return undefined;
  // The offset at the wall time itself is a first guess; the offset at what it leads to is the one that counts.
  const instantBy = (guess: number): number => local + guess - Date.parse(`${wallAt(guess, timeZone)}Z`);
  const text = new Date(instantBy(instantBy(local))).toISOString();
  return toWallTime(text, timeZone) === wall.slice(0, 16) ? text.replace(".000Z", "Z") : undefined;
}
