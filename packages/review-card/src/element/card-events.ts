import type { Card } from "@countersign/core/card";

/** What the element tells its page. */
export type CardEventName = "confirmed" | "declined" | "settled";

/** What the page is told with it: which write, and how it stands. Neither its values nor its digest. */
export type CardEventDetail = {
  readonly writeId: string;
  readonly version: number;
  readonly state: Card["state"];
};

/** Names what has happened between the card it was given before and this one. */
export type CardWatch = (card: Card | null | undefined) => readonly CardEventName[];

const outcomes: readonly Card["state"][] = ["applied", "not_applied", "pending", "unknown"];
const confirmed: readonly Card["state"][] = ["running", "awaiting_verification", ...outcomes];

/**
 * Watches one card session. What was so when the first card came is no event: a page that is loaded again is not told
 * again. A write of which no proposal was seen is only told as settled, since nobody need have been asked.
 */
export function createCardWatch(): CardWatch {
  let before: Card | null | undefined;
  return (card) => {
    const last = before;
    before = card === undefined ? last : card;
    if (!card || last === undefined) return [];
    const was = last?.writeId === card.writeId ? last.state : null;
    if (was === card.state) return [];
    const names: CardEventName[] = [];
    if (was === "proposed" && confirmed.includes(card.state)) names.push("confirmed");
    if (was !== null && card.state === "declined") names.push("declined");
    if (outcomes.includes(card.state)) names.push("settled");
    return names;
  };
}
