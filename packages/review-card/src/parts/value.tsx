import { splitMarks } from "@countersign/core/card";
import { createElement, Fragment, type ReactElement, type ReactNode, useState } from "react";
import { fillParts, fillPlural } from "../messages/fill.ts";
import { timeText } from "../messages/time-text.ts";
import { cutLong } from "../model/waits.ts";
import { Button } from "./button.tsx";
import type { CardScope } from "./scope.ts";

/** How many characters of a display text stand for one that cannot be seen. */
export const countMarks = (display: string): number =>
  splitMarks(display).reduce(
    (count, { text, mark }) => count + (mark ? Number(/×(\d+)/.exec(text)?.[1] ?? 1) : 0),
    0,
  );

const marked = ({ messages }: CardScope, text: string): ReactNode[] =>
  splitMarks(text).map((segment) =>
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

/** One value as text: apart from the direction of the words around it, with its invisible characters marked. */
export const value = (scope: CardScope, text: string, className?: string): ReactElement =>
  createElement("bdi", { className }, ...marked(scope, text));

type LongProps = {
  readonly scope: CardScope;
  readonly text: string;
  readonly label: string;
  readonly parts: readonly [string, string];
};

function Long({ scope, text, label, parts: [shown, rest] }: LongProps): ReactElement {
  const { messages, model } = scope;
  const [open, setOpen] = useState(false);
  return (
    <>
      <bdi className="cs-multiline cs-long">
        {createElement(Fragment, null, ...marked(scope, shown))}
        {createElement("span", { className: "cs-rest", hidden: !open }, ...marked(scope, rest))}
        {!open && <span aria-hidden="true">…</span>}
      </bdi>
      <Button
        kind="text"
        aria-expanded={open}
        onClick={() => {
          setOpen(!open);
          model.open(text);
        }}
      >
        {open ? messages.showLess : fillPlural(messages.showMore, [...rest].length, messages)}{" "}
        <span className="cs-hidden">({label})</span>
      </Button>
    </>
  );
}

/** A value in the row of `label`, all of it; where it is long, the rest is opened on demand. */
export function rowValue(scope: CardScope, text: string, label: string, className?: string): ReactElement {
  const parts = cutLong(text);
  return parts ? (
    <Long key={text} scope={scope} text={text} label={label} parts={parts} />
  ) : (
    value(scope, text, className)
  );
}

/** A sentence with an element in the place of its `{name}`. */
export const sentence = (template: string, part: ReactNode): ReactElement =>
  createElement(Fragment, null, ...fillParts(template, part));

/** Weekday, date, time and zone, as the card's customer writes them; or the time of day to the second. */
export const time = (
  { messages }: CardScope,
  at: string,
  timeZone: string,
  only?: "seconds",
): ReactElement => <time dateTime={at}>{timeText(messages.locale, at, timeZone, only)}</time>;
