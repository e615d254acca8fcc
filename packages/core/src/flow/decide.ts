import type { Instant } from "../base/clock.ts";
import type { By, DraftPlain, Surface } from "./events.ts";
import { type Lead, leadEvent } from "./propose.ts";
import { happen, type Ruling, refuse, repeat, whyClosed } from "./ruling.ts";
import type { Write } from "./write.ts";

/** The principal's yes to one version and digest. */
export type Confirm = {
  readonly type: "confirm";
  readonly at: Instant;
  readonly by: By;
  readonly surface: Surface;
  readonly version: number;
  readonly digest: string;
  readonly lead: Lead;
};

/** The principal's no; one to an old version is as good. */
export type Decline = {
  readonly type: "decline";
  readonly at: Instant;
  readonly by: By;
  readonly surface: Surface;
};

/** The agent (or an operator who dismissed the question) takes the proposal back. `reason` is committed to, not journaled. */
export type Withdraw = {
  readonly type: "withdraw";
  readonly at: Instant;
  readonly by: By;
  readonly reason: DraftPlain | undefined;
};

/** Time is up for a decision. */
export type Expire = { readonly type: "expire"; readonly at: Instant };

/** A confirm counts for the current version and digest only, until the instant of expiry. */
export function confirm(write: Write, command: Confirm): Ruling {
  if (write.state !== "proposed") {
    const decision = "decision" in write ? write.decision : null;
    const same =
      decision?.kind === "confirm" &&
      decision.version === command.version &&
      decision.digest === command.digest;
    return same ? repeat : refuse({ refused: whyClosed(write) });
  }
  if (command.at >= write.expiresAt) return refuse({ refused: "expired" });
  if (command.version !== write.version || command.digest !== write.digest)
    return refuse({ refused: "stale_version" });
  const { version, digest, argsCommit } = write;
  return happen(
    { type: "confirmed", by: command.by, body: { version, digest, surface: command.surface } },
    leadEvent(command.lead, { version, attempt: write.attempts + 1, argsCommit }),
  );
}

/** A decline counts until something was applied or may have been. */
export function decline(write: Write, command: Decline): Ruling {
  if (write.state === "declined") return repeat;
  if (write.state !== "proposed" && write.state !== "awaiting_verification")
    return refuse({ refused: whyClosed(write) });
  if (write.state === "proposed" && command.at >= write.expiresAt) return refuse({ refused: "expired" });
  const { version, digest } = write;
  return happen({ type: "declined", by: command.by, body: { version, digest, surface: command.surface } });
}

/** Only what nobody decided yet can be taken back. */
export function withdraw(write: Write, command: Withdraw): Ruling {
  if (write.state === "withdrawn") return repeat;
  if (write.state !== "proposed") return refuse({ refused: whyClosed(write) });
  if (command.at >= write.expiresAt) return refuse({ refused: "expired" });
  return happen({
    type: "withdrawn",
    by: command.by,
    body: { version: write.version },
    ...(command.reason && { plain: command.reason }),
  });
}

/** Expires a proposal from its very last instant on. */
export function expire(write: Write, command: Expire): Ruling {
  if (write.state !== "proposed" || command.at < write.expiresAt)
    return refuse({ refused: "already_decided" });
  return happen({ type: "expired", by: { kind: "system", ref: null }, body: { version: write.version } });
}
