import type { Instant } from "../base/clock.ts";
import { extend } from "../base/extend.ts";
import type { Level } from "../tool/outcome.ts";
import type { Content } from "./content.ts";
import type { By, DraftEvent } from "./events.ts";
import { stepUpWaitMs } from "./outcome.ts";
import { type Lead, leadEvent, versionBody } from "./propose.ts";
import { happen, type Ruling, refuse } from "./ruling.ts";
import type { Write } from "./write.ts";

/** The customer of the conversation changed: what waits for the former one never runs. */
export type Supersede = {
  readonly type: "supersede";
  readonly at: Instant;
  readonly by: By;
  readonly reason: "customer_changed" | "signed_out" | "tool_changed";
};

/** A visitor verified for the first time: the waiting write becomes theirs, to be looked at and confirmed afresh. */
export type Rebind = {
  readonly type: "rebind";
  readonly at: Instant;
  readonly by: By;
  readonly content: Content;
};

/** The same customer verified well enough for a write that waits for it; `lead` is what that leads to. */
export type Verify = {
  readonly type: "verify";
  readonly at: Instant;
  readonly by: By;
  readonly level: Level;
  readonly lead: Lead;
};

/** What would happen is no longer what the customer saw. `verified`: found out when a write that waited for it was to go on. */
export type Drift = {
  readonly type: "drift";
  readonly at: Instant;
  readonly content: Content;
  readonly reason: "changed" | "not_previewed";
  readonly verified?: { readonly by: By; readonly level: Level };
};

const levels: readonly Level[] = ["low", "standard", "high"];

/** True when a sign-in of level `have` is at least as sure as `need`. */
export function levelSuffices(have: Level, need: Level): boolean {
  return levels.indexOf(have) >= levels.indexOf(need);
}

/** The level that a step-up asks for: where it names neither level nor age, the surest sign-in there is. */
export function levelAsked(asked: {
  readonly level: Level | null;
  readonly maxAuthAgeSeconds: number | null;
}): Level {
  return asked.level ?? (asked.maxAuthAgeSeconds === null ? "high" : "low");
}

/** True when a sign-in meets what a waiting write asked for: sure enough, and fresh enough or made after it was asked. */
export function meetsStepUp(
  asked: {
    readonly level: Level | null;
    readonly maxAuthAgeSeconds: number | null;
    readonly askedAt: Instant;
  },
  signIn: { readonly level: Level; readonly authenticatedAt: Instant },
  now: Instant,
): boolean {
  if (!levelSuffices(signIn.level, levelAsked(asked))) return false;
  if (signIn.authenticatedAt >= asked.askedAt || asked.maxAuthAgeSeconds === null) return true;
  return now - signIn.authenticatedAt <= asked.maxAuthAgeSeconds * 1000;
}

/** Waiting and awaiting-verification writes end; one that runs cannot be taken back. */
export function supersede(write: Write, command: Supersede): Ruling {
  if (write.state !== "proposed" && write.state !== "awaiting_verification")
    return refuse({ refused: "already_decided" });
  const { version } = write;
  return happen({ type: "superseded", by: command.by, body: { version, reason: command.reason } });
}

// One that waited for a sign-in may be past its expiry: it gets time for a new look.
function expiryOfNextLook(write: Write, at: Instant): Instant {
  return Math.max(write.expiresAt, write.state === "awaiting_verification" ? at + stepUpWaitMs : 0);
}

/** The next version, for the new principal. */
export function rebind(write: Write, command: Rebind): Ruling {
  if (write.state !== "proposed" && write.state !== "awaiting_verification")
    return refuse({ refused: "already_decided" });
  return happen({
    type: "rebound",
    by: command.by,
    body: versionBody(command.content, write.version + 1, expiryOfNextLook(write, command.at)),
    plain: command.content.plain,
  });
}

/** The world changed since the card was made: the customer is shown the next version, and nothing runs. */
export function drift(write: Write, command: Drift): Ruling {
  if (write.state !== "proposed" && write.state !== "awaiting_verification")
    return refuse({ refused: "already_decided" });
  if (write.state === "proposed" && command.at >= write.expiresAt) return refuse({ refused: "expired" });
  const drifted: DraftEvent = {
    type: "drifted",
    by: { kind: "system", ref: null },
    body: extend(versionBody(command.content, write.version + 1, expiryOfNextLook(write, command.at)), {
      reason: command.reason,
    }),
    plain: command.content.plain,
  };
  if (command.verified === undefined) return happen(drifted);
  const { by, level } = command.verified;
  return happen({ type: "verified", by, body: { level } }, drifted);
}

/** The write goes on under its own key, without a second review. */
export function verify(write: Write, command: Verify): Ruling {
  if (write.state !== "awaiting_verification" || command.at >= write.until)
    return refuse({ refused: "already_decided" });
  const { version, argsCommit } = write;
  return happen(
    { type: "verified", by: command.by, body: { level: command.level } },
    leadEvent(command.lead, { version, attempt: write.attempts + 1, argsCommit }),
  );
}
