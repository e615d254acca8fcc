import type { Card } from "@countersign/core/card";
import { isOlder } from "../model/newer.ts";

/** What the server last said of the card, as a session's store keeps it. */
export type CardSnapshot = {
  readonly card: Card | null;
  readonly serverTime: string | undefined;
  /** Names this answer for `If-None-Match`; null when it did not come from a plain read. */
  readonly etag: string | null;
};

const timeOf = (snapshot: CardSnapshot): number => Date.parse(snapshot.serverTime ?? "");

/** The one of two snapshots that stands. */
export function newerOf(before: CardSnapshot | undefined, next: CardSnapshot): CardSnapshot {
  if (!before) return next;
  return isOlder(next.card, timeOf(next), before.card, timeOf(before)) ? before : next;
}
