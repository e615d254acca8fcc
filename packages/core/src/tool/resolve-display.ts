import type { Json } from "../base/json.ts";
import { isPlainObject } from "../base/json.ts";
import type { Pointer } from "../base/pointer.ts";
import { toPointer } from "../base/pointer.ts";
import type { JsonSchema } from "../base/schema.ts";
import { currencyCode } from "../card/money.ts";
import type { Fail } from "./check-text.ts";
import { checkText, checkUnique, maxLabel } from "./check-text.ts";
import { formats, misfit } from "./default-format.ts";
import { declaredPointers, locate } from "./locate-schema.ts";
import type { Display } from "./presentation.ts";
import { suggestion } from "./suggest.ts";

/** What a presentation is checked against. Without an output schema, pointers into the result are not looked up. */
export type Scope = {
  readonly fail: Fail;
  readonly input: JsonSchema;
  readonly output: JsonSchema | undefined;
};

/** The keys of every kind of row. */
export const keysOfDisplay: readonly string[] = [
  "label",
  "format",
  "currency",
  "unit",
  "options",
  "emptyText",
];

/** Checks that a value is an object that holds none but the known keys. */
export function checkKeys(value: unknown, known: readonly string[], where: string, fail: Fail): void {
  if (!isPlainObject(value)) fail(where, `give an object with ${known.join(", ")}.`);
  for (const key of Object.keys(value as object)) {
    if (!known.includes(key)) fail(where, `"${key}" is not known here.${suggestion(key, known)}`);
  }
}

/** The list that was written; an empty one where none was. */
export function checkList(value: unknown, where: string, fail: Fail): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : fail(where, "give a list.");
}

/** Checks that a value, where there is one, is true or false. */
export function checkFlag(value: unknown, where: string, fail: Fail): void {
  if (value !== undefined && typeof value !== "boolean") fail(where, "give true or false.");
}

/** The pointer of a place that `schema` declares; without a schema, of any. */
export function resolvePointer(
  text: unknown,
  schema: JsonSchema | undefined,
  where: string,
  fail: Fail,
): Pointer {
  if (typeof text !== "string" || text === "") return fail(where, 'give a JSON pointer such as "/orderId".');
  let pointer: Pointer;
  try {
    pointer = toPointer(text);
  } catch (error) {
    return fail(where, `${error instanceof Error ? error.message : String(error)}.`);
  }
  if (schema === undefined || locate(schema, pointer)) return pointer;
  return fail(where, `the schema has no "${pointer}".${suggestion(pointer, declaredPointers(schema))}`);
}

function checkCurrency(display: Display, where: string, scope: Scope, isResult: boolean): string | undefined {
  const { currency } = display;
  if (currency === undefined) {
    if (display.format !== "money") return undefined;
    return scope.fail(
      where,
      'money needs a currency: an ISO 4217 code such as "EUR", or a pointer such as "/currency".',
    );
  }
  if (display.format !== "money") scope.fail(`${where}.currency`, 'only format "money" takes a currency.');
  const code = currencyCode(currency);
  if (code !== undefined) return code;
  // A result's currency may stand beside it in the result, else in the arguments.
  if (isResult && scope.output === undefined && currency.startsWith("/")) return toPointer(currency);
  if (isResult && scope.output && currency.startsWith("/") && locate(scope.output, currency)) return currency;
  return resolvePointer(currency, scope.input, `${where}.currency`, scope.fail);
}

function checkOptions(display: Display, schema: JsonSchema | undefined, where: string, fail: Fail): void {
  const options = checkList(display.options, `${where}.options`, fail) as NonNullable<Display["options"]>;
  if (display.options === undefined) {
    if (display.format === "enum" && schema && !Array.isArray(schema.enum)) {
      fail(where, 'format "enum" needs options, or an enum in the schema.');
    }
    return;
  }
  options.forEach((option, index) => {
    const at = `${where}.options[${index}]`;
    checkKeys(option, ["value", "label"], at, fail);
    if (!["string", "number", "boolean"].includes(typeof option.value))
      fail(at, "value is a text, a number, true or false.");
    checkText(option.label, `${at}.label`, fail, maxLabel);
    if (options.findIndex(({ value }) => value === option.value) !== index) {
      fail(at, `${JSON.stringify(option.value)} stands here twice; remove one.`);
    }
  });
  checkUnique(
    options.map(({ label }) => label),
    (index) => `${where}.options[${index}].label`,
    fail,
  );
  const allowed =
    schema && Array.isArray(schema.enum) ? schema.enum.filter((value: Json) => value !== null) : undefined;
  const values: Json[] = options.map(({ value }) => value);
  const unlabelled = allowed?.find((value: Json) => !values.some((known) => known === value));
  if (unlabelled !== undefined) fail(`${where}.options`, `add a label for ${JSON.stringify(unlabelled)}.`);
  const foreign = allowed && values.find((value) => !allowed.some((known: Json) => known === value));
  if (foreign !== undefined)
    fail(`${where}.options`, `the schema does not allow ${JSON.stringify(foreign)}; remove it.`);
}

/** Checks what rows of the card and of the receipt have in common, and resolves their currency. `schema`: the value's. */
export function resolveDisplay<D extends Display>(
  display: D,
  schema: JsonSchema | undefined,
  where: string,
  scope: Scope,
  isResult = false,
): D {
  const { fail } = scope;
  checkText(display.label, `${where}.label`, fail, maxLabel);
  const { format } = display;
  if (format !== undefined && !formats.includes(format)) {
    fail(`${where}.format`, `"${format}" is no format.${suggestion(String(format), formats)}`);
  }
  const types = format && schema && misfit(format, schema);
  if (types !== undefined && types !== "")
    fail(`${where}.format`, `"${format}" is for ${types}; the schema says otherwise.`);
  if (display.unit !== undefined && display.unit !== "minor" && display.unit !== "major") {
    fail(`${where}.unit`, 'is "minor" (cents) or "major".');
  }
  if (display.unit !== undefined && format !== "money")
    fail(`${where}.unit`, 'only format "money" takes a unit.');
  if (display.emptyText !== undefined) checkShown(display.emptyText, `${where}.emptyText`, fail);
  checkOptions(display, schema, where, fail);
  const currency = checkCurrency(display, where, scope, isResult);
  return currency === undefined ? display : { ...display, currency };
}

// An empty text may be a mere dash.
function checkShown(value: unknown, where: string, fail: Fail): void {
  const texts = typeof value === "string" ? [value] : isPlainObject(value) ? Object.values(value) : [];
  if (texts.length === 0 || texts.some((text) => typeof text !== "string" || text.trim() === "")) {
    fail(where, "give a text that can be seen, such as a dash.");
  }
}
