import type { Json } from "../base/json.ts";
import { visible } from "../base/text.ts";
import type { Format, Option, Text } from "../tool/presentation.ts";
import { formatDate, formatDatetime } from "./dates.ts";
import { jsonText } from "./json-text.ts";
import { localise, settleLocale, settleTimeZone } from "./locale.ts";
import { mask } from "./mask.ts";
import { messagesFor } from "./messages.ts";
import { currencyCode, formatMoney, formatNumber, formatPercent } from "./money.ts";

/** How a value is shown, with everything it depends on. */
export type ValueFormat = {
  readonly format: Format;
  /** Money: an ISO 4217 code. Without one that is known the bare number is shown. */
  readonly currency?: string | undefined;
  /** Money: what the number counts. Default: minor units. */
  readonly unit?: "minor" | "major" | undefined;
  readonly options?: readonly Option[] | undefined;
  /** Default: an em dash. */
  readonly emptyText?: Text | undefined;
};

/** A value as shown: plain text with invisible characters made visible, and each item's text for a list. */
export type ShownValue = { readonly display: string; readonly items?: readonly string[] };

function plain(value: Json): string {
  if (typeof value === "string") return value === "" ? '""' : visible(value);
  return typeof value === "object" && value !== null ? jsonText(value, "line") : String(value);
}

function optionLabel(
  value: Json,
  options: readonly Option[] | undefined,
  locale: string,
): string | undefined {
  const option = options?.find((candidate) => candidate.value === value);
  return option && visible(localise(option.label, locale));
}

const separators: { readonly [language: string]: string } = { ar: "، ", ja: "、", zh: "、" };

// An item that holds a separator or a quote is quoted, so that one item never reads as two.
function joined(items: readonly string[], locale: string): string {
  const separator = separators[locale.split("-")[0] ?? ""] ?? ", ";
  return items.map((item) => (/[,،、"]/.test(item) ? JSON.stringify(item) : item)).join(separator);
}

function formatOne(value: Json, how: ValueFormat, locale: string, timeZone: string): string | undefined {
  switch (how.format) {
    case "multiline":
      return typeof value === "string" ? visible(value, { multiline: true }) : undefined;
    case "number":
      return formatNumber(value, locale);
    case "money": {
      const currency = currencyCode(how.currency);
      return currency && formatMoney(value, { currency, unit: how.unit ?? "minor" }, locale);
    }
    case "percent":
      return formatPercent(value, locale);
    case "date":
      return formatDate(value, locale);
    case "datetime":
      return formatDatetime(value, locale, settleTimeZone(timeZone));
    case "boolean":
      return typeof value === "boolean" ? messagesFor(locale)[value ? "yes" : "no"] : undefined;
    case "masked":
      return mask(value);
    case "json":
      return jsonText(value, "pretty");
    default:
      return undefined;
  }
}

function emptyDisplay(text: Text | undefined, locale: string): string {
  return text === undefined ? "—" : visible(localise(text, locale));
}

/**
 * The text of a value in `locale` and `timeZone`; unknown ones count as `en` and `UTC`.
 *
 * Never throws and never hides: what does not suit its format is shown as plain text. Absent, null and empty values
 * are shown as the empty text.
 */
export function formatValue(
  value: Json | undefined,
  how: ValueFormat,
  locale: string,
  timeZone: string,
): ShownValue {
  const place = settleLocale(locale);
  if (value === undefined || value === null || value === "")
    return { display: emptyDisplay(how.emptyText, place) };
  if (how.format === "list" && Array.isArray(value)) {
    const items = value.map((item: Json) => optionLabel(item, how.options, place) ?? plain(item));
    return { display: items.length === 0 ? emptyDisplay(how.emptyText, place) : joined(items, place), items };
  }
  const option = how.format === "masked" ? undefined : optionLabel(value, how.options, place);
  return { display: option ?? formatOne(value, how, place, timeZone) ?? plain(value) };
}
