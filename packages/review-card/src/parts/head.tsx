import type { ReactElement, ReactNode } from "react";
import type { Messages } from "../messages/messages.ts";
import { type CardView, isOpen, type OpenView, type ReceiptView } from "../model/view.ts";
import { type IconName, icon } from "./icon.tsx";
import type { CardScope } from "./scope.ts";
import { value } from "./value.tsx";

/** The state of a card in small words. */
export function stateText(view: CardView, messages: Messages): string {
  if (view.state === "empty") return "";
  if (view.state === "ended") return messages.ended[view.reason];
  if (view.state === "sending") return messages[view.decision];
  if (view.state === "checking") return messages.asking;
  if (view.state === "superseded") {
    return messages.superseded[view.card.reason ?? ""] ?? messages.superseded.other;
  }
  if (!isOpen(view)) return messages[view.state];
  const { card, note } = view;
  if (card.state === "awaiting_verification") return messages.awaiting_verification;
  if (note?.type === "changed") return messages.lookAgain;
  if (note?.type !== "saved") return messages.proposed;
  return note.lookAgain ? messages.savedLookAgain : messages.saved;
}

const marks: { readonly [state in ReceiptView["state"]]: IconName } = {
  applied: "check",
  not_applied: "minus",
  declined: "minus",
  pending: "clock",
  unknown: "search",
  expired: "clock",
};

/** Whether nothing waits for the customer any more, so that the card has a mark. */
export const isReceipt = (view: CardView): view is ReceiptView => view.state in marks;

/** State in small words, then the title; before them the mark of a receipt, whose meaning is in the words. */
export function head(
  scope: CardScope,
  view: OpenView | ReceiptView,
  title: string,
  about: ReactNode,
): ReactElement {
  const { id, messages, props } = scope;
  const Heading = props.parts?.Title ?? (`h${props.headingLevel ?? 3}` as "h3");
  return (
    <div className="cs-head">
      {isReceipt(view) && <span className="cs-mark">{icon(marks[view.state])}</span>}
      <div>
        <p className="cs-state">{stateText(view, messages)}</p>
        <Heading className="cs-title" id={`${id}-title`} tabIndex={-1}>
          {value(scope, title)}
        </Heading>
        {about && <p className="cs-about">{about}</p>}
      </div>
    </div>
  );
}
