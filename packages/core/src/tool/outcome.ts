import { ConfigurationError } from "../base/errors.ts";
import type { Json } from "../base/json.ts";
import { isPrintableAscii } from "../base/text.ts";

/** How sure a customer's sign-in is. */
export type Level = "low" | "standard" | "high";

// A registered symbol, so that two copies of this package in one process agree on what an outcome is.
const tag: unique symbol = Symbol.for("countersign.outcome") as never;

/** The change happened; `value` is the result. */
export type Applied<Value> = { readonly [tag]: "applied"; readonly value: Value };
/** The provider certainly did not make the change. */
export type Rejected = {
  readonly [tag]: "rejected";
  readonly message: string;
  readonly status?: number;
  readonly code?: string;
  readonly body?: Json;
};
/** The provider took the change and has not finished it. */
export type Pending = { readonly [tag]: "pending"; readonly operationRef: string; readonly message?: string };
/** Nothing was applied; the customer has to verify first. */
export type StepUpRequired = {
  readonly [tag]: "step_up_required";
  readonly level?: Level;
  readonly maxAuthAgeSeconds?: number;
};

/** What a handler or a status check may report in place of a bare value. */
export type Outcome<Value> = Applied<Value> | Rejected | Pending | StepUpRequired;

/** Says that the change happened. A handler may also just return the value; a status check must use this. */
export function applied<Value>(value: Value): Applied<Value> {
  return { [tag]: "applied", value };
}

/** Says that nothing was changed. Only when certain: when in doubt, throw. `message` reaches the customer and the agent. */
export function rejected(
  message: string,
  facts: { readonly status?: number; readonly code?: string; readonly body?: Json } = {},
): Rejected {
  return { [tag]: "rejected", message, ...facts };
}

/** A reference that could not be kept and asked for again. */
export class OperationRefError extends ConfigurationError {
  override readonly name: string = "OperationRefError";
}

/** True for 1 to 256 printable ASCII characters. */
export function isOperationRef(value: unknown): value is string {
  return typeof value === "string" && isPrintableAscii(value, 256);
}

/**
 * Says that the provider took the change and has not finished it.
 *
 * `operationRef` is your reference for it, 1 to 256 printable ASCII characters; it is kept for status checks and never
 * shown to a model. Throws on another reference, so that the write becomes `unknown` and not silently untraceable.
 */
export function pending(operationRef: string, message?: string): Pending {
  if (!isOperationRef(operationRef)) {
    throw new OperationRefError(
      "pending(operationRef): use 1 to 256 printable ASCII characters, such as the provider's id",
    );
  }
  return { [tag]: "pending", operationRef, ...(message === undefined ? {} : { message }) };
}

/** Says that nothing was applied and the customer has to verify at `level`, within the last `maxAuthAgeSeconds` (0 to 86 400). */
export function stepUpRequired(need: {
  readonly level?: Level;
  readonly maxAuthAgeSeconds?: number;
}): StepUpRequired {
  const { maxAuthAgeSeconds: age, level } = need;
  if (age !== undefined && !(Number.isInteger(age) && age >= 0 && age <= 86_400)) {
    throw new ConfigurationError("stepUpRequired: maxAuthAgeSeconds is a whole number from 0 to 86400");
  }
  if (level !== undefined && !["low", "standard", "high"].includes(level)) {
    throw new ConfigurationError('stepUpRequired: level is "low", "standard" or "high"');
  }
  return { [tag]: "step_up_required", ...need };
}

/** The outcome's kind, or undefined for a bare value, such as one that throws when it is looked at. */
export function outcomeKind(value: unknown): Outcome<unknown>[typeof tag] | undefined {
  try {
    return typeof value === "object" && value !== null && tag in value
      ? (value as Outcome<unknown>)[tag]
      : undefined;
  } catch {
    return undefined;
  }
}

/** The message of a rejection or pending outcome; undefined where an author gave something that is no text. */
export function messageOf({ message }: { readonly message?: unknown }): string | undefined {
  return typeof message === "string" ? message : undefined;
}

/** True when a handler or status check returned an outcome and not a bare value. */
export function isOutcome(value: unknown): value is Outcome<unknown> {
  return outcomeKind(value) !== undefined;
}
