import type { Json, JsonObject } from "../base/json.ts";
import { getAt } from "../base/pointer.ts";
import type { CheckedPlan } from "../tool/plan.ts";
import { composeDetails } from "./details.ts";
import { formatValue } from "./format.ts";
import type { CardTool, Frame } from "./frame.ts";
import { frameOf } from "./frame.ts";
import { settleLocale, settleTimeZone } from "./locale.ts";
import type { CardField, FrozenCard } from "./model.ts";
import { currencyCode, minorDigits } from "./money.ts";
import { type CardPlan, composePlan } from "./plan-card.ts";

/** The code of a money value's currency: stated, or found in the first of `roots` that has one where it points. */
export function currencyOf(
  currency: string | undefined,
  ...roots: readonly (Json | undefined)[]
): string | undefined {
  if (currency === undefined || !currency.startsWith("/")) return currencyCode(currency);
  return roots.map((root) => currencyCode(getAt(root, currency))).find((code) => code !== undefined);
}

function composeField(
  { field, label, help, edit }: Frame["fields"][number],
  args: JsonObject,
  locale: string,
  timeZone: string,
): CardField {
  const { argument, format } = field;
  const value = getAt(args, argument);
  const currency = format === "money" ? currencyOf(field.currency, args) : undefined;
  const how = currency === field.currency ? field : { ...field, currency };
  const { display, items } = formatValue(value, how, locale, timeZone);
  return {
    argument,
    label,
    format,
    ...(format === "masked" && !field.editable ? undefined : { value: value ?? null }),
    display,
    ...(items && { items }),
    ...(currency && { currency, minorDigits: field.unit === "major" ? 0 : minorDigits(currency) }),
    ...help,
    ...edit,
  };
}

/**
 * The card of one version of a write: plain JSON, the same for the same input.
 *
 * Every argument is in `fields`, or in `details` by name at least. An unknown locale counts as `en`, an unknown time
 * zone as `UTC`; the card says which it was composed in.
 */
export function composeCard(
  tool: CardTool,
  args: JsonObject,
  place: { readonly locale: string; readonly timeZone: string },
  plan?: CheckedPlan,
): FrozenCard {
  const locale = settleLocale(place.locale);
  const timeZone = settleTimeZone(place.timeZone);
  const frame = frameOf(tool, locale);
  const planned: CardPlan | undefined = plan && composePlan(plan, { locale, timeZone });
  return {
    tool: tool.name,
    risk: tool.risk,
    locale,
    timeZone,
    title: frame.title,
    description: frame.description,
    fields: frame.fields.map((field) => composeField(field, args, locale, timeZone)),
    details: composeDetails(frame, tool.inputSchema, args, { locale, timeZone }),
    effects: planned?.effects ?? [],
    warnings: [...frame.warnings, ...(planned?.warnings ?? [])],
    reversible: planned?.reversible ?? tool.presentation.reversible,
    confirmLabel: frame.confirmLabel,
    declineLabel: frame.declineLabel,
  };
}
