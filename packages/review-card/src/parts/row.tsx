import type { Card, CardField } from "@countersign/core/card";
import type { ReactElement, ReactNode } from "react";
import { fillPlural } from "../messages/fill.ts";
import { Button } from "./button.tsx";
import type { RowProps } from "./parts.tsx";
import type { CardScope } from "./scope.ts";
import { countMarks, rowValue, sentence, value } from "./value.tsx";

/** A label and what stands beside it. */
export const Row = ({ label, kind = "", children }: RowProps): ReactElement => (
  <div className={`cs-row ${kind}`}>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

/** What differs in the row of this label from what the customer saw before. */
export function changeNote(scope: CardScope, { state, changes }: Card, label: string): ReactNode {
  const { messages } = scope;
  const change = state === "proposed" && changes.findLast((each) => each.label === label);
  if (!change) return null;
  const yours = change.by === "customer";
  return (
    <p className="cs-note">
      <strong className={yours ? "cs-note-yours" : "cs-note-caution"}>
        {yours ? messages.youChanged : messages.changedSince}
      </strong>{" "}
      {sentence(messages.itWas, value(scope, change.from ?? messages.none))}
    </p>
  );
}

/** The id of the button that opens the field of this argument. */
export const changeButtonId = (id: string, argument: string): string => `${id}-change-${argument}`;

/** One value that is sent, all of it. `live`: whether its button is there, and does something; `kind`: see Row. */
export function fieldRow(
  scope: CardScope,
  card: Card,
  field: CardField,
  live: boolean | null = null,
  kind = "",
): ReactElement {
  const { id, messages, model, props } = scope;
  const { argument, label, display, items = [], format, editable } = field;
  const Part = props.parts?.Field ?? Row;
  const invisible = countMarks(items.join("") || display);
  const whole = format === "multiline" || format === "json";
  return (
    <Part
      key={argument}
      label={items.length ? `${label} (${items.length})` : label}
      field={field}
      kind={kind}
    >
      {items.length ? (
        <ul>
          {items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two items may read the same, and none ever moves
            <li key={index}>{rowValue(scope, item, label)}</li>
          ))}
        </ul>
      ) : (
        rowValue(scope, display, label, whole ? "cs-multiline" : undefined)
      )}
      {live !== null && editable && (
        <Button
          kind="text"
          id={changeButtonId(id, argument)}
          off={!live}
          onClick={() => model.edit(argument)}
        >
          {messages.change} <span className="cs-hidden">{label}</span>
        </Button>
      )}
      {invisible > 0 && (
        <p className="cs-note">
          <strong className="cs-note-caution">
            {fillPlural(messages.invisibleCount, invisible, messages)}
          </strong>
        </p>
      )}
      {changeNote(scope, card, label)}
    </Part>
  );
}
