import type { JsonObject } from "./json.ts";
import type { Pointer } from "./pointer.ts";
import { pointerOf } from "./pointer.ts";

type PathSegment = PropertyKey | { readonly key: PropertyKey };

type SchemaIssue = { readonly message: string; readonly path?: readonly PathSegment[] | undefined };

type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/**
 * A schema of any library that follows Standard Schema and can give its JSON Schema (standardschema.dev, read
 * November 2026): zod 4.2 and later, ArkType 2.1.28 and later, Valibot with its JSON Schema package.
 */
export type ToolSchema<Input = unknown, Output = Input> = {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
      readonly output: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
    };
  };
};

/** One thing that is wrong with an argument, and where. */
export type Issue = { readonly pointer: Pointer; readonly message: string };

/** A JSON Schema (draft 2020-12) document. */
export type JsonSchema = JsonObject;

/** Parses with any Standard Schema and answers with the value or with what is wrong where. */
export async function parseWith<Output>(
  schema: ToolSchema<unknown, Output>,
  value: unknown,
): Promise<{ readonly value: Output } | { readonly issues: readonly Issue[] }> {
  const result = await schema["~standard"].validate(value);
  if (!result.issues) return { value: result.value };
  return {
    issues: result.issues.map(({ path = [], message }) => ({
      pointer: pointerOf(path.map((step) => String(typeof step === "object" ? step.key : step))),
      message,
    })),
  };
}
