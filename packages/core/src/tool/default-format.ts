import type { Json } from "../base/json.ts";
import type { JsonSchema } from "../base/schema.ts";
import { openSchema } from "./locate-schema.ts";
import type { Format } from "./presentation.ts";

const ofStrings: { readonly [format: string]: Format } = {
  date: "date",
  "date-time": "datetime",
  email: "email",
  uri: "url",
};

const scalars: readonly Json[] = ["string", "number", "integer", "boolean"];

/** The type of a schema's values: its own, else that of its enum or const. Undefined where it admits several. */
export function typeOf(schema: JsonSchema): string | undefined {
  if (typeof schema.type === "string") return schema.type;
  const samples: readonly Json[] = Array.isArray(schema.enum)
    ? schema.enum
    : "const" in schema
      ? [schema.const as Json]
      : [];
  const types = [
    ...new Set(samples.filter((sample) => sample !== null).map((sample) => typeof sample as string)),
  ];
  return types.length === 1 ? types[0] : undefined;
}

/** True where values are one string, number, integer or boolean. */
export function isScalar(schema: JsonSchema): boolean {
  return scalars.includes(typeOf(schema) ?? "");
}

/** How a value is shown when its author does not say, from its schema (opened, within `root`). */
export function defaultFormat(root: JsonSchema, schema: JsonSchema): Format {
  if (Array.isArray(schema.enum)) return "enum";
  switch (typeOf(schema)) {
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "string":
      return ofStrings[String(schema.format)] ?? "text";
    case "array": {
      const items = schema.items;
      const isList = typeof items === "object" && isScalar(openSchema(root, items as JsonSchema).schema);
      return isList ? "list" : "json";
    }
    case "object":
      return "json";
    default:
      return "properties" in schema || Array.isArray(schema.anyOf) || Array.isArray(schema.oneOf)
        ? "json"
        : "text";
  }
}

/** The format of a value that no schema describes. */
export function formatOfValue(value: Json | undefined): Format {
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "boolean";
  if (typeof value !== "object" || value === null) return "text";
  return Array.isArray(value) && value.every((item: Json) => typeof item !== "object") ? "list" : "json";
}

const fitting: { readonly [format in Format]?: readonly string[] } = {
  multiline: ["string"],
  number: ["number", "integer"],
  money: ["number", "integer", "string"],
  percent: ["number", "integer"],
  date: ["string"],
  datetime: ["string"],
  boolean: ["boolean"],
  enum: ["string", "number", "integer", "boolean"],
  email: ["string"],
  phone: ["string", "integer"],
  url: ["string"],
  masked: ["string", "number", "integer"],
  list: ["array"],
};

/** What type of value a format is for, in words, or undefined where `schema` fits it. */
export function misfit(format: Format, schema: JsonSchema): string | undefined {
  const types = fitting[format];
  const type = typeOf(schema);
  return types === undefined || type === undefined || types.includes(type) ? undefined : types.join(" or ");
}

/** Every format there is. */
export const formats: readonly Format[] = [
  "text",
  "multiline",
  "number",
  "money",
  "percent",
  "date",
  "datetime",
  "boolean",
  "enum",
  "email",
  "phone",
  "url",
  "masked",
  "list",
  "json",
];
