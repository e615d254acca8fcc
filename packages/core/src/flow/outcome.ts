import type { Instant } from "../base/clock.ts";
import type { Json } from "../base/json.ts";
import type { Level } from "../tool/outcome.ts";
import { bindOutcome } from "./content.ts";
import type { By, DraftEvent, OutcomePlain, SettleReason } from "./events.ts";
import { happen, type Ruling, refuse, repeat } from "./ruling.ts";
import type { Write } from "./write.ts";

const system: By = { kind: "system", ref: null };

/** How often a customer may be asked to verify for one write. */
export const maxStepUps = 2;

/** How long a write waits for the customer to verify. */
export const stepUpWaitMs: number = 10 * 60_000;

/** What one run or status check of a write found out. */
export type Finding =
  | {
      readonly outcome: "applied";
      readonly plain: OutcomePlain;
      readonly valueWithheld: boolean;
      /** What is handed out once and no part of `plain`, by pointer. */
      readonly oneTime?: { readonly [pointer: string]: Json } | undefined;
    }
  | { readonly outcome: "not_applied"; readonly plain: OutcomePlain }
  | { readonly outcome: "pending"; readonly plain: OutcomePlain }
  | { readonly outcome: "unknown"; readonly reason?: SettleReason }
  | {
      readonly outcome: "step_up_required";
      readonly level: Level | null;
      readonly maxAuthAgeSeconds: number | null;
    };

/** The end of one attempt, or what a status check or a late result says of it. */
export type Settle = {
  readonly type: "settle";
  readonly at: Instant;
  readonly attempt: number;
  readonly reason: SettleReason;
  readonly finding: Finding;
  readonly salt: string;
  /** When the next status check is due if the outcome is pending or unknown; null: none will be made. */
  readonly nextCheckAt: Instant | null;
  /** Who had it asked; absent: nobody but the system. */
  readonly by?: By;
};

/** A person settles what nobody else could. */
export type Resolve = {
  readonly type: "resolve";
  readonly at: Instant;
  readonly by: By;
  readonly outcome: "applied" | "not_applied";
  readonly note: string;
  readonly salt: string;
};

/** A status check that found nothing out. */
export type Check = {
  readonly type: "check";
  readonly at: Instant;
  readonly nextCheckAt: Instant | null;
  /** A person who had it asked: then it is not one of the automatic checks, whose plan stays as it is. */
  readonly by?: By;
};

/** The `settled` event of a finding that says how it ended. */
export function settledEvent(
  finding: Exclude<Finding, { readonly outcome: "step_up_required" }>,
  how: Pick<Settle, "attempt" | "reason" | "salt" | "nextCheckAt" | "by">,
): DraftEvent {
  const { outcome } = finding;
  const waits = outcome === "pending" || outcome === "unknown";
  return {
    type: "settled",
    by: how.by ?? system,
    body: {
      attempt: how.attempt,
      outcome,
      reason: (outcome === "unknown" ? finding.reason : undefined) ?? how.reason,
      valueWithheld: outcome === "applied" && finding.valueWithheld,
      nextCheckAt: waits ? how.nextCheckAt : null,
    },
    ...(outcome !== "unknown" && { plain: bindOutcome(how.salt, finding.plain) }),
  };
}

/** True while a run follows one whose outcome is unknown: that this one changed nothing says nothing about the other. */
export function isRerun(write: Write): boolean {
  return write.state === "running" && write.checks > 0;
}

function stepUp(write: Write, command: Settle): Ruling {
  const { finding, attempt, at } = command;
  if (finding.outcome !== "step_up_required") return refuse({ refused: "already_decided" });
  if (isRerun(write)) return happen(settledEvent({ outcome: "unknown" }, command));
  if (write.stepUps >= maxStepUps) {
    return happen(
      settledEvent({ outcome: "not_applied", plain: {} }, { ...command, reason: "step_up_unmet" }),
    );
  }
  const { level, maxAuthAgeSeconds } = finding;
  const until = at + stepUpWaitMs;
  return happen({
    type: "step_up_required",
    by: system,
    body: { attempt, round: write.stepUps + 1, level, maxAuthAgeSeconds, until },
  });
}

/**
 * Records how an attempt ended. While it runs, anything counts. Once it is unknown or pending, a later finding of the
 * latest attempt is evidence and settles it; after a final state, evidence that differs is kept and flagged.
 */
export function settle(write: Write, command: Settle): Ruling {
  const { finding, attempt } = command;
  if (!("attempt" in write) || attempt > write.attempt) return refuse({ refused: "already_decided" });
  const latest = attempt === write.attempt;
  if (write.state === "running" && latest) {
    return finding.outcome === "step_up_required"
      ? stepUp(write, command)
      : happen(settledEvent(finding, command));
  }
  // "Verify first" or "no idea" after the fact proves nothing about what was recorded.
  if (finding.outcome === "step_up_required" || finding.outcome === "unknown") return repeat;
  if ((write.state === "unknown" || write.state === "pending") && latest)
    return happen(settledEvent(finding, command));
  if (write.state === finding.outcome) return repeat;
  return happen({
    type: "contradicted",
    by: command.by ?? system,
    body: { attempt, outcome: finding.outcome },
    // What comes in late for a write whose values were erased is not kept either.
    ...(write.salt !== undefined && { plain: bindOutcome(command.salt, finding.plain) }),
  });
}

/** Runs an unknown write once more under its own key: only where its tool says that this is safe. */
export type Rerun = { readonly type: "rerun"; readonly at: Instant; readonly leaseUntil: Instant };

/** Starts the next attempt of what is unknown, once it is due. */
export function rerun(write: Write, command: Rerun): Ruling {
  if (write.state !== "unknown" || write.nextCheckAt === null || command.at < write.nextCheckAt)
    return refuse({ refused: "already_decided" });
  const { version, argsCommit } = write;
  return happen({
    type: "started",
    by: system,
    body: { attempt: write.attempts + 1, version, argsCommit, leaseUntil: command.leaseUntil },
  });
}

/** The lease of a run ended and nobody said how it went. */
export function endLease(write: Write, at: Instant, salt: string, nextCheckAt: Instant | null): Ruling {
  if (write.state !== "running" || at < write.leaseUntil) return refuse({ refused: "already_decided" });
  const { attempt } = write;
  return happen(settledEvent({ outcome: "unknown" }, { attempt, reason: "lease_ended", salt, nextCheckAt }));
}

/** The customer did not verify in time: nothing was applied, for certain. */
export function endStepUp(write: Write, at: Instant, salt: string): Ruling {
  if (write.state !== "awaiting_verification" || at < write.until)
    return refuse({ refused: "already_decided" });
  const { attempt } = write;
  return happen(
    settledEvent(
      { outcome: "not_applied", plain: {} },
      { attempt, reason: "step_up_unmet", salt, nextCheckAt: null },
    ),
  );
}

/** An operator's word settles a write that is unknown or pending, nothing else. */
export function resolve(write: Write, command: Resolve): Ruling {
  if (write.state !== "unknown" && write.state !== "pending") {
    return refuse({ refused: "not_resolvable", state: write.state });
  }
  return happen({
    type: "resolved",
    by: command.by,
    body: { attempt: write.attempt, outcome: command.outcome },
    plain: bindOutcome(command.salt, { note: command.note }),
  });
}

/** Counts a status check that could not tell. */
export function check(write: Write, command: Check): Ruling {
  if (write.state !== "unknown" && write.state !== "pending") return refuse({ refused: "already_decided" });
  const { by } = command;
  const { check, nextCheckAt } = by
    ? { check: write.checks, nextCheckAt: write.nextCheckAt }
    : { check: write.checks + 1, nextCheckAt: command.nextCheckAt };
  return happen({ type: "checked", by: by ?? system, body: { check, answered: false, nextCheckAt } });
}
