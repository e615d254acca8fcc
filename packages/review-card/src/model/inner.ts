import type { Card } from "@countersign/core/card";
import type { SessionEnd } from "./answer.ts";
import { timeLeftOf } from "./timers.ts";
import type { CardView, Decision, Doubt, Form, Note } from "./view.ts";
import { isWord, type Presence, unopenedLabel, type Wait, wordOf } from "./waits.ts";

/** What this card is doing for its customer. */
export type Task =
  | { readonly type: "idle" | "extending" | "undoing" }
  | ({ readonly type: "editing" | "saving" } & Form)
  | { readonly type: "sending"; readonly decision: Decision }
  | { readonly type: "checking"; readonly after: Doubt; readonly form: Form | null };

/** The task of a card that does nothing. */
export const idle: Task = { type: "idle" };

/** Everything the view is made of. */
export type Inner = {
  readonly card: Card | null | undefined;
  readonly task: Task;
  readonly note: Note | null;
  readonly online: boolean;
  /** False while the card is known but the server has to be asked again before anything may be pressed. */
  readonly fresh: boolean;
  readonly ended: SessionEnd | null;
  /** A decision that another card of the same session is sending. */
  readonly elsewhere: Decision | null;
  /** The version whose controls are live. */
  readonly armed: string | null;
  readonly presence: Presence;
  /** Long texts of this write that were opened. */
  readonly opened: readonly string[];
  /** What was typed to confirm a write of high risk. */
  readonly typed: string;
};

/** What a card starts with that nobody has looked at. */
export const unread: Pick<Inner, "task" | "note" | "opened" | "typed"> = {
  task: idle,
  note: null,
  opened: [],
  typed: "",
};

/** Names one version of one write. */
export const versionKey = (card: Card): string => `${card.writeId} ${card.version}`;

/** What Confirm waits for besides being in view for a moment. */
function waitOf({ presence, opened, typed }: Inner, card: Card): Wait | null {
  if (presence === "covered" || presence === "framed") return { type: presence };
  if (card.state !== "proposed") return null;
  const label = unopenedLabel(card, opened);
  if (label !== undefined) return { type: "unopened", label };
  return card.risk === "high" && !isWord(typed, card) ? { type: "word", word: wordOf(card) } : null;
}

/**
 * The one state the card is in, at a server time in epoch milliseconds (NaN: not stated). What the server said of a
 * write that left `proposed` wins over what is being done here.
 */
export function viewOf(inner: Inner, serverNow: number): CardView {
  const { card, note, task, online, fresh } = inner;
  if (inner.ended) return { state: "ended", reason: inner.ended };
  if (!card) return { state: card === null ? "empty" : "loading" };
  const left = Date.parse(card.expiresAt) - serverNow;
  const shown = { card, note };
  const open = {
    ...shown,
    armed: inner.armed === versionKey(card),
    timeLeft: timeLeftOf(left),
    waits: waitOf(inner, card),
    typed: inner.typed,
  };
  const busy = task.type;
  switch (card.state) {
    case "proposed":
    case "awaiting_verification":
      break;
    case "running":
      return { ...open, state: "sending", decision: "confirm" };
    case "applied":
      return {
        ...shown,
        state: "applied",
        undoing: busy === "undoing" || busy === "checking" || !fresh || !online,
      };
    case "expired":
      return { ...shown, state: "expired", told: true, note: null };
    default:
      return { ...shown, state: card.state };
  }
  if (busy === "sending") return { ...open, state: busy, decision: task.decision };
  const proposed = card.state === "proposed";
  if (proposed && busy === "saving") return { ...open, ...task, state: busy };
  if (proposed && busy !== "checking" && left <= 0) {
    return { ...shown, state: "expired", told: false, note: null };
  }
  if (!online || !fresh || busy === "checking") {
    const after = busy === "checking" ? task.after : "look";
    return { ...open, state: online ? "checking" : "offline", after };
  }
  if (!proposed) return { ...open, state: "awaiting_verification" };
  if (inner.elsewhere) return { ...open, state: "sending", decision: inner.elsewhere };
  if (busy === "editing") return { ...open, ...task, state: busy };
  const extending = busy === "extending";
  return { ...open, state: "proposed", armed: open.armed && !extending, extending };
}
