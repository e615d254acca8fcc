import type { Account, Act, Chat } from "./platform.ts";
import type { ThreadMessage } from "./thread.ts";

/** The phone of one person, open at the chat with one account. Throws where a person could not do such a thing. */
export type Phone = {
  messages(): readonly ThreadMessage[];
  /** The next change of the chat. */
  next(): Promise<ThreadMessage>;
  /** Writes a text, as an answer to a message if one is named. */
  type(text: string, replyTo?: string): ThreadMessage;
  /** Taps a button, the first one is 0. It stays there and can be tapped again. */
  tap(messageId: string, button: number): ThreadMessage;
  react(messageId: string, emoji: string): ThreadMessage;
  /** Forwards a message of any chat into this one: its text arrives, its buttons do not. */
  forward(message: ThreadMessage): ThreadMessage;
  /** Gives the person another business-scoped id, as WhatsApp does with a new number. Throws where there are none. */
  changeUserId(userId: string): void;
  /** Looks at the chat without doing anything. Everything that one does is looking, too. */
  look(): void;
};

function sentTo(chat: Chat, messageId: string): ThreadMessage {
  const message = chat.thread.find(messageId);
  if (message === undefined)
    throw new Error(`no message ${messageId} in this chat: take an id of messages()`);
  return message;
}

/** The phone of a chat. */
export function phone(account: Account, chat: Chat): Phone {
  const { platform, courier, clock } = account;

  function look(): void {
    const unread = chat.thread
      .messages()
      .filter(({ from, status }) => from === "business" && status === "delivered");
    if (unread.length === 0) return;
    for (const { id } of unread) chat.thread.mark(id, "read");
    for (const hook of platform.seen(unread, chat)) courier.deliver(hook);
  }

  function act(
    shown: Pick<ThreadMessage, "kind" | "text" | "about">,
    what: Act,
    opens: boolean,
  ): ThreadMessage {
    look();
    const at = clock.now();
    const id = platform.newId("customer");
    const message = chat.thread.add({ id, from: "customer", buttons: [], at, status: "sending", ...shown });
    if (opens) chat.lastHeardAt = at;
    const hook = platform.heard(what, message, chat);
    const done = (taken: boolean): void => chat.thread.mark(id, taken ? "taken" : "not_taken");
    if (hook === undefined) done(false);
    else courier.deliver({ ...hook, done });
    return message;
  }

  return {
    messages: () => chat.thread.messages(),
    next: () =>
      new Promise((resolve) => {
        const stop = chat.thread.listen((message) => {
          stop();
          resolve(message);
        });
      }),
    look,
    type(text, replyTo) {
      if (replyTo !== undefined) sentTo(chat, replyTo);
      const said = { type: "text", text, forwarded: false, replyTo: replyTo ?? null } as const;
      return act({ kind: "text", text, about: replyTo ?? null }, said, true);
    },
    tap(messageId, index) {
      sentTo(chat, messageId);
      const sent = chat.sent.get(messageId);
      const button = sent?.buttons[index];
      if (sent === undefined || button === undefined) {
        throw new Error(`message ${messageId} has no button ${index}`);
      }
      const tapped = { type: "tap", button, messageId, template: sent.template } as const;
      return act({ kind: "tap", text: button.label, about: messageId }, tapped, true);
    },
    react(messageId, emoji) {
      sentTo(chat, messageId);
      return act(
        { kind: "reaction", text: emoji, about: messageId },
        { type: "reaction", emoji, messageId },
        false,
      );
    },
    changeUserId(userId) {
      const former = chat.userId;
      if (former === null || platform.name !== "whatsapp") {
        throw new Error("this person has no business-scoped id: name one as userId when the phone is opened");
      }
      chat.userId = userId;
      account.chats.delete(former);
      account.chats.set(userId, chat);
      const hook = platform.renamed(former, chat);
      if (hook) courier.deliver(hook);
    },
    forward({ id, text }) {
      const said = { type: "text", text, forwarded: true, replyTo: null } as const;
      return act({ kind: "text", text, about: id }, said, true);
    },
  };
}
