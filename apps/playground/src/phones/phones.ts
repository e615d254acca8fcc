import type { ChatSimulator, Phone, Switches } from "@countersign/chat-simulator";
import type { Channel, ChatMessage } from "@countersign/core";
import type { Assistant } from "../bot/assistant.ts";
import type { Chat, ChatLog } from "../bot/chat-log.ts";
import type { CountersignApi } from "../bot/countersign-api.ts";
import { type AccountName, platformOf } from "./accounts.ts";

/** One phone, open at the chat with the shop. */
export type OpenPhone = {
  readonly conversationId: string;
  readonly account: AccountName;
  /** Whom the platform knows: the address of the conversation's contact. */
  readonly address: string;
  readonly phone: Phone;
};

/** The phones of this playground, each the contact of one conversation. */
export type Phones = {
  /** Makes a phone for a conversation, with a customer whom the platform has not known before. */
  open(chat: Chat, account: AccountName): Promise<OpenPhone>;
  find(conversationId: string): OpenPhone | undefined;
  /** Answers a message that came in through a platform. */
  hear(message: ChatMessage): Promise<void>;
  switches(account: AccountName): Switches;
  set(account: AccountName, change: Partial<Switches>): void;
};

/** The address of a customer at a platform. */
function addressOf(account: AccountName, number: number): { readonly id: string; readonly address: string } {
  switch (account) {
    case "shop_whatsapp":
    case "shop_twilio": {
      const id = `1555010${String(number).padStart(4, "0")}`;
      return { id, address: account === "shop_twilio" ? `whatsapp:+${id}` : id };
    }
    case "shop_messenger":
      return { id: `70010${number}`, address: `70010${number}` };
    case "shop_instagram":
      return { id: `91001002${number}`, address: `91001002${number}` };
  }
}

/** Keeps the phones, and lets the assistant answer in them. */
export function openPhones(options: {
  readonly simulator: ChatSimulator;
  readonly channels: { readonly [account in AccountName]: Channel };
  readonly api: CountersignApi;
  readonly log: ChatLog;
  readonly assistant: Assistant;
}): Phones {
  const { simulator, channels, api, log, assistant } = options;
  const phones = new Map<string, OpenPhone>();
  let number = 200;
  let sent = 0;

  async function answer({ account, address }: OpenPhone, text: string): Promise<void> {
    for (const message of channels[account].tell(text, "en-GB")) {
      sent += 1;
      await channels[account].send(address, message, {
        attempt: `bot-${sent}`,
        contents: { find: async () => undefined, keep: async () => {} },
        statusPath: `/v1/channels/${account}/status`,
      });
    }
  }

  return {
    async open(chat, account) {
      const known = phones.get(chat.id);
      if (known?.account === account) return known;
      number += 1;
      const { id, address } = addressOf(account, number);
      const phone = simulator.phone(platformOf[account], id, { name: "Ana" });
      const opened: OpenPhone = { conversationId: chat.id, account, address, phone };
      phones.set(chat.id, opened);
      await api.stateContact(chat.id, { channel: account, address, locale: "en-GB" });
      return opened;
    },
    find: (conversationId) => phones.get(conversationId),
    async hear({ conversationId, text }) {
      const opened = conversationId === null ? undefined : phones.get(conversationId);
      const chat = conversationId === null ? undefined : log.find(conversationId);
      if (!opened || !chat) return;
      const before = chat.lines.length;
      await assistant.hear(chat, chat.person, text);
      // What belongs to a write the customer sees as a prompt or a receipt; the rest the assistant has to say itself.
      for (const line of chat.lines.slice(before)) {
        if (line.from === "assistant" && line.writeId === null) await answer(opened, line.text);
      }
    },
    switches: (account) => simulator.switches(platformOf[account]),
    set: (account, change) => simulator.set(change, platformOf[account]),
  };
}
