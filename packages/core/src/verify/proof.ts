import type { Json } from "../base/json.ts";

/** One thing that does not hold in an exported journal. */
export type ProofFault = {
  /** Number of the event it was found at, counted as it should be; null where the journal as a whole is meant. */
  readonly seq: number | null;
  /** The member that does not hold, such as `hash`, `body.digest` or `plain.args`. */
  readonly what: string;
  /** What is wrong with it, in words that hold no value of the journal except ids, numbers and hashes. */
  readonly problem: string;
};

/** One version of the write: what was shown, bound by its digest. */
export type ProvenVersion = {
  readonly version: number;
  readonly seq: number;
  readonly digest: string;
  readonly tool: string;
  readonly toolVersion: string;
  /** What would run; missing where erased. */
  readonly args?: Json;
  /** What was on the card; missing where erased. */
  readonly card?: Json;
};

/** The decision that stood at the end; `at` in milliseconds since 1970, as the server's clock had it. */
export type ProvenDecision = {
  readonly kind: "confirmed" | "declined";
  readonly seq: number;
  readonly version: number;
  readonly digest: string;
  readonly surface: string;
  readonly at: number;
};

/** One start of the handler, with the arguments of the version it names. */
export type ProvenRun = { readonly seq: number; readonly attempt: number; readonly version: number };

/** Where the head that was given stands: at the last event, or at an earlier one that `since` more have followed. */
export type Anchor = { readonly seq: number; readonly since: number };

/** What verifying an exported journal came to. */
export type JournalProof =
  | {
      readonly ok: true;
      readonly writeId: string;
      /** Hash of the last event: keep it outside, and a tail that is cut off later is noticed. */
      readonly head: string;
      /** How many events there are. */
      readonly events: number;
      /** Where the write stands after the last event. */
      readonly state: string;
      readonly versions: readonly ProvenVersion[];
      /** Null while nobody decided, and where a newer version has made the decision void. */
      readonly decision: ProvenDecision | null;
      /** False for a tool that runs without asking. */
      readonly confirmationRequired: boolean;
      readonly runs: readonly ProvenRun[];
      /** How many later findings said otherwise than what had been recorded. */
      readonly contradictions: number;
      /** The events whose plain values are gone: their commits stand, what they commit to cannot be seen any more. */
      readonly erased: readonly number[];
      /** Null where no head was given: then a missing tail goes unnoticed. */
      readonly anchor: Anchor | null;
    }
  | { readonly ok: false; readonly faults: readonly [ProofFault, ...ProofFault[]] };

/** Notes a fault. */
export type Note = (seq: number | null, what: string, problem: string) => void;
