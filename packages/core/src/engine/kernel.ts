import type { Clock, Instant } from "../base/clock.ts";
import type { Random } from "../base/random.ts";
import { remember } from "../base/remember.ts";
import type { Store } from "../ports/store.ts";
import type { Tool, WriteTool } from "../tool/define.ts";
import type { Bell } from "./bell.ts";
import type { Accounts } from "./chats/accounts.ts";
import type { OnMessage } from "./chats/message.ts";
import type { Handouts } from "./handouts.ts";
import type { Observer } from "./observe.ts";
import type { Receiver } from "./receiver.ts";
import type { RecentWrites } from "./recent-writes.ts";
import type { Retention } from "./retention.ts";
import type { Runner } from "./run.ts";

/** Whether writes run. `hosted` and `eval`: proposals are recorded as usual and every confirm ends `not_applied`. */
export type Mode = "live" | "hosted" | "eval";

/** What every view of one engine works with. */
export type Kernel = {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly mode: Mode;
  readonly limits: { readonly proposalsPerMinute: number; readonly repeatAfterDeclineSeconds: number };
  readonly defaultLocale: string;
  readonly defaultTimeZone: string;
  readonly secrets: { get(name: string): string };
  /** Where the customer can verify again, for a write that waits for it; null where the host gave no way. */
  verifyUrl(writeId: string, conversationId: string): string | null;
  readonly observer: Observer;
  /** Tells of a failure that nobody waits for. Never holds arguments or secrets. */
  report(error: unknown, during: string): void;
  /** A new write's id. */
  writeId(): string;
  readonly retention: Retention;
  readonly runner: Runner;
  readonly recent: RecentWrites;
  readonly handouts: Handouts;
  /** Who is told of outcomes. */
  readonly receivers: readonly Receiver[];
  readonly channels: Accounts;
  /** What becomes of messages that are no decisions; undefined where nobody wants them. */
  readonly onMessage: OnMessage | undefined;
  /** The public address of this server, without a slash at its end; null where prompts carry no links to it. */
  readonly reviewUrl: string | null;
  /** Rung when there is something to deliver, so that nobody waits for the next look. */
  readonly bell: Bell;
};

/** The write tool a stored write was made with; undefined when it is gone or is now a read. */
export function writeToolOf(kernel: Kernel, name: string): WriteTool | undefined {
  const tool = kernel.tools.get(name);
  return tool?.effect === "write" ? tool : undefined;
}

/** How long a run is leased beyond its own timeout: time to record what it did. */
const leaseGraceMs = 30_000;

/** Until when a run that starts now is leased. */
export function leaseUntil(kernel: Kernel, tool: WriteTool): Instant {
  return kernel.clock.now() + tool.timeoutSeconds * 1000 + leaseGraceMs;
}

// Seconds after the end of the check before; eight checks, then it is a person's turn.
const checkGapsSeconds: readonly number[] = [5, 15, 45, 120, 360, 1200, 3600, 10_800];

/** What is done about an outcome that is not final, without a person: ask, or (where the tool says so) run again under the key. */
export function recoveryOf(
  tool: WriteTool | undefined,
  outcome: "pending" | "unknown",
): "status" | "same_key" | "operator" {
  if (!tool || tool.recovery === "operator") return "operator";
  if (tool.recovery === "same_key" && outcome === "unknown") return "same_key";
  return tool.status ? "status" : "operator";
}

/**
 * When a write of this outcome is looked after next, once `checks` status checks or further runs were made; null: never, by
 * itself.
 */
export function nextCheckAt(
  kernel: Kernel,
  tool: WriteTool | undefined,
  outcome: "pending" | "unknown",
  checks: number,
): Instant | null {
  const gap = checkGapsSeconds[checks];
  if (recoveryOf(tool, outcome) === "operator" || gap === undefined) return null;
  // ±10 %: each gap is at least twice the one before, so they keep growing.
  const jitter = 0.9 + 0.2 * kernel.random.fraction();
  return kernel.clock.now() + Math.round(gap * 1000 * jitter);
}

const seconds = new Map<string, string>();

/** A text for times on the wire: RFC 3339 UTC with milliseconds. */
export function timeText(at: Instant): string {
  // One cycle writes ten times of a few seconds, and a Date writes its own text slowly.
  const second = Math.floor(at / 1000);
  const text = remember(seconds, String(second), () => new Date(second * 1000).toISOString().slice(0, -4));
  return `${text}${String(at - second * 1000).padStart(3, "0")}Z`;
}

/** Like {@link timeText}, null for null. */
export function timeTextOrNull(at: Instant | null): string | null {
  return at === null ? null : timeText(at);
}

/** How often an append may lose against others before that is a bug and not a race. */
export const maxRounds = 100;
