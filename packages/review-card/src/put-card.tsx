import type { Card } from "@countersign/core/card";
import { act, render, screen } from "@testing-library/react";
import { exampleTime } from "./example-cards.ts";
import { type ManualTimers, manualTimers } from "./manual-timers.ts";
import type { CardAnswer } from "./model/answer.ts";
import { loadEditing } from "./model/load-editing.ts";
import { ReviewCard, type ReviewCardProps } from "./review-card.tsx";

// A press on Change then opens the inputs at once, as it does on a card that has stood for a moment.
await loadEditing();

/** An answer that does not come. */
export const never = (): Promise<CardAnswer> => new Promise(() => {});

/** An answer that the server took the request. */
export const ok = (card: Card): CardAnswer => ({ type: "ok", card, serverTime: exampleTime });

/** A card in a page, with its own time. */
export type PutCard = {
  readonly timers: ManualTimers;
  readonly root: () => HTMLElement;
  /** Gives the card other props. */
  readonly again: (props: ReviewCardProps) => void;
};

/** Puts a card whose commands never answer into the page; unless told otherwise until its buttons are live. */
export function putCard(props: ReviewCardProps, arm = true): PutCard {
  const timers = manualTimers();
  const all: ReviewCardProps = {
    serverTime: exampleTime,
    timers,
    trusts: () => true, // a test presses by script
    onEdit: never,
    onConfirm: never,
    onDecline: never,
    onExtend: never,
    onUndo: never,
    ...props,
  };
  const { rerender, container } = render(<ReviewCard {...all} />);
  if (arm) act(() => timers.advance(500));
  return {
    timers,
    root: () => container.querySelector<HTMLElement>(".cs-card") ?? container,
    again: (next) => rerender(<ReviewCard {...all} {...next} />),
  };
}

/** The button of this name. */
export const button = (name: string | RegExp): HTMLElement => screen.getByRole("button", { name });

/** Whether a press on it does something. */
export const isLive = (element: HTMLElement): boolean => element.getAttribute("aria-disabled") !== "true";

/** The receipt of an order that was, or was not, cancelled. */
export const receiptOf = (
  outcome: "applied" | "not_applied" | "pending" | "unknown" | "declined",
  title: string,
): NonNullable<Card["receipt"]> => ({
  outcome,
  title,
  message: null,
  fields: [{ label: "Order", display: "A-1042" }],
  settledAt: outcome === "applied" ? "2026-11-30T21:34:00.000Z" : null,
  reference: "wr_7Q4M2KXD",
  undo: outcome === "applied" ? { label: "Reopen order", note: "This is shown to you first." } : null,
});
