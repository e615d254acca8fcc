import type { Pointer } from "../base/pointer.ts";
import { pathOf } from "../base/pointer.ts";
import { remember } from "../base/remember.ts";
import type { JsonSchema } from "../base/schema.ts";
import { visible } from "../base/text.ts";
import { defaultFormat } from "../tool/default-format.ts";
import { humanLabel } from "../tool/human-label.ts";
import { locate, memberNames } from "../tool/locate-schema.ts";
import type { Format, ResolvedField, ResolvedPresentation, Text } from "../tool/presentation.ts";
import { fieldInput } from "./field-input.ts";
import { localise } from "./locale.ts";
import { messagesFor } from "./messages.ts";
import type { CardDetail, FieldInput, FrozenCard } from "./model.ts";

/** The parts of a tool that a card is made of. */
export type CardTool = {
  readonly name: string;
  readonly risk: FrozenCard["risk"];
  readonly presentation: ResolvedPresentation;
  readonly inputSchema: JsonSchema;
};

type FieldFrame = {
  readonly field: ResolvedField;
  readonly label: string;
  readonly help: { readonly help?: string };
  readonly edit: { readonly editable: false } | { readonly editable: true; readonly input: FieldInput };
};

/** Everything of a tool's cards in one locale that does not depend on the arguments; made once, since cards are made often. */
export type Frame = {
  readonly title: string;
  readonly description: string | null;
  readonly confirmLabel: string;
  readonly declineLabel: string;
  readonly warnings: readonly string[];
  readonly fields: readonly FieldFrame[];
  /** The omitted arguments, named without value. */
  readonly omitted: readonly CardDetail[];
  /** Places that have a row, or are named without value. */
  readonly covered: ReadonlySet<Pointer>;
  /** Places above a covered one: an object there is opened, so that its other members get rows of their own. */
  readonly opened: ReadonlySet<Pointer>;
  /** Names of the arguments in the order of the schema. */
  readonly declared: readonly string[];
  /** Label and format of arguments that the schema declares and no field shows, by pointer; filled as they are met. */
  readonly details: Map<Pointer, { readonly label: string; readonly format: Format | undefined }>;
};

const frames: WeakMap<ResolvedPresentation, Map<string, Frame>> = new WeakMap();

/** The frame of `tool` in a settled locale. */
export function frameOf(tool: CardTool, locale: string): Frame {
  let ofTool = frames.get(tool.presentation);
  if (!ofTool) {
    ofTool = new Map();
    frames.set(tool.presentation, ofTool);
  }
  return remember(ofTool, locale, () => makeFrame(tool, locale));
}

function makeFrame({ presentation, inputSchema }: CardTool, locale: string): Frame {
  const words = messagesFor(locale);
  const say = (text: Text): string => visible(localise(text, locale));
  const covered = new Set([...presentation.fields.map(({ argument }) => argument), ...presentation.omit]);
  return {
    title: say(presentation.title),
    description: presentation.description === undefined ? null : say(presentation.description),
    confirmLabel: presentation.confirmLabel === undefined ? words.confirm : say(presentation.confirmLabel),
    declineLabel: presentation.declineLabel === undefined ? words.decline : say(presentation.declineLabel),
    warnings: presentation.warnings.map(say),
    fields: presentation.fields.map((field) => ({
      field,
      label: say(field.label),
      help: field.help === undefined ? {} : { help: say(field.help) },
      edit: field.editable ? { editable: true, input: fieldInput(field, locale) } : { editable: false },
    })),
    omitted: presentation.omit.map((argument) => {
      return { argument, label: visible(humanLabel(inputSchema, argument)), display: null, omitted: true };
    }),
    covered,
    opened: new Set(["", ...[...covered].flatMap(above)]),
    declared: memberNames(inputSchema, inputSchema),
    details: new Map(),
  };
}

function above(pointer: Pointer): readonly Pointer[] {
  const found: Pointer[] = [];
  for (let at = pointer.lastIndexOf("/"); at > 0; at = pointer.lastIndexOf("/", at - 1))
    found.push(pointer.slice(0, at));
  return found;
}

/** Label and format of an argument that no field shows; the format is undefined where the schema does not declare it. */
export function detailFrame(
  frame: Frame,
  inputSchema: JsonSchema,
  pointer: Pointer,
): { label: string; format: Format | undefined } {
  const make = (): { label: string; format: Format | undefined } => {
    const place = locate(inputSchema, pointer);
    return {
      label: visible(humanLabel(inputSchema, pointer)),
      format: place && defaultFormat(inputSchema, place.schema),
    };
  };
  // Names that a model made up are not kept.
  return frame.declared.includes(pathOf(pointer)[0] ?? "") ? remember(frame.details, pointer, make) : make();
}
