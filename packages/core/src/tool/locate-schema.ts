import type { Json, JsonObject } from "../base/json.ts";
import { isPlainObject } from "../base/json.ts";
import type { Pointer } from "../base/pointer.ts";
import { getAt, pathOf, pointerOf } from "../base/pointer.ts";
import type { JsonSchema } from "../base/schema.ts";

/** A place in a JSON Schema: what stands there, and whether an object that is valid must have it. */
export type SchemaPlace = { readonly schema: JsonSchema; readonly required: boolean };

const asSchema = (value: Json | undefined): JsonSchema | undefined =>
  isPlainObject(value) ? (value as JsonObject) : undefined;

function asSchemas(value: Json | undefined): readonly JsonSchema[] {
  return Array.isArray(value)
    ? value.map((item: Json) => asSchema(item)).filter((item) => item !== undefined)
    : [];
}

const isNull = (schema: JsonSchema): boolean => schema.type === "null" || schema.const === null;

// What a reference points at, with the members beside it (draft 2020-12 lets both apply). Circles end at the 20th step.
function follow(root: JsonSchema, schema: JsonSchema): JsonSchema {
  let at = schema;
  for (let step = 0; step < 20 && typeof at.$ref === "string"; step += 1) {
    const { $ref: ref, ...beside } = at;
    let fragment: string;
    try {
      fragment = decodeURIComponent(String(ref));
    } catch {
      return beside;
    }
    const target =
      fragment === "#" || fragment.startsWith("#/") ? asSchema(getAt(root, fragment.slice(1))) : undefined;
    at = { ...target, ...beside };
  }
  return at;
}

/** The schema with local references followed and "or null" taken off. `nullable` says that there was one. */
export function openSchema(root: JsonSchema, schema: JsonSchema): { schema: JsonSchema; nullable: boolean } {
  const at = follow(root, schema);
  const word = Array.isArray(at.anyOf) ? "anyOf" : Array.isArray(at.oneOf) ? "oneOf" : undefined;
  const choices = word === undefined ? [] : asSchemas(at[word]).map((choice) => follow(root, choice));
  const rest = choices.filter((choice) => !isNull(choice));
  if (word !== undefined && rest.length === 1 && rest[0]) {
    const { [word]: _choices, ...beside } = at;
    const inner = openSchema(root, rest[0]);
    return {
      schema: { ...inner.schema, ...beside },
      nullable: inner.nullable || rest.length < choices.length,
    };
  }
  const type = at.type;
  if (Array.isArray(type) && type.includes("null")) {
    const types = type.filter((name: Json) => name !== "null");
    return { schema: { ...at, type: types.length === 1 ? (types[0] as Json) : types }, nullable: true };
  }
  return { schema: at, nullable: false };
}

// The schema itself and every branch of it, in the order in which they are written.
function branches(root: JsonSchema, schema: JsonSchema, depth = 0): readonly JsonSchema[] {
  const at = openSchema(root, schema).schema;
  if (depth > 8) return [at];
  const below = ["allOf", "anyOf", "oneOf"].flatMap((word) => asSchemas(at[word]));
  return [at, ...below.flatMap((branch) => branches(root, branch, depth + 1))];
}

function childOf(root: JsonSchema, schema: JsonSchema, token: string): SchemaPlace | undefined {
  for (const branch of branches(root, schema)) {
    const properties = asSchema(branch.properties);
    const property = properties && Object.hasOwn(properties, token) ? asSchema(properties[token]) : undefined;
    if (property) {
      const required = branch.required;
      return { schema: property, required: Array.isArray(required) && required.includes(token) };
    }
    if (/^(0|[1-9]\d*)$/.test(token)) {
      const item = asSchemas(branch.prefixItems)[Number(token)] ?? asSchema(branch.items);
      if (item) return { schema: item, required: false };
    }
  }
  return undefined;
}

/** Finds the schema of the value at `pointer`, opened; undefined where the schema declares no such place. */
export function locate(
  root: JsonSchema,
  pointer: Pointer,
): (SchemaPlace & { readonly nullable: boolean }) | undefined {
  let at: SchemaPlace = { schema: root, required: true };
  for (const token of pathOf(pointer)) {
    const child = childOf(root, at.schema, token);
    if (!child) return undefined;
    at = { schema: child.schema, required: at.required && child.required };
  }
  return { ...openSchema(root, at.schema), required: at.required };
}

/** The names of an object's declared members, in the order in which the schema writes them. */
export function memberNames(root: JsonSchema, schema: JsonSchema): readonly string[] {
  const names = branches(root, schema).flatMap((branch) => Object.keys(asSchema(branch.properties) ?? {}));
  return [...new Set(names)];
}

/** The pointers of everything an object schema declares down to leaves, at most `depth` levels deep. */
export function declaredPointers(root: JsonSchema, depth = 4): readonly Pointer[] {
  const walk = (schema: JsonSchema, path: readonly string[]): readonly Pointer[] =>
    memberNames(root, schema).flatMap((name) => {
      const child = childOf(root, schema, name);
      const here = [...path, name];
      return [pointerOf(here), ...(child && here.length < depth ? walk(child.schema, here) : [])];
    });
  return walk(root, []);
}
