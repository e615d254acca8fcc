import { splitMarks } from "@countersign/core/card";
import { createElement, Fragment, type ReactElement, type ReactNode } from "react";
import { fillParts } from "../messages/fill.ts";
import type { CardScope } from "./scope.ts";

/** How many characters of a display text stand for one that cannot be seen. */
export const countMarks = (display: string): number =>
  splitMarks(display).reduce(
    (count, { text, mark }) => count + (mark ? Number(/×(\d+)/.exec(text)?.[1] ?? 1) : 0),
    0,
  );

/** One value as text: apart from the direction of the words around it, with its invisible characters marked. */
export function value({ messages }: CardScope, text: string, className?: string): ReactElement {
  const segments = splitMarks(text).map((segment) =>
    segment.mark ? (
      // biome-ignore lint/correctness/useJsxKeyInIterable: passed as arguments, which need none
      <span className="cs-invisible">
        {segment.text.slice(1, -1)}
        <span className="cs-hidden"> {messages.invisible}</span>
      </span>
    ) : (
      segment.text
    ),
  );
  return createElement("bdi", { className }, ...segments);
}

/** A sentence with an element in the place of its `{name}`. */
export const sentence = (template: string, part: ReactNode): ReactElement =>
  createElement(Fragment, null, ...fillParts(template, part));

/** Weekday, date, time and zone, as the card's customer writes them; or the time of day to the second. */
export function time({ messages }: CardScope, at: string, timeZone: string, seconds = false): ReactElement {
  const day = { weekday: "short", day: "numeric", month: "short", year: "numeric" } as const;
  return (
    <time dateTime={at}>
      {new Date(at).toLocaleString(messages.locale, {
        timeZone,
        ...(seconds ? { second: "2-digit" } : day),
        hour: "2-digit",
        minute: "2-digit",
        timeZoneName: "short",
      })}
    </time>
  );
}
