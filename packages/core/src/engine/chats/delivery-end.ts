import type { Instant } from "../../base/clock.ts";

/** What became of one attempt at a delivery: over, or to be taken again, with another body where one is given. */
export type DeliveryEnd = "over" | { readonly againAt: Instant; readonly body?: string };
