import type { Card } from "@countersign/core/card";
import type { CardCommands, SessionEnd } from "./answer.ts";
import type { Trusts } from "./press.ts";
import type { Timers } from "./timers.ts";
import type { Decision } from "./view.ts";

/** What a host knows and hands to the card; every member may change later through `sync`. */
export type CardInputs = CardCommands & {
  /** Undefined while loading, null where there is no write. */
  readonly card?: Card | null | undefined;
  /** When the server said so, RFC 3339. Without it the card neither counts down nor expires by itself. */
  readonly serverTime?: string | undefined;
  /** Default: true. */
  readonly online?: boolean | undefined;
  /** False while `card` is remembered, not heard: it is shown, and nothing is live. Default: true. */
  readonly fresh?: boolean | undefined;
  /** Why the session ended, once it did. */
  readonly ended?: SessionEnd | null | undefined;
  /** A decision that another card of the same session is sending. */
  readonly deciding?: Decision | null | undefined;
};

/** How the card behaves, fixed when it is made. */
export type ReviewCardOptions = CardInputs & {
  /** How long the buttons must have been in view before a press counts, in milliseconds. Default: 500. */
  readonly armDelayMs?: number | undefined;
  readonly timers?: Timers | undefined;
  /** Whether a press was made by a person. Tests that press by script bring their own. Default: what the browser says. */
  readonly trusts?: Trusts | undefined;
};
