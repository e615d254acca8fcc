import { type ReactElement, type ReactNode, useState } from "react";
import type { ReceiptView } from "../model/view.ts";
import { Button } from "./button.tsx";
import { head } from "./head.tsx";
import { noteNotice } from "./notice.tsx";
import { around } from "./parts.tsx";
import { fieldRow, Row } from "./row.tsx";
import type { CardScope } from "./scope.ts";
import { rowValue, sentence, time, value } from "./value.tsx";

/** What is known: the tool's own sentence, then what this state always says, unless it was said already. */
function about(scope: CardScope, view: ReceiptView): ReactNode {
  const { messages } = scope;
  const { state, card } = view;
  const { message, settledAt, title } = card.receipt ?? {};
  const always =
    state === "pending"
      ? messages.pendingBody
      : state === "unknown"
        ? messages.unknownBody
        : state === "expired" && !view.told
          ? messages.nothingSent
          : state !== "applied" &&
            !`${title}${message}`.includes(messages.nothingChanged) &&
            messages.nothingChanged;
  return (
    <>
      {message && value(scope, message)}{" "}
      {state === "expired" && sentence(messages.expiredAt, time(scope, card.expiresAt, card.timeZone))}{" "}
      {always}
      {state === "applied" && settledAt && (
        <>
          {message && <br />}
          {time(scope, settledAt, card.timeZone)}
        </>
      )}
    </>
  );
}

function Copy({ scope, text }: { readonly scope: CardScope; readonly text: string }): ReactElement {
  const { messages, say } = scope;
  const [label, setLabel] = useState(messages.copy);
  const copied = (): void => {
    setLabel(messages.copied);
    say(messages.copied);
  };
  return (
    <Button
      kind="text"
      // A page may forbid it; the reference stands there to be selected.
      onClick={() => navigator.clipboard?.writeText(text).then(copied, () => {})}
    >
      {label} <span className="cs-hidden">{messages.reference}</span>
    </Button>
  );
}

/** How it ended, or that nobody knows yet: mark and state, title, what is known, rows, reference, undo and print. */
export function receiptCard(scope: CardScope, view: ReceiptView): ReactNode {
  const { messages, model, props } = scope;
  const { card, state } = view;
  const { receipt, nextCheckAt } = card;
  const undo = state === "applied" && props.onUndo ? receipt?.undo : null;
  const foot = state === "unknown" ? messages.unknownFoot : undo?.note;
  return around(
    props.parts?.Receipt,
    card,
    <>
      {head(scope, view, receipt?.title ?? card.title, about(scope, view))}
      {noteNotice(scope, view)}
      <dl className="cs-rows">
        {receipt?.fields.length
          ? receipt.fields.map(({ label, display }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: labels may repeat, and a receipt's rows never move
              <Row key={index} label={label}>
                {rowValue(scope, display, label)}
              </Row>
            ))
          : card.fields.map((field) => fieldRow(scope, card, field))}
        {nextCheckAt && (state === "pending" || state === "unknown") && (
          <Row label={messages.nextCheck}>{time(scope, nextCheckAt, card.timeZone)}</Row>
        )}
        {receipt && (
          <Row label={messages.reference}>
            {value(scope, receipt.reference, "cs-reference")}
            <Copy scope={scope} text={receipt.reference} />
          </Row>
        )}
      </dl>
      {state === "applied" && (
        <div className="cs-actions">
          {undo && (
            <Button off={view.undoing} onClick={model.undo}>
              {undo.label}
            </Button>
          )}
          <Button onClick={() => print()}>{messages.print}</Button>
        </div>
      )}
      {foot && <p className="cs-foot">{value(scope, foot)}</p>}
    </>,
  );
}
