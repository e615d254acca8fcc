import { canonical } from "../base/canonical.ts";
import type { CardChange, CardDetail, CardEffect, CardField, FrozenCard } from "./model.ts";

type Shown = {
  readonly label: string;
  readonly text: string | null;
  /** Says more than `text`, for two that read the same there. */
  readonly whole?: string;
  /** Differs exactly when something changed. */
  readonly value: string;
};

const textOfField = (field: CardField): string | null => (field.value === null ? null : field.display);

function shownField(field: CardField): [string, Shown] {
  // By value where the card holds it: it may change behind the same mask, and another language is no change.
  const value = canonical("value" in field ? [field.value ?? null, field.currency ?? null] : field.display);
  return [field.argument, { label: field.label, text: textOfField(field), value }];
}

function shownDetail(detail: CardDetail): [string, Shown] {
  return [detail.argument, { label: detail.label, text: detail.display, value: canonical(detail.display) }];
}

function shownEffects(effects: readonly CardEffect[]): [string, Shown][] {
  const seen = new Map<string, number>();
  return effects.map((effect) => {
    const nth = (seen.get(effect.label) ?? 0) + 1;
    seen.set(effect.label, nth);
    const text = effect.after ?? effect.before;
    const range = `${effect.before ?? "—"} → ${effect.after ?? "—"}`;
    const whole = effect.tolerance === undefined ? range : `${range} (${effect.tolerance})`;
    return [`${effect.label} ${nth}`, { label: effect.label, text, whole, value: canonical(effect) }];
  });
}

function compare(
  before: readonly [string, Shown][],
  after: readonly [string, Shown][],
  by: CardChange["by"],
): readonly CardChange[] {
  const was = new Map(before);
  const is = new Map(after);
  const changed = after.flatMap(([key, { label, text, whole, value }]): CardChange[] => {
    const earlier = was.get(key);
    if (earlier?.value === value) return [];
    if (earlier?.text === text) return [{ label, from: earlier?.whole ?? text, to: whole ?? text, by }];
    return [{ label, from: earlier?.text ?? null, to: text, by }];
  });
  const gone = before.flatMap(([key, { label, text }]): CardChange[] =>
    is.has(key) ? [] : [{ label, from: text, to: null, by }],
  );
  return [...changed, ...gone];
}

const rows = (card: FrozenCard): [string, Shown][] => [
  ...card.fields.map(shownField),
  ...card.details.map(shownDetail),
];

/** What differs between two versions of a card, as shown: arguments first, then effects. Null: nothing stood there. */
export function changesBetween(
  before: FrozenCard,
  after: FrozenCard,
  by: CardChange["by"],
): readonly CardChange[] {
  return [
    ...compare(rows(before), rows(after), by),
    ...compare(shownEffects(before.effects), shownEffects(after.effects), by),
  ];
}
