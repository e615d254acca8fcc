import type { Json } from "../base/json.ts";
import type { WriteState } from "../card/model.ts";

/** What an agent (and so a model) may see of a write. Times are RFC 3339 UTC. */
export type AgentWrite = {
  readonly id: string;
  readonly conversationId: string;
  readonly tool: string;
  readonly state: WriteState;
  readonly version: number;
  readonly seq: number;
  /** One plain sentence that is safe to relay to the customer. */
  readonly message: string;
  /** The handler's result, once applied. */
  readonly result: Json;
  readonly changedByCustomer: readonly {
    readonly label: string;
    readonly from: string | null;
    readonly to: string | null;
  }[];
  /** Why the customer could not be shown the write, or null. */
  readonly undelivered: string | null;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly decidedAt: string | null;
  readonly settledAt: string | null;
};

/** What an operator sees of a write. */
export type OperatorWrite = AgentWrite & {
  readonly digest: string;
  readonly surface: string | null;
  readonly attempts: number;
  readonly checks: number;
  readonly nextCheckAt: string | null;
  readonly needsAttention: boolean;
  readonly reason: string | null;
  readonly operationRef: string | null;
  readonly customerRef: string | null;
};

/** One event as an operator exports it. */
export type ExportedEvent = {
  readonly writeId: string;
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly v: number;
  readonly by: { readonly kind: string; readonly ref: string | null };
  readonly body: { readonly [name: string]: Json };
  readonly commits: { readonly [name: string]: string };
  readonly prev: string;
  readonly hash: string;
  /** What the commits commit to; missing where erased. */
  readonly plain?: {
    readonly salt: string;
    readonly args?: Json;
    readonly card?: Json;
    readonly plan?: Json;
    readonly outcome?: Json;
  };
};

/** A write's whole journal; `head` is the hash of its last event. */
export type ExportedJournal = {
  readonly writeId: string;
  readonly head: string;
  readonly events: readonly ExportedEvent[];
};
