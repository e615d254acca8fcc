import type { Json } from "../base/json.ts";
import type { Pointer } from "../base/pointer.ts";
import type { Format } from "../tool/presentation.ts";

/** Where a write stands. */
export type WriteState =
  | "proposed"
  | "running"
  | "awaiting_verification"
  | "pending"
  | "unknown"
  | "applied"
  | "not_applied"
  | "declined"
  | "expired"
  | "withdrawn"
  | "superseded";

/** What an editable field accepts; null where there is no limit. */
export type FieldInput = {
  readonly type: "string" | "number" | "integer" | "boolean";
  readonly required: boolean;
  readonly minLength: number | null;
  readonly maxLength: number | null;
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly pattern: string | null;
  readonly options: readonly { readonly value: string | number | boolean; readonly label: string }[] | null;
};

/** One labelled value that is sent. `display` is plain text, with invisible characters already made visible. */
export type CardField = {
  readonly argument: Pointer;
  readonly label: string;
  readonly format: Format;
  /** Missing for a masked field that is not editable; null where the argument is absent. */
  readonly value?: Json;
  readonly display: string;
  /** Lists: each item's text. */
  readonly items?: readonly string[];
  /** Money: the ISO 4217 code and how many decimal digits of it `value` counts in (0: major units). */
  readonly currency?: string;
  readonly minorDigits?: number;
  readonly help?: string;
} & ({ readonly editable: false } | { readonly editable: true; readonly input: FieldInput });

/** An argument that has no row of its own: reachable under More details, or named there without value. */
export type CardDetail = {
  readonly argument: Pointer;
  readonly label: string;
  /** Null when omitted. */
  readonly display: string | null;
  readonly omitted: boolean;
};

/** What changes in the world, in words. */
export type CardEffect = {
  readonly label: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly tolerance?: string;
};

/** The part of a card that is composed once per version, stored, and bound by the digest. */
export type FrozenCard = {
  readonly tool: string;
  readonly risk: "low" | "standard" | "high";
  readonly locale: string;
  readonly timeZone: string;
  readonly title: string;
  readonly description: string | null;
  readonly fields: readonly CardField[];
  readonly details: readonly CardDetail[];
  readonly effects: readonly CardEffect[];
  readonly warnings: readonly string[];
  readonly reversible: boolean | null;
  readonly confirmLabel: string;
  readonly declineLabel: string;
};

/** What happened, as told to the customer; made from the journal only. */
export type Receipt = {
  readonly outcome: "applied" | "not_applied" | "pending" | "unknown" | "declined";
  readonly title: string;
  readonly message: string | null;
  readonly fields: readonly { readonly label: string; readonly display: string }[];
  readonly settledAt: string | null;
  /** The write's id. */
  readonly reference: string;
  readonly undo: { readonly label: string; readonly note: string | null } | null;
};

/** A value that differs from what the customer saw in the version before. */
export type CardChange = {
  readonly label: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly by: "customer" | "drift";
};

/** What a customer sees of one write: the frozen card of its version, and how the write stands. Times are RFC 3339 UTC. */
export type Card = FrozenCard & {
  readonly writeId: string;
  readonly version: number;
  readonly seq: number;
  readonly digest: string;
  readonly state: WriteState;
  /** Why a write was superseded or withdrawn. */
  readonly reason: string | null;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly canExtend: boolean;
  readonly decidedAt: string | null;
  /** Unknown or pending: when the next automatic status check is due, if there is one. */
  readonly nextCheckAt: string | null;
  readonly stepUp?: {
    readonly level: "low" | "standard" | "high" | null;
    readonly maxAuthAgeSeconds: number | null;
    readonly until: string;
    readonly verifyUrl: string | null;
  };
  readonly changes: readonly CardChange[];
  readonly receipt: Receipt | null;
};
