import type { Card } from "@countersign/core/card";
import type { ReactNode } from "react";
import type { Messages } from "../messages/messages.ts";
import type { CardView, Note } from "../model/view.ts";
import { icon } from "./icon.tsx";
import { around } from "./parts.tsx";
import type { CardScope } from "./scope.ts";
import { sentence, value } from "./value.tsx";

type Tone = "" | "caution" | "danger";

/** A box of words before the buttons. Of two lines the first is its title; a `failure` is said at once. */
export function notice(tone: Tone, failure: boolean, text: string, more?: ReactNode): ReactNode {
  const [first, second] = text.split("\n");
  const body = second ?? first;
  return (
    <div className={`cs-notice cs-notice-${tone}`} role={failure ? "alert" : undefined}>
      {icon(tone ? "alert" : "info")}
      <div>
        {second !== undefined && (
          <p>
            <strong>{first}</strong>
          </p>
        )}
        {body && <p>{body}</p>}
        {more}
      </div>
    </div>
  );
}

/** Consequences and irreversibility, directly above the buttons. */
export function warnings(scope: CardScope, card: Card): ReactNode {
  const { reversible, warnings } = card;
  const tone = reversible === false ? "caution" : "";
  const lines = warnings.map((warning) => <p key={warning}>{value(scope, warning)}</p>);
  const title = tone && `${scope.messages.irreversible}\n`;
  return around(
    scope.props.parts?.Warnings,
    card,
    (tone || lines.length > 0) && notice(tone, false, title, lines),
  );
}

function noteText(note: Note | null, messages: Messages): string {
  if (!note || note.type === "saved") return ""; // stands in the state line
  return note.type === "refused" ? (messages.refusals[note.code] ?? messages.refused) : messages[note.type];
}

/** Why the card reads differently from a moment ago, and changes that have no row to stand in. */
export function noteNotice(
  scope: CardScope,
  { card, note }: { readonly card: Card; readonly note: Note | null },
): ReactNode {
  const { messages } = scope;
  const rows = [...card.fields, ...card.effects].map(({ label }) => label);
  const others = card.changes.filter(({ label }) => card.state === "proposed" && !rows.includes(label));
  const text = noteText(note, messages);
  const urgent = text !== "" && note?.type !== "decided";
  const lines = others.map(({ label, from, to }) => (
    <p key={label}>
      {label}: {sentence(messages.was, value(scope, from ?? messages.none))},{" "}
      {sentence(messages.now, value(scope, to ?? messages.none))}
    </p>
  ));
  return (
    (text || others.length > 0) &&
    notice(urgent ? "caution" : "", urgent, text || messages.alsoChanged, lines)
  );
}

/** What the card waits for, where that is not its customer's decision; empty where it is. */
export function waitText(view: CardView, messages: Messages): string {
  switch (view.state) {
    case "offline":
      return view.after === "look" ? messages.offline : messages.doubt;
    case "checking":
      return view.after === "look" ? "" : messages.doubt;
    case "awaiting_verification":
      return messages.stepUp;
    default:
      return "";
  }
}
