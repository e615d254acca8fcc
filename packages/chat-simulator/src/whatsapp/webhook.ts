import type { Act, Chat, Outgoing, Told } from "../platform.ts";
import type { ThreadMessage } from "../thread.ts";
import type { WhatsAppAccount } from "./account.ts";

const isPhone = (id: string): boolean => /^\d+$/.test(id);
const seconds = (ms: number): string => String(Math.floor(ms / 1000));

function contactOf({ id, name, userId }: Chat): object {
  return {
    profile: { name },
    ...(isPhone(id) ? { wa_id: id } : {}),
    ...(userId === null ? {} : { user_id: userId }),
  };
}

function envelope(account: WhatsAppAccount, field: string, value: object): object {
  const metadata = {
    display_phone_number: account.displayPhoneNumber,
    phone_number_id: account.phoneNumberId,
  };
  const change = { value: { messaging_product: "whatsapp", metadata, ...value }, field };
  return {
    object: "whatsapp_business_account",
    entry: [{ id: account.businessAccountId, changes: [change] }],
  };
}

function contentOf(act: Act): object {
  switch (act.type) {
    case "text":
      return { type: "text", text: { body: act.text } };
    case "tap": {
      const { label, payload } = act.button;
      return act.template
        ? { type: "button", button: { payload, text: label } }
        : {
            type: "interactive",
            interactive: { type: "button_reply", button_reply: { id: payload, title: label } },
          };
    }
    case "reaction":
      return { type: "reaction", reaction: { message_id: act.messageId, emoji: act.emoji } };
  }
}

function contextOf(act: Act, { displayPhoneNumber: from }: WhatsAppAccount): object {
  if (act.type === "tap") return { context: { from, id: act.messageId } };
  if (act.type === "text" && act.forwarded) return { context: { forwarded: true } };
  if (act.type === "text" && act.replyTo !== null) return { context: { from, id: act.replyTo } };
  return {};
}

/** The webhook of what a customer did. */
export function whatsappActs(account: WhatsAppAccount, act: Act, message: ThreadMessage, chat: Chat): object {
  const one = {
    ...(isPhone(chat.id) ? { from: chat.id } : {}),
    ...(chat.userId === null ? {} : { from_user_id: chat.userId }),
    id: message.id,
    timestamp: seconds(message.at),
    ...contextOf(act, account),
    ...contentOf(act),
  };
  return envelope(account, "messages", { contacts: [contactOf(chat)], messages: [one] });
}

const reasons = {
  window_closed: [131047, "Re-engagement message", "More than 24 hours since the customer last replied."],
  unknown_receiver: [131026, "Message undeliverable", "Message Undeliverable."],
  undeliverable: [131026, "Message undeliverable", "Message Undeliverable."],
} as const;

/** The webhook of what became of a message. One that failed names no contact. */
export function whatsappStatus(
  account: WhatsAppAccount,
  told: Told | { readonly status: "read"; readonly why?: undefined },
  { id, at, message, chat }: { id: string; at: number; message: Outgoing; chat: Chat | undefined },
): object {
  const { status, why } = told;
  const [code, title, details] = why === undefined ? [] : reasons[why];
  const errors = [{ code, title, message: title, error_data: { details } }];
  const one = {
    id,
    status,
    timestamp: seconds(at),
    ...(isPhone(message.to) ? { recipient_id: message.to } : {}),
    ...(chat?.userId ? { recipient_user_id: chat.userId } : {}),
    ...(message.callbackData === undefined ? {} : { biz_opaque_callback_data: message.callbackData }),
    ...(why === undefined ? {} : { errors }),
  };
  const contacts = why === undefined && chat ? { contacts: [contactOf(chat)] } : {};
  return envelope(account, "messages", { ...contacts, statuses: [one] });
}

/** The webhook that a person's business-scoped id has become another. Meta, "Business-scoped user IDs" (5 Nov 2026). */
export function whatsappRenamed(account: WhatsAppAccount, former: string, chat: Chat, at: number): object {
  const ids = { previous: former, current: chat.userId };
  const update = { detail: "User id updated.", user_id: ids, timestamp: seconds(at) };
  return envelope(account, "user_id_update", { contacts: [contactOf(chat)], user_id_update: [update] });
}
