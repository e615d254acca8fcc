import { ConfigurationError } from "../base/errors.ts";
import type { Json } from "../base/json.ts";
import { isPlainObject } from "../base/json.ts";
import type { Pointer } from "../base/pointer.ts";
import { pointerOf, toPointer } from "../base/pointer.ts";
import type { JsonSchema } from "../base/schema.ts";
import { currencyCode } from "../card/money.ts";
import type { Fail } from "./check-text.ts";
import { checkButtons, checkText, checkUnique, maxLabel } from "./check-text.ts";
import { defaultFormat, formats, isScalar, misfit } from "./default-format.ts";
import { humanLabel } from "./human-label.ts";
import { declaredPointers, locate, memberNames } from "./locate-schema.ts";
import type {
  Display,
  Format,
  Presentation,
  PresentationField,
  ReceiptField,
  ResolvedField,
  ResolvedPresentation,
  Undo,
} from "./presentation.ts";
import { suggestion } from "./suggest.ts";

type Scope = { readonly fail: Fail; readonly input: JsonSchema; readonly output: JsonSchema | undefined };

const keysOfDisplay = ["label", "format", "currency", "unit", "options", "emptyText"];
const keysOfField = ["argument", ...keysOfDisplay, "editable", "help"];
const keysOfReceiptField = ["result", "argument", ...keysOfDisplay];
const keysOfUndo = ["tool", "arguments", "label", "note"];
const keysOfReceipt = ["title", "fields", "undo"];
const keysOfPresentation = [
  "title",
  "description",
  "confirmLabel",
  "declineLabel",
  "fields",
  "omit",
  "warnings",
  "reversible",
  "receipt",
];

function checkKeys(value: unknown, known: readonly string[], where: string, fail: Fail): void {
  if (!isPlainObject(value)) fail(where, `give an object with ${known.join(", ")}.`);
  for (const key of Object.keys(value as object)) {
    if (!known.includes(key)) fail(where, `"${key}" is not known here.${suggestion(key, known)}`);
  }
}

function checkList(value: unknown, where: string, fail: Fail): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : fail(where, "give a list.");
}

function checkFlag(value: unknown, where: string, fail: Fail): void {
  if (value !== undefined && typeof value !== "boolean") fail(where, "give true or false.");
}

// The pointer of a place that the schema declares; undefined schema: no schema to check against.
function resolvePointer(text: unknown, schema: JsonSchema | undefined, where: string, fail: Fail): Pointer {
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

// Checks everything that fields of the card and of the receipt have in common, and answers with what stands in for defaults.
function resolveDisplay<D extends Display>(
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

function resolveField(field: PresentationField, index: number, scope: Scope): ResolvedField {
  const where = `fields[${index}]`;
  checkKeys(field, keysOfField, where, scope.fail);
  const argument = resolvePointer(field.argument, scope.input, `${where}.argument`, scope.fail);
  const place = locate(scope.input, argument);
  if (!place) return scope.fail(`${where}.argument`, `the schema has no "${argument}".`);
  const { schema, required } = place;
  const format: Format = field.format ?? defaultFormat(scope.input, schema);
  const display = resolveDisplay({ ...field, format }, schema, where, scope);
  checkFlag(field.editable, `${where}.editable`, scope.fail);
  if (field.help !== undefined) checkText(field.help, `${where}.help`, scope.fail);
  const editable = field.editable ?? false;
  if (editable && (!isScalar(schema) || "const" in schema || /\/\d+(\/|$)/.test(argument))) {
    const problem =
      "const" in schema ? "it is fixed by const" : "it is no single text, number, true/false or enum";
    scope.fail(`${where}.editable`, `"${argument}" cannot be edited: ${problem}. Remove editable.`);
  }
  return { ...display, argument, format, editable, required, schema };
}

const contains = (outer: Pointer, inner: Pointer): boolean =>
  inner === outer || inner.startsWith(`${outer}/`);

// A value shown (or named) twice could be shown by one row and kept back by the other.
function checkOverlap(fields: readonly ResolvedField[], omit: readonly Pointer[], fail: Fail): void {
  const places = [
    ...fields.map(({ argument }, index) => ({ pointer: argument, where: `fields[${index}].argument` })),
    ...omit.map((pointer, index) => ({ pointer, where: `omit[${index}]` })),
  ];
  places.forEach(({ pointer, where }, index) => {
    const other = places
      .slice(0, index)
      .find((earlier) => contains(earlier.pointer, pointer) || contains(pointer, earlier.pointer));
    if (other)
      fail(where, `"${pointer}" is already in ${other.where} ("${other.pointer}"); name each argument once.`);
  });
}

function resolveReceiptField(
  field: ReceiptField,
  index: number,
  scope: Scope,
  presentation: readonly ResolvedField[],
  omit: readonly Pointer[],
): ReceiptField {
  const where = `receipt.fields[${index}]`;
  checkKeys(field, keysOfReceiptField, where, scope.fail);
  if ("result" in field === "argument" in field) scope.fail(where, "name either a result or an argument.");
  if ("result" in field) {
    const result = resolvePointer(field.result, scope.output, `${where}.result`, scope.fail);
    const schema = scope.output && locate(scope.output, result)?.schema;
    const format = field.format ?? (scope.output && schema ? defaultFormat(scope.output, schema) : undefined);
    return resolveDisplay(
      { ...field, result, ...(format === undefined ? {} : { format }) },
      schema,
      where,
      scope,
      true,
    );
  }
  const argument = resolvePointer(field.argument, scope.input, `${where}.argument`, scope.fail);
  const schema = locate(scope.input, argument)?.schema ?? {};
  const {
    format: shownAs,
    currency,
    unit,
    options,
  } = presentation.find((row) => row.argument === argument) ?? {};
  const shown = JSON.parse(JSON.stringify({ format: shownAs, currency, unit, options })) as Partial<Display>;
  const format = field.format ?? shown.format ?? defaultFormat(scope.input, schema);
  const kept = presentation.filter((row) => row.format === "masked").map((row) => row.argument);
  const secret = [...kept, ...omit].find(
    (pointer) => contains(argument, pointer) || contains(pointer, argument),
  );
  if (secret !== undefined && !(format === "masked" && kept.includes(argument))) {
    scope.fail(where, `"${secret}" is masked or omitted on the card; mask it here too, or remove it.`);
  }
  const inherited = format === shown.format ? shown : {};
  return resolveDisplay({ ...inherited, ...field, argument, format }, schema, where, scope);
}

function resolveUndo(undo: Undo, scope: Scope): Undo {
  const where = "receipt.undo";
  checkKeys(undo, keysOfUndo, where, scope.fail);
  if (typeof undo.tool !== "string" || !/^[A-Za-z0-9_-]{1,64}$/.test(undo.tool)) {
    scope.fail(`${where}.tool`, "give the name of a tool: 1 to 64 of A–Z a–z 0–9 _ -.");
  }
  checkText(undo.label, `${where}.label`, scope.fail, maxLabel);
  if (undo.note !== undefined) checkText(undo.note, `${where}.note`, scope.fail);
  if (!isPlainObject(undo.arguments)) return scope.fail(`${where}.arguments`, "give an object.");
  const args = Object.entries(undo.arguments).map(([name, value]): [string, Json] => {
    const at = `${where}.arguments.${name}`;
    const keys = isPlainObject(value) ? Object.keys(value) : [];
    if (keys.length !== 1 || !(keys[0] === "result" || keys[0] === "argument")) return [name, value as Json];
    const [from] = keys as ["result" | "argument"];
    const schema = from === "result" ? scope.output : scope.input;
    return [
      name,
      { [from]: resolvePointer((value as Record<string, unknown>)[from], schema, at, scope.fail) },
    ];
  });
  return { ...undo, arguments: Object.fromEntries(args) };
}

function everyArgument(input: JsonSchema): readonly ResolvedField[] {
  return memberNames(input, input).map((name) => {
    const argument = pointerOf([name]);
    const place = locate(input, argument);
    const schema = place?.schema ?? {};
    return {
      argument,
      label: humanLabel(input, argument),
      format: defaultFormat(input, schema),
      editable: false,
      required: place?.required ?? false,
      schema,
    };
  });
}

/**
 * Checks what an author wrote against the tool's schemas and fills in the defaults.
 *
 * Without a presentation every argument is a row with a humanised label, and nothing is editable. Pointers into the
 * result are checked where `outputSchema` is given. Throws a ConfigurationError that names the tool, the place and
 * what to do.
 */
export function resolvePresentation(
  tool: { readonly name: string; readonly title: string },
  presentation: Presentation | undefined,
  inputSchema: JsonSchema,
  outputSchema?: JsonSchema,
): ResolvedPresentation {
  const fail: Fail = (where, problem) => {
    const at = where === "" ? "presentation" : `presentation.${where}`;
    throw new ConfigurationError(`Tool "${tool.name}", ${at}: ${problem}`);
  };
  const scope: Scope = { fail, input: inputSchema, output: outputSchema };
  if (presentation !== undefined) checkKeys(presentation, keysOfPresentation, "", fail);
  const written: Presentation = presentation ?? {};
  const { title, description, confirmLabel, declineLabel, receipt } = written;
  if (title !== undefined) checkText(title, "title", fail);
  if (description !== undefined) checkText(description, "description", fail);
  checkButtons(confirmLabel, declineLabel, fail);
  checkFlag(written.reversible, "reversible", fail);
  const warnings = checkList(written.warnings, "warnings", fail).map((text, index) =>
    checkText(text, `warnings[${index}]`, fail),
  );
  const fields =
    presentation === undefined
      ? everyArgument(inputSchema)
      : checkList(written.fields, "fields", fail).map((field, index) =>
          resolveField(field as PresentationField, index, scope),
        );
  const omit = checkList(written.omit, "omit", fail).map((text, index) =>
    resolvePointer(text, inputSchema, `omit[${index}]`, fail),
  );
  checkOverlap(fields, omit, fail);
  const labels = fields.map(({ label }) => label);
  if (presentation !== undefined) checkUnique(labels, (index) => `fields[${index}].label`, fail);
  if (receipt !== undefined) checkKeys(receipt, keysOfReceipt, "receipt", fail);
  if (receipt?.title !== undefined) checkText(receipt.title, "receipt.title", fail);
  const receiptFields = checkList(receipt?.fields, "receipt.fields", fail).map((field, index) =>
    resolveReceiptField(field as ReceiptField, index, scope, fields, omit),
  );
  checkUnique(
    receiptFields.map(({ label }) => label),
    (index) => `receipt.fields[${index}].label`,
    fail,
  );
  return {
    title: title ?? tool.title,
    description,
    confirmLabel,
    declineLabel,
    fields,
    omit,
    warnings,
    reversible: written.reversible ?? null,
    receipt: {
      title: receipt?.title,
      fields: receiptFields,
      undo: receipt?.undo === undefined ? undefined : resolveUndo(receipt.undo, scope),
    },
  };
}
