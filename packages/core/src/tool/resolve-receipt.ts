import type { Json } from "../base/json.ts";
import { isPlainObject } from "../base/json.ts";
import type { Pointer } from "../base/pointer.ts";
import { checkText, checkUnique, maxLabel } from "./check-text.ts";
import { defaultFormat } from "./default-format.ts";
import { locate } from "./locate-schema.ts";
import type {
  Display,
  Presentation,
  ReceiptField,
  ResolvedField,
  ResolvedPresentation,
  Undo,
} from "./presentation.ts";
import type { Scope } from "./resolve-display.ts";
import { checkKeys, checkList, keysOfDisplay, resolveDisplay, resolvePointer } from "./resolve-display.ts";

const keysOfReceiptField = ["result", "argument", ...keysOfDisplay];
const keysOfUndo = ["tool", "arguments", "label", "note"];
const keysOfReceipt = ["title", "fields", "undo"];

/** True where `inner` is `outer` or stands within it. */
export const contains: (outer: Pointer, inner: Pointer) => boolean = (outer, inner) =>
  inner === outer || inner.startsWith(`${outer}/`);

// What makes a value read the same on the receipt as on the card.
function wordingOf({ currency, unit, options }: ResolvedField): Partial<Display> {
  return {
    ...(currency === undefined ? {} : { currency }),
    ...(unit === undefined ? {} : { unit }),
    ...(options === undefined ? {} : { options }),
  };
}

function resolveRow(
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
  const row = presentation.find((candidate) => candidate.argument === argument);
  const format = field.format ?? row?.format ?? defaultFormat(scope.input, schema);
  const kept = presentation.filter((row) => row.format === "masked").map((row) => row.argument);
  const secret = [...kept, ...omit].find(
    (pointer) => contains(argument, pointer) || contains(pointer, argument),
  );
  if (secret !== undefined && !(format === "masked" && kept.includes(argument))) {
    scope.fail(where, `"${secret}" is masked or omitted on the card; mask it here too, or remove it.`);
  }
  const inherited = row && format === row.format ? wordingOf(row) : {};
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

/** Checks the receipt half of a presentation, given the rows and omissions of its card half. */
export function resolveReceipt(
  receipt: Presentation["receipt"],
  scope: Scope,
  rows: readonly ResolvedField[],
  omit: readonly Pointer[],
): ResolvedPresentation["receipt"] {
  if (receipt === undefined) return { title: undefined, fields: [], undo: undefined };
  const { fail } = scope;
  checkKeys(receipt, keysOfReceipt, "receipt", fail);
  if (receipt.title !== undefined) checkText(receipt.title, "receipt.title", fail);
  const fields = checkList(receipt.fields, "receipt.fields", fail).map((field, index) =>
    resolveRow(field as ReceiptField, index, scope, rows, omit),
  );
  checkUnique(
    fields.map(({ label }) => label),
    (index) => `receipt.fields[${index}].label`,
    fail,
  );
  return {
    title: receipt.title,
    fields,
    undo: receipt.undo === undefined ? undefined : resolveUndo(receipt.undo, scope),
  };
}
