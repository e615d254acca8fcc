import { canonical } from "../base/canonical.ts";
import { belongsTo, type Presence } from "../flow/principal.ts";
import type { Refusal } from "../flow/refusal.ts";
import { load } from "./handle.ts";
import type { Kernel } from "./kernel.ts";

const minuteMs = 60_000;

// A write may have been proposed long before it was declined; nobody keeps one open for longer than a day.
const longestOpenMs = 24 * 60 * minuteMs;

/** Refuses a flood of proposals, and the very write that this customer has just declined. */
export async function checkLimits(
  kernel: Kernel,
  proposal: {
    readonly tool: string;
    readonly conversationId: string;
    readonly argsText: string;
    readonly presence: Presence;
  },
): Promise<Refusal | undefined> {
  const { proposalsPerMinute, repeatAfterDeclineSeconds } = kernel.limits;
  if (proposalsPerMinute === 0 && repeatAfterDeclineSeconds === 0) return undefined;
  const now = kernel.clock.now();
  const { conversationId, tool, argsText } = proposal;
  const createdSince = now - (repeatAfterDeclineSeconds > 0 ? longestOpenMs : minuteMs);
  const { rows } = await kernel.store.listWrites({ conversationId, createdSince, limit: 200 });
  for (const row of rows) {
    const waitMs = (row.decidedAt ?? 0) + repeatAfterDeclineSeconds * 1000 - now;
    if (row.state !== "declined" || row.tool !== tool || waitMs <= 0) continue;
    const declined = await load(kernel, row.id);
    if (!declined?.args || !belongsTo(declined.principal, proposal.presence)) continue;
    if (canonical(declined.args) === argsText) {
      return { refused: "recently_declined", writeId: row.id, retryAfterSeconds: Math.ceil(waitMs / 1000) };
    }
  }
  if (proposalsPerMinute === 0) return undefined;
  // Newest first: the one that must be a minute old before there is room again.
  const blocking = rows.filter((row) => row.createdAt > now - minuteMs)[proposalsPerMinute - 1];
  if (!blocking) return undefined;
  return {
    refused: "rate_limited",
    retryAfterSeconds: Math.max(1, Math.ceil((blocking.createdAt + minuteMs - now) / 1000)),
  };
}
