import type { Act } from "../platform.ts";
import type { ThreadMessage } from "../thread.ts";

/** Whose webhook it is. */
export type Inbox = { readonly object: "page" | "instagram"; readonly accountId: string };

/** An event, the field one subscribes to for it, and who wrote to whom. */
export type MessagingEvent = {
  readonly field: string;
  readonly from: string;
  readonly to: string;
  readonly at: number;
  readonly what: object;
};

/** The body of a webhook with one event. */
export function messagingBody({ object, accountId }: Inbox, { from, to, at, what }: MessagingEvent): object {
  const event = { sender: { id: from }, recipient: { id: to }, timestamp: at, ...what };
  return { object, entry: [{ id: accountId, time: at, messaging: [event] }] };
}

/** What a customer did, as an event. A quick reply comes as a message, a button of a template as a postback. */
export function actOf(
  act: Act,
  message: ThreadMessage,
  isQuickReply: boolean,
): Pick<MessagingEvent, "field" | "what"> {
  const mid = message.id;
  switch (act.type) {
    case "text": {
      const reply = act.replyTo === null ? {} : { reply_to: { mid: act.replyTo } };
      return { field: "messages", what: { message: { mid, text: act.text, ...reply } } };
    }
    case "tap": {
      const { label: title, payload } = act.button;
      return isQuickReply
        ? { field: "messages", what: { message: { mid, text: title, quick_reply: { payload } } } }
        : { field: "messaging_postbacks", what: { postback: { mid, title, payload } } };
    }
    case "reaction": {
      const reaction = { mid: act.messageId, action: "react", reaction: "other", emoji: act.emoji };
      return { field: "message_reactions", what: { reaction } };
    }
  }
}
