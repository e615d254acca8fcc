import type { OutboundMessage, SendContext, SendResult } from "@countersign/core";
import { cannotSend } from "../base/failure.ts";
import { idAt, present } from "../base/walk.ts";
import { type GraphReading, sendToGraph } from "./graph.ts";
import { meaningOf } from "./messaging-errors.ts";

const reading: GraphReading = {
  meaningOf,
  sent(json) {
    const id = idAt(json, "message_id");
    return id === undefined ? undefined : { id, aliases: present([idAt(json, "recipient_id")]) };
  },
};

/** Sends one message to a page-scoped or Instagram-scoped id. */
export async function sendMessage(
  account: { readonly url: string; readonly accessTokens: readonly [string, ...string[]] },
  to: string,
  message: OutboundMessage,
  context: SendContext,
): Promise<SendResult> {
  if (!/^\d{1,30}$/.test(to)) return cannotSend("undeliverable", "the address is no scoped user id");
  const body = { recipient: { id: to }, ...message.body };
  const result = await sendToGraph(account, { body, signal: context.signal }, reading);
  return result.kind === "sent" ? { ...result, aliases: present([to, ...result.aliases]) } : result;
}
