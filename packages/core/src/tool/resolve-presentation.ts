import { ConfigurationError } from "../base/errors.ts";
import type { Pointer } from "../base/pointer.ts";
import { pointerOf } from "../base/pointer.ts";
import type { JsonSchema } from "../base/schema.ts";
import type { Fail } from "./check-text.ts";
import { checkButtons, checkText, checkUnique } from "./check-text.ts";
import { defaultFormat, isScalar } from "./default-format.ts";
import { humanLabel } from "./human-label.ts";
import { locate, memberNames } from "./locate-schema.ts";
import type {
  Format,
  Presentation,
  PresentationField,
  ResolvedField,
  ResolvedPresentation,
} from "./presentation.ts";
import type { Scope } from "./resolve-display.ts";
import {
  checkFlag,
  checkKeys,
  checkList,
  keysOfDisplay,
  resolveDisplay,
  resolvePointer,
} from "./resolve-display.ts";
import { contains, resolveReceipt } from "./resolve-receipt.ts";

const keysOfField = ["argument", ...keysOfDisplay, "editable", "help"];
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
  return {
    title: title ?? tool.title,
    description,
    confirmLabel,
    declineLabel,
    fields,
    omit,
    warnings,
    reversible: written.reversible ?? null,
    receipt: resolveReceipt(receipt, scope, fields, omit),
  };
}
