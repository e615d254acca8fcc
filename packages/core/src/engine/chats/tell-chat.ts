import { outcomeText } from "../../card/messages.ts";
import type { Receipt } from "../../card/model.ts";
import { replay } from "../../flow/apply.ts";
import { openEvents } from "../../flow/journal.ts";
import { belongsTo } from "../../flow/principal.ts";
import type { Write } from "../../flow/write.ts";
import type { ConversationRow, DeliveryRow } from "../../ports/store.ts";
import type { Kernel } from "../kernel.ts";
import { presenceOf } from "../presence.ts";
import { receiptOf } from "../view.ts";
import type { DeliveryEnd } from "./delivery-end.ts";
import type { ChatBody } from "./duties.ts";
import { type Address, nextAttempt, reportTrouble, sendMessage } from "./send.ts";
import { showWrite } from "./show.ts";

/** Where the chat of a conversation is; undefined where it has none here. */
export function addressOf(kernel: Kernel, conversation: ConversationRow | undefined): Address | undefined {
  if (conversation?.channel == null || conversation.address === null) return undefined;
  const channel = kernel.channels.get(conversation.channel);
  return channel && { account: conversation.channel, channel, address: conversation.address };
}

/** What became of a write, as it is told to its own customer; undefined once that was erased. */
export function saidOf(kernel: Kernel, write: Write): string | Receipt | undefined {
  const receipt = receiptOf(kernel, write);
  if (receipt) return receipt;
  if (!write.card) return undefined;
  const { title, locale } = write.card;
  const lines = [title, outcomeText(write.state, locale)];
  if (write.state === "awaiting_verification") {
    const url = kernel.verifyUrl(write.id, write.conversationId);
    if (url !== null) lines.push(url);
  }
  return lines.join("\n");
}

/** The write as of event `seq`; undefined when something is told of it later anyway. */
function asOf(events: ReturnType<typeof openEvents>, seq: number, isTold: (write: Write) => boolean) {
  const later = events.filter((event) => event.seq > seq);
  const then = replay(events.filter((event) => event.seq <= seq));
  const now = later.length === 0 ? then : replay(events);
  return now.state !== then.state && isTold(now) ? undefined : then;
}

// After a day there is no window any more, and nothing that would be news.
const mostAttempts = 12;

async function tellOutcome(
  kernel: Kernel,
  row: DeliveryRow,
  body: ChatBody,
  to: Address,
  write: Write,
): Promise<DeliveryEnd> {
  const said = saidOf(kernel, write);
  if (said === undefined) return "over";
  const messages = to.channel.tell(said, write.card?.locale ?? kernel.defaultLocale);
  for (const [index, message] of messages.entries()) {
    if (index < (body.sent ?? 0)) continue;
    const result = await sendMessage(kernel, to, message, `${row.id}.${row.attempts}.${index}`, "outcome");
    if (result.kind !== "failed") continue;
    const { failure } = result;
    const again =
      failure.class === "retry_later"
        ? row.attempts < Math.min(mostAttempts, failure.tries ?? mostAttempts)
        : failure.class === "window_closed" && row.attempts === 1;
    if (!again) {
      reportTrouble(kernel, to.account, failure);
      return "over";
    }
    return {
      againAt: nextAttempt(kernel, row.attempts, failure.waitMs),
      body: JSON.stringify({ ...body, sent: index }),
    };
  }
  return "over";
}

const told: ReadonlySet<Write["state"]> = new Set<Write["state"]>([
  "applied",
  "not_applied",
  "pending",
  "unknown",
  "declined",
  "expired",
  "withdrawn",
  "awaiting_verification",
]);

/** Makes one delivery to a chat: asks, or tells what became of it; only ever the customer whose write it is. */
export async function tellChat(kernel: Kernel, row: DeliveryRow): Promise<DeliveryEnd> {
  const body: ChatBody = JSON.parse(row.body);
  const stored = row.writeId === null ? undefined : await kernel.store.readWrite(row.writeId);
  if (!stored) return "over";
  const { conversation } = await kernel.store.readConversation(stored.row.conversationId);
  const to = addressOf(kernel, conversation);
  if (!to) {
    // Another process may know an account that this one does not: while it is new, nothing is given up.
    const known = conversation?.channel != null && row.attempts < mostAttempts;
    return known ? { againAt: nextAttempt(kernel, row.attempts) } : "over";
  }
  const events = openEvents(stored);
  const write = replay(events);
  if (!belongsTo(write.principal, presenceOf(conversation))) return "over";
  if (body.duty === "prompt") {
    const again = body.again === true;
    return showWrite(kernel, { write, to, body, attempts: row.attempts, name: row.id, again });
  }
  const then = asOf(events, body.seq, ({ state }) => told.has(state));
  if (!then || then.state === "superseded" || then.state === "running" || then.state === "proposed")
    return "over";
  return tellOutcome(kernel, row, body, to, then);
}
