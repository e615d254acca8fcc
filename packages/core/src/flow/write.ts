import type { Instant } from "../base/clock.ts";
import type { Json, JsonObject } from "../base/json.ts";
import type { FrozenCard, WriteState } from "../card/model.ts";
import type { Level } from "../tool/outcome.ts";
import type { CheckedPlan, Target } from "../tool/plan.ts";
import type { By, Surface, UndeliveredReason } from "./events.ts";
import type { Principal } from "./principal.ts";

/** A decision that was taken: for one version and digest, on one surface. */
export type Decision = {
  readonly kind: "confirm" | "decline";
  readonly at: Instant;
  readonly version: number;
  readonly digest: string;
  readonly surface: Surface;
};

/** What is known of a run that was started. */
type Ran = {
  /** Null for a tool that needs no confirmation. */
  readonly decision: Decision | null;
  readonly attempt: number;
};

type Checked = {
  readonly checks: number;
  readonly nextCheckAt: Instant | null;
  readonly operationRef: string | null;
  readonly message: string | null;
};

type Standing =
  | { readonly state: "proposed" }
  | (Ran & { readonly state: "running"; readonly leaseUntil: Instant; readonly checks: number })
  | (Ran & {
      readonly state: "awaiting_verification";
      readonly stepUp: {
        readonly level: Level | null;
        readonly maxAuthAgeSeconds: number | null;
        readonly askedAt: Instant;
      };
      readonly until: Instant;
    })
  | (Ran & Checked & { readonly state: "pending" | "unknown"; readonly settledAt: Instant })
  | (Ran & {
      readonly state: "applied";
      readonly settledAt: Instant;
      readonly result: Json;
      readonly valueWithheld: boolean;
    })
  | (Ran & { readonly state: "not_applied"; readonly settledAt: Instant; readonly message: string | null })
  | { readonly state: "declined"; readonly decision: Decision }
  | {
      readonly state: "expired" | "withdrawn" | "superseded";
      readonly endedAt: Instant;
      readonly reason: string | null;
    };

/** One proposed change and its whole life so far, folded from its journal. */
export type Write = {
  readonly id: string;
  readonly conversationId: string;
  readonly seq: number;
  /** Hash of the last event. */
  readonly head: string;
  readonly version: number;
  readonly digest: string;
  readonly tool: string;
  readonly toolVersion: string;
  readonly principal: Principal;
  readonly targets: readonly Target[];
  readonly argsCommit: string;
  /** Salt of the current version's commits; undefined once erased. */
  readonly salt: string | undefined;
  readonly proposedBy: By;
  readonly surface: Surface;
  readonly confirmation: "required" | "none";
  readonly whilePending: "block" | "allow";
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly extensions: number;
  /** How many runs were started so far, whatever became of them: the number of the latest attempt. */
  readonly attempts: number;
  /** How often the customer was asked to verify so far. */
  readonly stepUps: number;
  /** What a person has to look at although the state is final: evidence that contradicts it. */
  readonly contradicted: boolean;
  /** Why the current version did not reach the customer's chat; null where it did, or was not meant to. */
  readonly undelivered: UndeliveredReason | null;
  /** The write's own idempotency key; undefined once erased. */
  readonly idempotencyKey: string | undefined;
  /** Arguments and card of the current version; undefined once erased. */
  readonly args: JsonObject | undefined;
  readonly card: FrozenCard | undefined;
  /** What the preview found for the current version; undefined without one, and once erased. */
  readonly plan: CheckedPlan | undefined;
  /** The card as first proposed, and the one before the current, for telling what changed. */
  readonly firstCard: FrozenCard | undefined;
  readonly previous: { readonly card: FrozenCard | undefined; readonly by: "customer" | "drift" } | undefined;
} & Standing;

/** The write, known to be in one of these states. */
export type WriteIn<State extends Write["state"]> = Extract<Write, { readonly state: State }>;

/** True while the write blocks other writes of its conversation. */
export function isOpen(write: Write): boolean {
  switch (write.state) {
    case "proposed":
    case "running":
    case "awaiting_verification":
    case "unknown":
      return true;
    case "pending":
      return write.whilePending === "block";
    default:
      return false;
  }
}

/** True for states that never change again. */
export function isFinalState(state: WriteState): boolean {
  return !["proposed", "running", "awaiting_verification", "pending", "unknown"].includes(state);
}

/** True for writes whose state never changes again. */
export function isFinal(write: Write): boolean {
  return isFinalState(write.state);
}
