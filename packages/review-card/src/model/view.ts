import type { Card } from "@countersign/core/card";
import type { SessionEnd } from "./answer.ts";
import type { Entries, Faults } from "./entries.ts";
import type { TimeLeft } from "./timers.ts";
import type { Wait } from "./waits.ts";

/** What a customer can ask of a write. */
export type Decision = "confirm" | "decline";

/** A request whose answer was lost; `look` when only the truth has to be read again. */
export type Doubt = Decision | "edit" | "extend" | "undo" | "look";

/** Why the card reads differently from a moment ago. */
export type Note =
  | { readonly type: "saved"; readonly lookAgain: boolean }
  | { readonly type: "changed" | "decided" | "not_received" }
  | { readonly type: "refused"; readonly code: string };

/** An edit as it stands: what was typed, what of it cannot be saved, and the argument it was opened at. */
export type Form = {
  readonly entries: Entries;
  readonly faults: Faults;
  readonly opened: string;
  /** Counts the attempts to save that found a fault. */
  readonly attempt: number;
};

type Shown = { readonly card: Card; readonly note: Note | null };

/** A view of a card that has its two buttons. */
export type OpenView = Shown & {
  /** Whether the buttons are live; Confirm is so only where it waits for nothing. */
  readonly armed: boolean;
  readonly waits: Wait | null;
  /** What was typed to confirm a write of high risk. */
  readonly typed: string;
  readonly timeLeft: TimeLeft | null;
} & (
    | { readonly state: "proposed"; readonly extending: boolean }
    | ({ readonly state: "editing" | "saving" } & Form)
    | { readonly state: "sending"; readonly decision: Decision }
    | { readonly state: "checking" | "offline"; readonly after: Doubt }
    | { readonly state: "awaiting_verification" }
  );

/** A view in which nothing waits for the customer any more. */
export type ReceiptView = Shown &
  (
    | { readonly state: "applied"; readonly undoing: boolean }
    | { readonly state: "not_applied" | "declined" | "pending" | "unknown" }
    /** `told`: the server said so. Otherwise its time passed, and only the controls are gone. */
    | { readonly state: "expired"; readonly told: boolean }
  );

/** A state that is told in one line. */
export type LineView =
  | (Shown & { readonly state: "withdrawn" | "superseded" })
  | { readonly state: "ended"; readonly reason: SessionEnd };

/** What the card shows: one state, with exactly what is true then. */
export type CardView =
  | { readonly state: "empty" }
  | { readonly state: "loading" }
  | OpenView
  | ReceiptView
  | LineView;

/** Whether the card has its two buttons. */
export const isOpen = (view: CardView): view is OpenView => "armed" in view;
