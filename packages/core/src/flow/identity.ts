import type { Instant } from "../base/clock.ts";
import type { Level } from "../tool/outcome.ts";
import type { Content } from "./content.ts";
import type { By } from "./events.ts";
import { stepUpWaitMs } from "./outcome.ts";
import { versionBody } from "./propose.ts";
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

/** The same customer verified well enough for a write that waits for it. */
export type Verify = {
  readonly type: "verify";
  readonly at: Instant;
  readonly by: By;
  readonly level: Level;
  readonly leaseUntil: Instant;
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

/** The next version, for the new principal. One that waited for a sign-in may be past its expiry: it gets time for a new look. */
export function rebind(write: Write, command: Rebind): Ruling {
  if (write.state !== "proposed" && write.state !== "awaiting_verification")
    return refuse({ refused: "already_decided" });
  const least = write.state === "awaiting_verification" ? command.at + stepUpWaitMs : 0;
  return happen({
    type: "rebound",
    by: command.by,
    body: versionBody(command.content, write.version + 1, Math.max(write.expiresAt, least)),
    plain: command.content.plain,
  });
}

/** The write goes on under its own key, without a second review. */
export function verify(write: Write, command: Verify): Ruling {
  if (write.state !== "awaiting_verification" || command.at >= write.until)
    return refuse({ refused: "already_decided" });
  const { version, argsCommit } = write;
  const { leaseUntil } = command;
  return happen(
    { type: "verified", by: command.by, body: { level: command.level } },
    {
      type: "started",
      by: { kind: "system", ref: null },
      body: { attempt: write.attempts + 1, version, argsCommit, leaseUntil },
    },
  );
}
