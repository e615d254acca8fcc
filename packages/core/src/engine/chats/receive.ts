import type { Refusal } from "../../flow/refusal.ts";
import type { InboundEvent, InboundRequest, WebhookAnswer } from "../../ports/channel.ts";
import type { DeliveryRow } from "../../ports/store.ts";
import type { Kernel } from "../kernel.ts";
import { reportTrouble } from "./send.ts";

/** The kind of the deliveries that answer what came in. */
export const inboxKind = "inbox";

/** What came in and is to be answered; each of them happens to one person or one message. */
export type Answerable = Exclude<InboundEvent, { readonly type: "watermark" | "account_trouble" }>;

/** What one of these deliveries keeps. `receivedAt` stands for the time that a platform does not tell. */
export type InboxBody = { readonly account: string; readonly receivedAt: number; readonly event: Answerable };

/** The platform's id of what came in: the same again when it is delivered twice. */
function idOf(event: Answerable): string {
  return event.type === "status" ? `${event.providerMessageId} ${event.status}` : event.messageId;
}

function isAnswerable(event: InboundEvent): event is Answerable {
  return event.type !== "watermark" && event.type !== "account_trouble";
}

// Tells what came into this process within one millisecond apart, in order.
let arrivals = 0;

// Tells this process's names from those of others, which count their own arrivals.
let mark: string | undefined;

function deliveryOf(kernel: Kernel, body: InboxBody): DeliveryRow {
  const { receivedAt } = body;
  arrivals = (arrivals + 1) % 1_000_000;
  mark ??= kernel.random.id("").slice(0, 12);
  return {
    // Taken in order of arrival.
    id: `${inboxKind} ${receivedAt} ${String(arrivals).padStart(6, "0")} ${mark}`,
    kind: inboxKind,
    writeId: null,
    body: JSON.stringify(body),
    dueAt: receivedAt,
    attempts: 0,
  };
}

/**
 * Takes one webhook request: verified by the account's channel, and durable before it is answered. Rejects when it could
 * not be kept; then the platform has to deliver it again.
 */
export async function receiveWebhook(
  kernel: Kernel,
  account: string,
  request: InboundRequest,
): Promise<WebhookAnswer | Refusal> {
  const channel = kernel.channels.get(account);
  if (!channel) return { refused: "not_found" };
  const reading = channel.read(request);
  const receivedAt = kernel.clock.now();
  const tell = (
    result: "stored" | "refused" | "handshake",
    counts: { readonly events: number; readonly fresh: number; readonly ignored: Record<string, number> },
  ): void => {
    if (kernel.observer.isWatched())
      kernel.observer.emit({ type: "webhook", at: receivedAt, account, result, ...counts });
  };
  if (reading.kind !== "events") {
    if (reading.kind === "refused")
      kernel.observer.warn(`a webhook of ${account} was refused: ${reading.hint}`);
    tell(reading.kind, { events: 0, fresh: 0, ignored: {} });
    return reading.answer;
  }
  for (const event of reading.events) {
    if (event.type === "account_trouble") reportTrouble(kernel, account, event.failure);
  }
  // What has no id cannot be told from its copies; no platform sends such a thing.
  const events = reading.events.filter(isAnswerable).filter((event) => idOf(event).trim() !== "");
  // What it says stands in the delivery only, which goes once it was answered.
  const keep = (event: Answerable): Promise<boolean> =>
    kernel.store.receive(
      { account, messageId: idOf(event), receivedAt, body: "{}" },
      deliveryOf(kernel, { account, receivedAt, event }),
    );
  // Nearly always it is one.
  const [only] = events;
  const kept = only && events.length === 1 ? [await keep(only)] : await Promise.all(events.map(keep));
  const fresh = kept.filter((isNew) => isNew).length;
  if (fresh > 0) kernel.bell.ring();
  tell("stored", { events: events.length, fresh, ignored: reading.ignored });
  return reading.answer;
}
