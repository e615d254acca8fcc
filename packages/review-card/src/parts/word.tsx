import type { ReactElement } from "react";
import { fillParts } from "../messages/fill.ts";
import type { OpenView } from "../model/view.ts";
import { wordOf } from "../model/waits.ts";
import { Row } from "./row.tsx";
import type { CardScope } from "./scope.ts";

/** Where a word is typed before a write of high risk is confirmed. Enter in it does nothing. */
export function wordInput(
  { id, messages, model }: CardScope,
  { card, state, typed }: OpenView,
): ReactElement {
  const own = `${id}-word`;
  const live = state === "proposed";
  return (
    <dl className="cs-rows cs-word">
      <Row
        label={
          <label htmlFor={own}>{fillParts(messages.typeWord, <bdi key="word">{wordOf(card)}</bdi>)}</label>
        }
      >
        <input
          id={own}
          className="cs-input"
          value={typed}
          dir="auto"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          aria-describedby={`${own}-help`}
          readOnly={!live}
          aria-disabled={!live || undefined}
          onChange={(event) => live && model.type(event.target.value)}
        />
        <span className="cs-help" id={`${own}-help`}>
          {messages.typeWordHelp}
        </span>
      </Row>
    </dl>
  );
}
