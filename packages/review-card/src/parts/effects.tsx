import type { Card } from "@countersign/core/card";
import type { ReactNode } from "react";
import { icon } from "./icon.tsx";
import { changeNote, Row } from "./row.tsx";
import type { CardScope } from "./scope.ts";
import { sentence, value } from "./value.tsx";

/** What changes in the world, in words. */
export function effects(scope: CardScope, card: Card): ReactNode {
  const { messages, props } = scope;
  const Heading = `h${(props.headingLevel ?? 3) + 1}` as "h4";
  return (
    card.effects.length > 0 && (
      <div className="cs-effects">
        <Heading>
          <strong>{messages.whatChanges}</strong>
        </Heading>
        <dl>
          {card.effects.map(({ label, before, after, tolerance }, index) => {
            const now = value(scope, after ?? messages.none);
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: labels may repeat, and effects of one version never move
              <Row key={index} label={label} kind="cs-change">
                {before !== null && (
                  <span className="cs-was">{sentence(messages.was, value(scope, before))} </span>
                )}
                <strong>
                  {before !== null && icon("arrow")}
                  {before === null ? now : sentence(messages.now, now)}
                </strong>
                {tolerance && <span className="cs-note"> ({value(scope, tolerance)})</span>}
                {changeNote(scope, card, label)}
              </Row>
            );
          })}
        </dl>
      </div>
    )
  );
}

/** Arguments without a row of their own. */
export const details = (scope: CardScope, card: Card): ReactNode =>
  card.details.length > 0 && (
    <details className="cs-more">
      <summary>
        {scope.messages.details} ({card.details.length}){icon("down")}
      </summary>
      <dl>
        {card.details.map(({ argument, label, display }) => (
          <Row key={argument} label={label}>
            {display === null ? (
              <span className="cs-note">{scope.messages.notShown}</span>
            ) : (
              value(scope, display, "cs-multiline")
            )}
          </Row>
        ))}
      </dl>
    </details>
  );
