import type { Instant } from "../../base/clock.ts";
import type { ContactRow } from "../../ports/store.ts";

const hourMs = 3_600_000;

/** WhatsApp, Messenger and Instagram take anything for 24 hours after the customer's last message; less a margin for the way there. */
const windowMs = 24 * hourMs - 5 * 60_000;

/** Until when a customer who wrote last then may be asked: an hour before the window closes, so that the answer can be told. */
const askMs = 23 * hourMs;

/** Whether the platform takes anything now. Of somebody who never wrote while this server listened, the platform is to say. */
export function windowAt(now: Instant, contact: ContactRow | undefined): "open" | "closed" {
  return contact === undefined || now - contact.lastInboundAt < windowMs ? "open" : "closed";
}

/** How many milliseconds a proposal of `lifetimeMs` may wait for its answer in a chat. */
export function lifetimeInChat(now: Instant, lifetimeMs: number, contact: ContactRow | undefined): number {
  const left = contact === undefined ? lifetimeMs : contact.lastInboundAt + askMs - now;
  // With the window closed it is a template that asks, and its answer opens the window again.
  return left <= 0 ? lifetimeMs : Math.min(lifetimeMs, left);
}
