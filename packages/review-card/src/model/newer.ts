import type { Card } from "@countersign/core/card";

/**
 * True when `next` must not replace `card`: it is older by its write's seq, or belongs to an older write. Of two
 * snapshots of one seq the later one told stands, since what depends on time alone has no seq of its own. Both times are
 * the server's in epoch milliseconds, NaN where it stated none.
 */
export function isOlder(
  next: Card | null,
  nextTold: number,
  card: Card | null | undefined,
  told: number,
): boolean {
  if (!card) return false;
  if (next === null) return nextTold < told;
  if (next.writeId !== card.writeId) return Date.parse(next.createdAt) < Date.parse(card.createdAt);
  return next.seq < card.seq || (next.seq === card.seq && nextTold < told);
}
