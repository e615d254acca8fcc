import type { Card, CardEffect } from "@countersign/core/card";
import type { ReactElement, ReactNode } from "react";
import { fillPlural } from "../messages/fill.ts";
import { icon } from "./icon.tsx";
import { around } from "./parts.tsx";
import { changeNote, Row } from "./row.tsx";
import type { CardScope } from "./scope.ts";
import { rowValue, sentence } from "./value.tsx";

function effectRow(
  scope: CardScope,
  card: Card,
  { label, before, after, tolerance }: CardEffect,
  index: number,
): ReactElement {
  const { messages } = scope;
  const now = rowValue(scope, after ?? messages.none, label);
  return (
    <Row key={index} label={label} kind="cs-change">
      {before !== null && (
        <span className="cs-was">{sentence(messages.was, rowValue(scope, before, label))} </span>
      )}
      <strong>
        {before !== null && icon("arrow")}
        {before === null ? now : sentence(messages.now, now)}
      </strong>
      {tolerance && <span className="cs-note"> ({rowValue(scope, tolerance, label)})</span>}
      {changeNote(scope, card, label)}
    </Row>
  );
}

const more = (summary: string, rows: ReactNode): ReactElement => (
  <details className="cs-more">
    <summary>
      {summary}
      {icon("down")}
    </summary>
    <dl>{rows}</dl>
  </details>
);

const isChange = ({ before, after }: CardEffect): boolean => before === null || before !== after;

/** What changes in the world, in words; what stays as it is can be opened below. */
export function effects(scope: CardScope, card: Card): ReactNode {
  const { messages, props } = scope;
  const Heading = `h${(props.headingLevel ?? 3) + 1}` as "h4";
  const changes = card.effects.filter(isChange);
  const same = card.effects.filter((effect) => !isChange(effect));
  return around(
    props.parts?.Effects,
    card,
    card.effects.length > 0 && (
      <>
        {changes.length > 0 && (
          <div className="cs-effects">
            <Heading>
              <strong>{messages.whatChanges}</strong>
            </Heading>
            <dl>{changes.map((effect, index) => effectRow(scope, card, effect, index))}</dl>
          </div>
        )}
        {same.length > 0 &&
          more(
            fillPlural(messages.unchanged, same.length, messages),
            same.map(({ label, after }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: labels may repeat, and effects of one version never move
              <Row key={index} label={label}>
                {rowValue(scope, after ?? messages.none, label)}
              </Row>
            )),
          )}
      </>
    ),
  );
}

/** Arguments without a row of their own. */
export const details = (scope: CardScope, card: Card): ReactNode =>
  around(
    scope.props.parts?.Details,
    card,
    card.details.length > 0 &&
      more(
        `${scope.messages.details} (${card.details.length})`,
        card.details.map(({ argument, label, display }) => (
          <Row key={argument} label={label}>
            {display === null ? (
              <span className="cs-note">{scope.messages.notShown}</span>
            ) : (
              rowValue(scope, display, label, "cs-multiline")
            )}
          </Row>
        )),
      ),
  );
