import type { Card, CardField } from "@countersign/core/card";
import type { AnswerIssue, EditValue } from "./answer.ts";
import { localDecimal, readDecimal, shiftPoint, toLatin } from "./decimal.ts";
import { fromWallTime, toWallTime } from "./wall-time.ts";

/** A field the customer may change. */
export type EditableField = Extract<CardField, { editable: true }>;

/** What stands in each input, by argument: plain text, the way it was typed. */
export type Entries = { readonly [argument: string]: string };

/** Why an entry cannot be saved. `limit` is plain text; `text` is the server's own sentence. */
export type Fault = {
  readonly code:
    | "required"
    | "number"
    | "too_precise"
    | "too_small"
    | "too_large"
    | "too_long"
    | "no_such_time"
    | "phone"
    | "refused";
  readonly limit?: string | undefined;
  readonly text?: string;
};

/** Faults by argument. */
export type Faults = { readonly [argument: string]: Fault };

/** The fields of `card` that have an input. */
export const editableFields = (card: Card): readonly EditableField[] =>
  card.fields.filter((field) => field.editable);

const numeric = new Set<CardField["format"]>(["number", "money", "percent"]);

/** Whether the customer types a number here; its value may still be a string of digits. */
export const isNumeric = (field: EditableField): boolean =>
  field.input.type === "number" || field.input.type === "integer" || numeric.has(field.format);

/** How many places the point moves between a value and what is typed: cents to euros, a ratio to a percentage. */
function placesOf(field: EditableField): number {
  if (field.format === "percent") return 2;
  return field.format === "money" ? -(field.minorDigits ?? 0) : 0;
}

const numberText = (field: EditableField, value: number | string, locale: string): string =>
  localDecimal(shiftPoint(`${value}`, placesOf(field)), locale);

/** The text an input starts with. A masked value is never put back into the open: its input starts empty. */
export function entryOf(
  field: EditableField,
  { locale, timeZone }: Pick<Card, "locale" | "timeZone">,
): string {
  const value = field.value ?? null;
  if (value === null || field.format === "masked") return "";
  if (field.input.options || field.input.type === "boolean") return JSON.stringify(value);
  if (isNumeric(field)) return numberText(field, value as number | string, locale);
  return field.format === "datetime" ? toWallTime(`${value}`, timeZone) : `${value}`;
}

/** The entries an edit starts with. */
export const entriesOf = (card: Card): Entries =>
  Object.fromEntries(editableFields(card).map((field) => [field.argument, entryOf(field, card)]));

type Result = { readonly value: EditValue } | { readonly fault: Fault };

const fault = (code: Fault["code"], limit?: string): Result => ({ fault: { code, limit } });

function readNumber(field: EditableField, entry: string, locale: string): Result {
  const { type, minimum, maximum } = field.input;
  const typed = readDecimal(entry, locale);
  if (typed === undefined) return fault("number");
  const places = placesOf(field);
  const plain = shiftPoint(typed, -places);
  const broken = /\.\d*[1-9]/.test(plain);
  if (broken && (places < 0 || type === "integer")) return fault("too_precise", `${Math.max(-places, 0)}`);
  const value = Number(plain);
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return fault("number");
  if (minimum !== null && value < minimum) return fault("too_small", numberText(field, minimum, locale));
  if (maximum !== null && value > maximum) return fault("too_large", numberText(field, maximum, locale));
  return { value: type === "string" ? plain : value };
}

function readText({ input, format, value }: EditableField, entry: string, timeZone: string): Result {
  const { maxLength } = input;
  // JSON Schema counts code points.
  if (maxLength !== null && [...entry].length > maxLength) return fault("too_long", `${maxLength}`);
  const zoned = format === "datetime" && !/T[\d:.]+$/.test(`${value ?? ""}`);
  const text = zoned ? fromWallTime(entry, timeZone) : entry;
  return text === undefined ? fault("no_such_time") : { value: text };
}

/** A phone number without what people group it by; one that is international stays so, whatever country it is read in. */
function readPhone({ value }: EditableField, entry: string): Result {
  const digits = toLatin(entry)
    .replace(/[\s().\-/\u2010-\u2015]/g, "")
    .replace(/^00/, "+");
  const isKnown = /^\+[1-9]\d{5,14}$/.test(digits) || !/^(\+|$)/.test(`${value ?? ""}`);
  return isKnown ? { value: digits } : fault("phone");
}

function readEntry(field: EditableField, entry: string, card: Card): Result {
  const { input } = field;
  if (entry.trim() === "") return input.required ? fault("required") : { value: null };
  if (input.options || input.type === "boolean") return { value: JSON.parse(entry) as EditValue };
  if (field.format === "phone") return readPhone(field, entry);
  return isNumeric(field) ? readNumber(field, entry, card.locale) : readText(field, entry, card.timeZone);
}

/** The values that differ from what `card` shows, and what is wrong with the others. Untouched entries are not judged. */
export function checkEntries(
  card: Card,
  entries: Entries,
): { readonly values: { readonly [argument: string]: EditValue }; readonly faults: Faults } {
  const values: Record<string, EditValue> = {};
  const faults: Record<string, Fault> = {};
  for (const field of editableFields(card)) {
    const entry = entries[field.argument];
    if (entry === undefined || entry === entryOf(field, card)) continue;
    const result = readEntry(field, entry, card);
    if ("fault" in result) faults[field.argument] = result.fault;
    else if (result.value !== (field.value ?? null)) values[field.argument] = result.value;
  }
  return { values, faults };
}

/** The server's issues as faults of the fields they name; those of no field fall on the first. */
export function faultsOf(card: Card, issues: readonly AnswerIssue[]): Faults {
  const fields = editableFields(card);
  const faults: Record<string, Fault> = {};
  for (const { pointer, message } of issues) {
    const field = fields.find(({ argument }) => pointer.startsWith(argument)) ?? fields[0];
    if (field) faults[field.argument] ??= { code: "refused", text: message };
  }
  return faults;
}

/** The entries of an edit begun on an older version, on `card`: what was typed stays, the rest is new. */
export function rebase(before: Card, card: Card, entries: Entries): Entries {
  const old = entriesOf(before);
  return Object.fromEntries(
    Object.entries(entriesOf(card)).map(([argument, entry]) => {
      const typed = entries[argument];
      return [argument, typed === undefined || typed === old[argument] ? entry : typed];
    }),
  );
}
