import type { ReactElement, ReactNode } from "react";
import type { LineView } from "../model/view.ts";
import { stateText } from "./head.tsx";
import { icon } from "./icon.tsx";
import type { CardScope } from "./scope.ts";
import { sentence, value } from "./value.tsx";

/** What became of a card that nobody can answer any more, and why. */
export function line(scope: CardScope, view: LineView): ReactNode {
  const { id, messages } = scope;
  const card = view.state === "ended" ? null : view.card;
  const reason = view.state === "withdrawn" && view.card.reason !== "dismissed" && view.card.reason;
  return (
    <p className="cs-line">
      {icon("info")}
      <span id={`${id}-title`} tabIndex={-1}>
        {card && <strong>{value(scope, card.title)} </strong>}
        {reason
          ? sentence(messages.withdrawnBecause, value(scope, reason.replace(/[.\s]+$/, "")))
          : stateText(view, messages)}
        {card && ` ${messages.nothingChanged}`}
      </span>
    </p>
  );
}

const bones: ReactElement = (
  <>
    <p className="cs-bone" />
    <p className="cs-bone" />
  </>
);

/** Keeps the room the card will need. */
export const loading = ({ id, messages }: CardScope): ReactElement => (
  <>
    <p className="cs-head cs-state" id={`${id}-title`}>
      {messages.loading}
    </p>
    <div className="cs-rows">
      <div className="cs-row">{bones}</div>
      <div className="cs-row">{bones}</div>
    </div>
    <div className="cs-actions">{bones}</div>
  </>
);
