import type { OutboundMessage, SendContext, SendResult } from "@countersign/core";
import { cannotSend } from "../base/failure.ts";
import { idAt, listAt, present } from "../base/walk.ts";
import { type GraphReading, sendToGraph } from "../meta/graph.ts";
import { meaningOf } from "./errors.ts";
import { isBusinessScopedId, isPhoneId } from "./ids.ts";

// The number one writes to is not always the one that answers: every id that Meta names may.
const reading: GraphReading = {
  meaningOf,
  sent(json) {
    const id = idAt(listAt(json, "messages")[0], "id");
    const named = listAt(json, "contacts").flatMap((contact) =>
      ["input", "wa_id", "user_id"].map((name) => idAt(contact, name)),
    );
    return id === undefined ? undefined : { id, aliases: present(named) };
  },
};

function receiverOf(to: string): { readonly to: string } | { readonly recipient: string } | undefined {
  if (isPhoneId(to)) return { to };
  return isBusinessScopedId(to) ? { recipient: to } : undefined;
}

/** Sends one message. */
export async function sendMessage(
  account: { readonly url: string; readonly accessTokens: readonly [string, ...string[]] },
  to: string,
  message: OutboundMessage,
  context: SendContext,
): Promise<SendResult> {
  const receiver = receiverOf(to);
  if (receiver === undefined) return cannotSend("undeliverable", "the address is no WhatsApp id");
  const body = {
    messaging_product: "whatsapp",
    recipient_type: "individual",
    ...receiver,
    ...message.body,
    biz_opaque_callback_data: context.attempt,
  };
  const result = await sendToGraph(account, { body, signal: context.signal }, reading);
  return result.kind === "sent" ? { ...result, aliases: present([to, ...result.aliases]) } : result;
}
