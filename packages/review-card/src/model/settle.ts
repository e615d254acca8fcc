import type { Card } from "@countersign/core/card";
import type { RefusalAnswer, SessionEnd } from "./answer.ts";
import { type Inner, idle, type Task } from "./inner.ts";
import { loaded } from "./load-editing.ts";
import type { Note } from "./view.ts";

/** Why the session ended, if that is what this refusal says. */
export function endOf({ code, reason }: RefusalAnswer): SessionEnd | null {
  if (reason) return reason;
  if (code === "customer_changed") return code;
  return code === "session_ended" || code === "unauthorized" ? "expired" : null;
}

/** What a refusal of `task` leaves the card with, once the card that came with it has been taken. */
export function afterRefusal(
  answer: RefusalAnswer,
  task: Task,
  card: Card | null | undefined,
): Pick<Inner, "task" | "note"> {
  const { code } = answer;
  if (answer.card) {
    const decided: Note | null = code === "already_decided" ? { type: "decided" } : null;
    return { task: idle, note: answer.card.state === "proposed" ? { type: "changed" } : decided };
  }
  const note: Note = { type: "refused", code };
  if (task.type !== "saving" || !card) return { task: idle, note };
  const faults = loaded.editing?.faultsOf(card, answer.issues ?? []) ?? {};
  const found = Object.keys(faults).length > 0;
  return { task: { ...task, type: "editing", attempt: found ? 1 : 0, faults }, note: found ? null : note };
}

/** What the card goes on with once the server said how the write stands after a lost answer. */
export function afterDoubt({ task, note, card }: Inner): Pick<Inner, "task" | "note"> {
  if (task.type !== "checking") return { task, note };
  const changed = note?.type === "changed";
  const lost = card?.state === "proposed" && task.after !== "look" && !changed;
  return {
    task: task.form && !changed ? { ...task.form, type: "editing" } : idle,
    note: lost ? { type: "not_received" } : note,
  };
}
