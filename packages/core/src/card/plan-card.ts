import type { Json } from "../base/json.ts";
import { visible } from "../base/text.ts";
import { formatOfValue } from "../tool/default-format.ts";
import type { CheckedPlan, PlanEffect } from "../tool/plan.ts";
import { allowance } from "../tool/tolerance.ts";
import { formatValue } from "./format.ts";
import { localise } from "./locale.ts";
import { messagesFor } from "./messages.ts";
import type { CardEffect } from "./model.ts";

/** What a preview adds to a card, as shown. */
export type CardPlan = {
  readonly effects: readonly CardEffect[];
  readonly warnings: readonly string[];
  /** Null: what the tool's definition says stands. */
  readonly reversible: boolean | null;
};

type Place = { readonly locale: string; readonly timeZone: string };

/** A bound as a number that reads as one: 44.1 and not 44.099999999999994. Whole cents, rounded away from the value, so that it holds. */
function bound(shown: number, by: number, format: string, unit: string | undefined): number {
  const exact = Number((shown + by).toPrecision(12));
  if (format !== "money" || unit === "major") return exact;
  return by < 0 ? Math.floor(exact) : Math.ceil(exact);
}

function toleranceText(effect: PlanEffect, validSeconds: number, place: Place): { tolerance?: string } {
  const { after, tolerance } = effect;
  if (tolerance === undefined || typeof after !== "number") return {};
  const most = allowance(tolerance, after, validSeconds);
  const format = effect.format ?? formatOfValue(after);
  const show = (by: number): string =>
    formatValue(bound(after, by, format, effect.unit), { ...effect, format }, place.locale, place.timeZone)
      .display;
  return { tolerance: messagesFor(place.locale).between(show(-most), show(most)) };
}

function composeEffect(effect: PlanEffect, validSeconds: number, place: Place): CardEffect {
  const show = (value: Json): string | null =>
    value === null
      ? null
      : formatValue(
          value,
          { ...effect, format: effect.format ?? formatOfValue(value) },
          place.locale,
          place.timeZone,
        ).display;
  return {
    label: visible(localise(effect.label, place.locale)),
    before: show(effect.before),
    after: show(effect.after),
    ...toleranceText(effect, validSeconds, place),
  };
}

/** Counts and names of what is affected, as rows of their own: so every surface that shows effects shows them. */
function composeScope({ counts, items }: CheckedPlan, place: Place): CardEffect[] {
  const { scope } = messagesFor(place.locale);
  const show = (value: Json, format: "number" | "list"): string =>
    formatValue(value, { format }, place.locale, place.timeZone).display;
  const rows: CardEffect[] = [];
  for (const name of ["add", "change", "remove"] as const) {
    const count = counts?.[name] ?? 0;
    if (count > 0) rows.push({ label: scope[name], before: null, after: show(count, "number") });
  }
  if (items.length > 0) rows.push({ label: scope.items, before: null, after: show(items, "list") });
  return rows;
}

/** A plan in the words of a card. `place` is settled. */
export function composePlan(plan: CheckedPlan, place: Place): CardPlan {
  return {
    effects: [
      ...plan.effects.map((effect) => composeEffect(effect, plan.validSeconds, place)),
      ...composeScope(plan, place),
    ],
    warnings: plan.warnings.map((text) => visible(localise(text, place.locale))),
    reversible: plan.reversible,
  };
}
