import type { DraftEvent } from "./events.ts";
import type { DecisionRefusal, Refusal } from "./refusal.ts";
import type { Write } from "./write.ts";

/** What a rule says: events to append; that the same was done before; or a refusal that changes nothing. */
export type Ruling =
  | { readonly kind: "events"; readonly events: readonly [DraftEvent, ...DraftEvent[]] }
  | { readonly kind: "repeat" }
  | { readonly kind: "refusal"; readonly refusal: Refusal };

/** Rules that these events follow. */
export function happen(...events: readonly [DraftEvent, ...DraftEvent[]]): Ruling {
  return { kind: "events", events };
}

/** Rules that nothing changes, and why. */
export function refuse(refusal: Refusal): Ruling {
  return { kind: "refusal", refusal };
}

/** Rules that this was done before: answer from the journal. */
export const repeat: Ruling = { kind: "repeat" };

/** Why a write that is no longer proposed takes no new decision, edit or extension. */
export function whyClosed(write: Write): DecisionRefusal["refused"] {
  switch (write.state) {
    case "expired":
    case "withdrawn":
    case "superseded":
      return write.state;
    default:
      return "already_decided";
  }
}
