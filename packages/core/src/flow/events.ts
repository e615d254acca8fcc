import type { Instant } from "../base/clock.ts";
import type { Json, JsonObject } from "../base/json.ts";
import type { FrozenCard } from "../card/model.ts";
import type { Level } from "../tool/outcome.ts";
import type { CheckedPlan, Target } from "../tool/plan.ts";
import type { Principal } from "./principal.ts";

/** Where a person decides. */
export type Surface = "web" | "whatsapp" | "messenger" | "instagram" | "mcp" | "cli";

/** Who caused an event. `ref`: an api key's name, a customer ref, an operator's name; null where nobody is named. */
export type By = {
  readonly kind: "agent" | "customer" | "host" | "operator" | "system";
  readonly ref: string | null;
};

type VersionBody = {
  readonly version: number;
  readonly digest: string;
  readonly tool: string;
  readonly toolVersion: string;
  readonly principal: Principal;
  readonly targets: readonly Target[];
  readonly expiresAt: Instant;
};

type DecisionBody = { readonly version: number; readonly digest: string; readonly surface: Surface };

/** Why an outcome is what it is, beyond what the handler said itself. */
export type SettleReason =
  | "returned"
  | "threw"
  | "timed_out"
  | "lease_ended"
  | "status_check"
  | "operator_check"
  | "late_result"
  | "step_up_unmet"
  | "mode"
  | "stopped"
  /** The preview that is made again before a run refused, or found nothing left to do. */
  | "preview_rejected"
  | "noop"
  /** What the handler returned is no outcome, or names the operation in a way that cannot be traced. */
  | "invalid_outcome"
  | "invalid_operation_ref"
  /** Asked for a stronger sign-in where something may already have been changed. */
  | "step_up_after_write";

/** Why a version could not be shown in a chat: what the platform's answer means, or what stood in the way before it was asked. */
export type UndeliveredReason =
  | "window_closed"
  | "undeliverable"
  | "auth"
  | "bad_request"
  /** It could be sent later, but not before the time to decide is over. */
  | "out_of_time"
  | "confirmation_too_long"
  /** Never asked in a chat, because of its risk. */
  | "surface_unsupported";

/** Body of each event type. Bodies hold ids, commits and pointers, never values. */
export type EventBodies = {
  proposed: VersionBody & {
    readonly conversationId: string;
    readonly surface: Surface;
    readonly confirmation: "required" | "none";
    readonly whilePending: "block" | "allow";
    /** To the write's own key, which is never exported: whoever holds the key can prove that it is this one. */
    readonly keyCommit: string;
  };
  /** A chat platform took the prompt of this version. */
  presented: { readonly version: number; readonly account: string };
  undelivered: {
    readonly version: number;
    readonly account: string;
    readonly reason: UndeliveredReason;
    /** The platform's code, where it gave one. */
    readonly code: string | null;
  };
  edited: VersionBody & { readonly changed: readonly string[] };
  rebound: VersionBody;
  /** `not_previewed`: nobody could look, after a step-up; so the customer is asked anew. */
  drifted: VersionBody & { readonly reason: "changed" | "not_previewed" };
  extended: { readonly version: number; readonly expiresAt: Instant };
  confirmed: DecisionBody;
  declined: DecisionBody;
  withdrawn: { readonly version: number };
  expired: { readonly version: number };
  superseded: {
    readonly version: number;
    readonly reason: "customer_changed" | "signed_out" | "tool_changed";
  };
  started: {
    readonly attempt: number;
    readonly version: number;
    readonly argsCommit: string;
    readonly leaseUntil: Instant;
  };
  step_up_required: {
    readonly attempt: number;
    readonly round: number;
    readonly level: Level | null;
    readonly maxAuthAgeSeconds: number | null;
    readonly until: Instant;
  };
  verified: { readonly level: Level };
  settled: {
    readonly attempt: number;
    readonly outcome: "applied" | "not_applied" | "pending" | "unknown";
    readonly reason: SettleReason;
    /** True when the handler's value failed the output schema and was not kept. */
    readonly valueWithheld: boolean;
    readonly nextCheckAt: Instant | null;
  };
  checked: { readonly check: number; readonly answered: boolean; readonly nextCheckAt: Instant | null };
  /** The write's plain values were dropped for its customer's sake. */
  erased: { readonly version: number };
  resolved: { readonly attempt: number; readonly outcome: "applied" | "not_applied" };
  contradicted: { readonly attempt: number; readonly outcome: "applied" | "not_applied" | "pending" };
};

/** The name of what happened. */
export type EventType = keyof EventBodies;

/** What an outcome's commit commits to. */
export type OutcomePlain = {
  readonly result?: Json;
  readonly message?: string;
  readonly operationRef?: string;
  readonly note?: string;
};

/** What the commits of an event commit to, in the clear; undefined where erased. */
export type Plain = {
  readonly salt: string;
  readonly args?: JsonObject;
  readonly card?: FrozenCard;
  readonly plan?: CheckedPlan;
  readonly outcome?: OutcomePlain;
  readonly idempotencyKey?: string;
};

/** One event of a journal, read back. */
export type JournalEvent = {
  readonly [Type in EventType]: {
    readonly writeId: string;
    readonly seq: number;
    readonly at: Instant;
    readonly type: Type;
    readonly by: By;
    readonly body: EventBodies[Type];
    readonly commits: {
      readonly args?: string;
      readonly card?: string;
      readonly plan?: string;
      readonly outcome?: string;
    };
    readonly hash: string;
    readonly plain: Plain | undefined;
  };
}[EventType];

/** A value with its canonical text and commit, so that each is written and hashed once. */
export type Committed<Value> = { readonly value: Value; readonly text: string; readonly commit: string };

/** What goes into the erasable row of an event. */
export type DraftPlain = {
  readonly salt: string;
  readonly args?: Committed<JsonObject>;
  readonly card?: Committed<FrozenCard>;
  readonly plan?: Committed<CheckedPlan>;
  readonly outcome?: Committed<OutcomePlain>;
  readonly idempotencyKey?: string;
};

/** An event that was ruled but has no number and hash yet. */
export type DraftEvent = {
  readonly [Type in EventType]: {
    readonly type: Type;
    readonly by: By;
    readonly body: EventBodies[Type];
    readonly plain?: DraftPlain;
  };
}[EventType];
