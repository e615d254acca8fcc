import type { Instant } from "../../base/clock.ts";
import { ConfigurationError } from "../../base/errors.ts";
import type { Channel, OutboundMessage, SendFailure, SendResult } from "../../ports/channel.ts";
import type { Kernel } from "../kernel.ts";

/** Somebody in a chat. */
export type Address = { readonly account: string; readonly channel: Channel; readonly address: string };

/** What is sent, for those who watch. */
export type What = "prompt" | "outcome" | "answer";

const sendMs = 10_000;

// Seconds before the next attempt; the last one repeats.
const gapsSeconds: readonly number[] = [6, 15, 45, 120, 360, 1200, 3600];

/** When to try again after attempt number `attempts`. */
export function nextAttempt(kernel: Kernel, attempts: number, leastMs: number | null = null): Instant {
  const gap = gapsSeconds[Math.min(attempts, gapsSeconds.length) - 1] ?? 0;
  // ±10 %, so that what failed together does not come back together.
  const jitter = 0.9 + 0.2 * kernel.random.fraction();
  return kernel.clock.now() + Math.max(Math.round(gap * 1000 * jitter), leastMs ?? 0);
}

/** Sends one message. `attempt` names it, unlike any other. */
export async function sendMessage(
  kernel: Kernel,
  to: Address,
  message: OutboundMessage,
  attempt: string,
  what: What,
): Promise<SendResult> {
  const { account, channel, address } = to;
  const controller = new AbortController();
  const cancel = kernel.clock.after(sendMs, () => controller.abort(new Error("not answered within 10 s")));
  const began = kernel.clock.now();
  try {
    const result = await channel.send(address, message, {
      attempt,
      contents: {
        find: (hash) => kernel.store.findContent(account, hash),
        keep: (hash, contentId) => kernel.store.keepContent(account, hash, contentId),
      },
      statusPath: `/v1/channels/${account}/status`,
      signal: controller.signal,
    });
    tellWatchers(kernel, account, what, result, began);
    return result;
  } finally {
    cancel();
  }
}

function tellWatchers(kernel: Kernel, account: string, what: What, result: SendResult, began: Instant): void {
  const failure = result.kind === "failed" ? result.failure : undefined;
  if (failure?.alert || failure?.class === "auth") reportTrouble(kernel, account, failure);
  if (!kernel.observer.isWatched()) return;
  const at = kernel.clock.now();
  kernel.observer.emit({
    type: "sent",
    at,
    account,
    what,
    result: failure?.class ?? (result.kind === "sent" ? "sent" : "unknown"),
    code: failure?.code ?? null,
    durationMs: at - began,
  });
}

const advice: { readonly [name in SendFailure["class"]]: string } = {
  retry_later: "the platform asks to slow down or to wait",
  window_closed: "the platform takes only templates now",
  undeliverable: "the platform cannot reach this customer",
  auth: "nothing can be sent until somebody sets the account right: run `countersign channels check`",
  bad_request: "the platform does not take what was sent: run `countersign channels check`",
};

/** Tells the operator's log of trouble with an account. The platform's own words are left out: they may hold a number. */
export function reportTrouble(kernel: Kernel, account: string, failure: SendFailure): void {
  const code = failure.code === null ? "" : ` (code ${failure.code})`;
  kernel.report(
    new ConfigurationError(`channel account ${account}: ${failure.class}${code}; ${advice[failure.class]}`),
    `sending by ${account}`,
  );
}
