function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const swap = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, swap));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

/** The known name that `name` was probably meant to be, or undefined where none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const reach = Math.ceil(name.length / 3);
  const [best] = known
    .map((candidate) => ({ candidate, away: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((one, other) => one.away - other.away);
  return best !== undefined && best.away <= reach ? best.candidate : undefined;
}
