import { useEffect, useRef } from "react";
import { fill, timeLeftText } from "../messages/fill.ts";
import type { Messages } from "../messages/messages.ts";
import { timeText } from "../messages/time-text.ts";
import type { CardView } from "../model/view.ts";
import { isReceipt, stateText } from "./head.tsx";
import { waitText } from "./notice.tsx";

/** What a change to this view is worth saying, politely and once; empty for what the customer does themselves. */
function spokenText(view: CardView, messages: Messages): string {
  const { state } = view;
  if (state === "empty" || state === "editing") return "";
  if (state === "saving") return messages.saving;
  if (state === "offline") return waitText(view, messages);
  const words = stateText(view, messages);
  if (state === "withdrawn" || state === "superseded") return `${words} ${messages.nothingChanged}`;
  return isReceipt(view) ? `${words}. ${view.card.receipt?.title ?? view.card.title}` : words;
}

/**
 * Says each change of state once, the time that is left at most at two minutes and at thirty seconds, and how long the
 * card is open once there is more of it.
 */
export function useAnnouncements(view: CardView, messages: Messages, say: (text: string) => void): void {
  const place = "note" in view ? `${view.state} ${view.note?.type}` : view.state;
  const left = view.state === "proposed" && view.timeLeft?.last ? timeLeftText(view.timeLeft, messages) : "";
  const until = view.state === "proposed" ? view.card.expiresAt : "";
  const last = useRef({ place, left, until });
  useEffect(() => {
    const before = last.current;
    last.current = { place, left, until };
    const words =
      (place !== before.place && spokenText(view, messages)) ||
      (left !== before.left && left) ||
      ("card" in view &&
        until > before.until &&
        before.until !== "" &&
        fill(messages.openUntil, timeText(messages.locale, until, view.card.timeZone)));
    if (words) say(words);
  }, [place, left, until, view, messages, say]);
}
