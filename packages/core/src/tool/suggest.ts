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
  // Two swapped letters count as two steps.
  const reach = Math.max(name.length > 3 ? 2 : 1, Math.floor(name.length / 3));
  const [best] = known
    .map((candidate) => ({ candidate, away: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((one, other) => one.away - other.away);
  return best && best.away <= reach ? best.candidate : undefined;
}

/** A half sentence that ends an error message: ` Did you mean "orderId"?`, or else the names there are. */
export function suggestion(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  if (near !== undefined) return ` Did you mean "${near}"?`;
  return known.length === 0 ? "" : ` There is: ${known.slice(0, 12).join(", ")}.`;
}
