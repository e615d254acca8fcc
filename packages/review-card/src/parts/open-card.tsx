import type { ReactNode } from "react";
import { fill, timeLeftText } from "../messages/fill.ts";
import type { Messages } from "../messages/messages.ts";
import { loaded } from "../model/load-editing.ts";
import type { OpenView } from "../model/view.ts";
import { Button } from "./button.tsx";
import { details, effects } from "./effects.tsx";
import { head } from "./head.tsx";
import { noteNotice, notice, waitText, warnings } from "./notice.tsx";
import { fieldRow } from "./row.tsx";
import type { CardScope } from "./scope.ts";
import { sentence, time, value } from "./value.tsx";
import { wordInput } from "./word.tsx";

/** Confirm (or the way to verify) and Decline: always in this order, the same elements, so that focus stays. */
function actions({ id, messages, model, props, buttons }: CardScope, view: OpenView): ReactNode {
  const { card, state, armed, waits } = view;
  const busy = (state === "sending" || state === "checking") && messages[state];
  const declining = state === "sending" && view.decision === "decline";
  const url = card.stepUp?.verifyUrl ?? "";
  const verify = props.onVerify ?? (/^https?:\/\//i.test(url) ? () => location.assign(url) : undefined);
  const verifying = card.state === "awaiting_verification";
  const off = state !== (verifying ? card.state : "proposed") || (!verifying && (!armed || waits !== null));
  return (
    <div className="cs-actions" ref={buttons}>
      {(verifying ? verify : props.onConfirm) && (
        <Button
          kind="confirm"
          part={props.parts?.Confirm}
          off={off}
          busy={!declining && !verifying && busy}
          onClick={verifying ? () => off || verify?.() : model.confirm}
          aria-describedby={waits?.type === "word" ? `${id}-word-help` : `${id}-foot`}
        >
          {verifying ? messages.verify : card.confirmLabel}
        </Button>
      )}
      {props.onDecline && (
        <Button part={props.parts?.Decline} off={!armed} busy={declining && busy} onClick={model.decline}>
          {card.declineLabel}
        </Button>
      )}
    </div>
  );
}

/** Why Confirm is not live, where something has to be done about it; the word that is asked for says so itself. */
function waitWords({ waits }: OpenView, messages: Messages): string {
  if (!waits || waits.type === "word") return "";
  return waits.type === "unopened" ? fill(messages.openFirst, waits.label) : messages[waits.type];
}

function footWords(scope: CardScope, view: OpenView): ReactNode {
  const { messages } = scope;
  const { card, state, timeLeft } = view;
  const { timeZone, stepUp, decidedAt } = card;
  if (stepUp) return sentence(messages.waitsUntil, time(scope, stepUp.until, timeZone));
  if (state === "editing" || state === "saving") return messages.saveFirst;
  const sent = state === "sending" && view.decision === "confirm";
  return (
    <>
      <span className="cs-until">
        {!sent && sentence(messages.openUntil, time(scope, card.expiresAt, timeZone))}
        {sent &&
          decidedAt &&
          sentence(messages.confirmedAt, time(scope, decidedAt, timeZone, "seconds"))}{" "}
      </span>
      <span>
        {sent
          ? messages.resultHere
          : waitWords(view, messages) || (timeLeft && timeLeftText(timeLeft, messages))}
      </span>
    </>
  );
}

/** A card that waits for its customer, or has just been answered: all that is sent, then the two buttons. */
export function openCard(scope: CardScope, view: OpenView): ReactNode {
  const { id, messages, model, props } = scope;
  const { card, state } = view;
  const editing = state === "editing" || state === "saving";
  const Form = editing && loaded.editing?.EditForm;
  const live = props.onEdit && state === "proposed" ? !view.extending : null;
  const amount = card.fields.find(({ format }) => format === "money");
  const rows = [...(amount ? [amount] : []), ...card.fields.filter((field) => field !== amount)].filter(
    (field) => !(editing && field.editable),
  );
  const wait = waitText(view, messages);
  const asksWord =
    card.risk === "high" && props.onConfirm && (card.state === "proposed" || view.typed !== "");
  return (
    <>
      {head(scope, view, card.title, card.description && value(scope, card.description))}
      {rows.length > 0 && (
        <dl className="cs-rows">
          {rows.map((field) => fieldRow(scope, card, field, live, field === amount ? "cs-total" : ""))}
        </dl>
      )}
      {Form && <Form scope={scope} view={view} />}
      {effects(scope, card)}
      {details(scope, card)}
      {warnings(scope, card)}
      {asksWord && wordInput(scope, view)}
      {noteNotice(scope, view)}
      {wait && notice("", state === "checking", wait)}
      {actions(scope, view)}
      <div className="cs-foot">
        <span id={`${id}-foot`}>{footWords(scope, view)}</span>
        {state === "proposed" && card.canExtend && props.onExtend && (
          <Button kind="text" off={view.extending} onClick={model.extend}>
            {messages.moreTime}
          </Button>
        )}
      </div>
    </>
  );
}
