import type { Issue } from "../base/schema.ts";
import type { Card, WriteState } from "../card/model.ts";
import type { Level } from "../tool/outcome.ts";

/** Why a session of a card ended. */
export type SessionEnd = "expired" | "customer_changed" | "signed_out";

/** Facts of a refusal that do not depend on where it is told. */
type Facts =
  | { readonly refused: "not_found" }
  | { readonly refused: "unknown_tool" }
  | { readonly refused: "invalid_arguments"; readonly issues: readonly Issue[] }
  | { readonly refused: "write_in_progress"; readonly writeId: string; readonly state: WriteState }
  | { readonly refused: "verification_required"; readonly level: Level; readonly maxAuthAgeSeconds?: number }
  | { readonly refused: "preview_failed"; readonly message: string }
  | { readonly refused: "preview_unavailable" }
  | { readonly refused: "tool_failed"; readonly message?: string }
  | { readonly refused: "tool_timed_out" }
  | { readonly refused: "recently_declined"; readonly writeId: string; readonly retryAfterSeconds: number }
  | { readonly refused: "rate_limited"; readonly retryAfterSeconds: number }
  | { readonly refused: "idempotency_key_reused" }
  | { readonly refused: "call_in_progress" }
  | { readonly refused: "session_ended"; readonly reason: SessionEnd }
  | { readonly refused: "edit_not_allowed"; readonly issues: readonly Issue[] }
  | { readonly refused: "not_extendable" }
  | { readonly refused: "not_undoable" }
  | { readonly refused: "not_resolvable"; readonly state: WriteState }
  | { readonly refused: "not_checkable"; readonly tool: string }
  | { readonly refused: "check_in_progress"; readonly writeId: string }
  | { readonly refused: "unfinished_writes"; readonly writeIds: readonly string[] }
  | { readonly refused: "unknown_channel" }
  /** A write of this risk is never asked where the customer is. */
  | { readonly refused: "surface_unsupported" }
  /** The customer's chat cannot show it whole. */
  | {
      readonly refused: "confirmation_too_long";
      readonly part: "prompt" | "details" | "label";
      readonly limit: number;
      readonly length: number;
      readonly unit: "characters" | "bytes" | "lines" | "messages";
    }
  | { readonly refused: "invalid_verification"; readonly issues: readonly Issue[] };

/** Refusals of a decision or an edit: the truth is in the card that comes with it on a customer's surface. */
export type DecisionRefusal = {
  readonly refused: "stale_version" | "drifted" | "already_decided" | "expired" | "withdrawn" | "superseded";
};

/** Why a correct program's request changed nothing: a literal code and facts, no sentence. */
export type Refusal = Facts | (DecisionRefusal & { readonly card?: Card });

/** True when an answer is a refusal. */
export function isRefusal(answer: object): answer is Refusal {
  return "refused" in answer;
}
