import type { AgentWrite } from "./views.ts";

/** What a host is told of a write that was decided or settled, as of one event of its journal. */
export type OutcomeWrite = AgentWrite & {
  readonly digest: string;
  /** Hash of the journal's event `seq`: kept outside, it proves later that nothing was cut off or rewritten. */
  readonly head: string;
  /** Where the decision was taken; null without one. */
  readonly surface: string | null;
  /** Why a write was superseded or withdrawn. */
  readonly reason: string | null;
  /** True when a person has to look. */
  readonly needsAttention: boolean;
};

/** One telling: the same `id` at every attempt, so that a receiver can drop repeats. */
export type OutcomeNotice = {
  readonly id: string;
  /** When it happened, RFC 3339 UTC. */
  readonly timestamp: string;
  readonly write: OutcomeWrite;
};

/** How a receiver wants to be told after an attempt that failed: after this many milliseconds at the least, or never again. */
export type ReceiverAnswer =
  | { readonly kind: "received" }
  | { readonly kind: "retry"; readonly afterMs?: number }
  | { readonly kind: "gone" };

/**
 * Somebody who is told of outcomes: at least once each, those of one write in order. A rejection is a `retry`; so is no answer
 * within 15 s, when `signal` is aborted.
 */
export type Receiver = {
  /** Unlike any other receiver's and the same after a restart: what is still to be told is kept under it. No secret. */
  readonly name: string;
  receive(notice: OutcomeNotice, signal: AbortSignal): Promise<ReceiverAnswer>;
};
