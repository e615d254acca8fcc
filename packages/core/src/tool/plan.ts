import type { Instant } from "../base/clock.ts";
import type { Json, JsonObject } from "../base/json.ts";
import type { Format, Text } from "./presentation.ts";

/** A thing in the world that a write touches, and its version as the preview saw it (`absent` for one to be made). */
export type Target = { readonly type: string; readonly id: string; readonly version: string };

/**
 * How far a number may differ from the one the customer saw without being shown anew, up or down: by an amount, by a share of
 * it (0.05 is 5 %), or by an amount for each second since.
 */
export type Tolerance =
  | { readonly absolute: number }
  | { readonly relative: number }
  | { readonly perSecond: number };

/** One value that the write changes. */
export type PlanEffect = {
  /** The author's own word for what happens, such as `status` or `charge`. */
  readonly type: string;
  /** `id` of the target it happens to. */
  readonly target?: string;
  readonly label: Text;
  /** Null: nothing stands there. */
  readonly before: Json;
  readonly after: Json;
  /** Default: by the kind of value. */
  readonly format?: Format;
  /** Money: an ISO 4217 code. */
  readonly currency?: string;
  /** Money: what the number counts. Default: minor units. */
  readonly unit?: "minor" | "major";
  /** Only where `after` is a number. Default: none, so any other value is shown anew. */
  readonly tolerance?: Tolerance;
};

/** What a preview found the write would do. Every member may be left out. */
export type Plan = {
  /** True: the world is already as the write wants it. Nothing is stored and nobody is asked. */
  readonly noop?: boolean;
  readonly targets?: readonly Target[];
  readonly effects?: readonly PlanEffect[];
  readonly counts?: { readonly add: number; readonly change: number; readonly remove: number };
  /** Names of what is affected, where it is many. */
  readonly items?: readonly string[];
  readonly warnings?: readonly Text[];
  /** Stands in place of what the presentation says. */
  readonly reversible?: boolean;
  /** Names of the checks that passed. */
  readonly checks?: readonly string[];
  /** What the result will look like: what is known of it, and pointers to what only the provider will know. */
  readonly expected?: {
    readonly responseType: string;
    readonly projected: JsonObject;
    readonly serverAssigned: readonly string[];
  };
};

/** A plan that was checked, as it is stored with its version and given to the handler: plain JSON. */
export type CheckedPlan = {
  readonly targets: readonly Target[];
  readonly effects: readonly PlanEffect[];
  readonly counts: { readonly add: number; readonly change: number; readonly remove: number } | null;
  readonly items: readonly string[];
  readonly warnings: readonly Text[];
  readonly reversible: boolean | null;
  readonly checks: readonly string[];
  readonly expected: NonNullable<Plan["expected"]> | null;
  /** When it was made, and for how many seconds its version was to stand: what `perSecond` counts from and up to. */
  readonly madeAt: Instant;
  readonly validSeconds: number;
};
