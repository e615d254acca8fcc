import type { Json, JsonObject } from "../base/json.ts";
import { visible } from "../base/text.ts";
import { typeOf } from "../tool/default-format.ts";
import type { ResolvedField } from "../tool/presentation.ts";
import { localise } from "./locale.ts";
import type { FieldInput } from "./model.ts";

const numberAt = (schema: JsonObject, word: string): number | null => {
  const value = schema[word];
  return typeof value === "number" ? value : null;
};

// The tightest bound that JSON Schema states. An exclusive bound of a whole number is the next one inside; of other
// numbers it stays as it is, and the server refuses the bound itself.
function bound(schema: JsonObject, side: "minimum" | "maximum"): number | null {
  const step = typeOf(schema) === "integer" ? (side === "minimum" ? 1 : -1) : 0;
  const inclusive = numberAt(schema, side);
  const exclusive = numberAt(schema, side === "minimum" ? "exclusiveMinimum" : "exclusiveMaximum");
  const bounds = [inclusive, exclusive === null ? null : exclusive + step].filter((value) => value !== null);
  if (bounds.length === 0) return null;
  const tightest = side === "minimum" ? Math.max(...bounds) : Math.min(...bounds);
  // What every JSON number is held to is no limit worth telling.
  return Math.abs(tightest) >= Number.MAX_SAFE_INTEGER ? null : tightest;
}

function optionsOf(field: ResolvedField, locale: string): FieldInput["options"] {
  const label = (value: string | number | boolean): string => {
    const option = field.options?.find((candidate) => candidate.value === value);
    return option ? visible(localise(option.label, locale)) : visible(String(value));
  };
  const allowed = Array.isArray(field.schema.enum)
    ? field.schema.enum.filter((value: Json) => typeof value !== "object")
    : field.options?.map(({ value }) => value);
  return allowed?.map((value) => ({ value, label: label(value) })) ?? null;
}

/** What an editable field accepts, from its JSON Schema; labels in `locale`. */
export function fieldInput(field: ResolvedField, locale: string): FieldInput {
  const { schema } = field;
  return {
    type: (typeOf(schema) ?? "string") as FieldInput["type"],
    required: field.required,
    minLength: numberAt(schema, "minLength"),
    maxLength: numberAt(schema, "maxLength"),
    minimum: bound(schema, "minimum"),
    maximum: bound(schema, "maximum"),
    pattern: typeof schema.pattern === "string" ? schema.pattern : null,
    options: optionsOf(field, locale),
  };
}
