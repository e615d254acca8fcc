import type { FrozenCard } from "../../card/model.ts";
import type {
  Channel,
  ContentIds,
  InboundRequest,
  OutboundMessage,
  Prompt,
  SendContext,
} from "../../ports/channel.ts";

/** What the far side does with the next message. `silent`: it takes it and never answers. */
export type PlatformAnswer = "sent" | "busy" | "window_closed" | "no_id" | "silent";

/** What a customer does. */
export type CustomerAct = { readonly messageId: string; readonly from: string } & (
  | { readonly type: "tap"; readonly payload: string; readonly label: string }
  | { readonly type: "text"; readonly text: string }
);

/** A channel under test, with the far side of its network. */
export type ChannelSubject = {
  readonly channel: Channel;
  /** Two customers, as the platform calls them. */
  readonly customer: string;
  readonly stranger: string;
  /** A webhook request as the platform sends and signs it. */
  inbound(act: CustomerAct): InboundRequest;
  /** Every message from now on is answered so. */
  answer(how: PlatformAnswer): void;
  /** Settles once the platform has been asked to send something since `answer` was called last. */
  asked(): Promise<void>;
};

/** One promise of the channel port. `run` rejects when the channel breaks it. */
export type ChannelCase = { readonly name: string; run(subject: ChannelSubject): Promise<void> };

/** A card whose every text is its own, so that a missing one is found. */
export function exampleCard(change: Partial<FrozenCard> = {}): FrozenCard {
  return {
    tool: "cancel_order",
    risk: "standard",
    locale: "en",
    timeZone: "UTC",
    title: "Cancel this order?",
    description: "The shop stops packing.",
    fields: [
      {
        argument: "/orderId",
        label: "Order",
        format: "text",
        value: "A-1042",
        display: "A-1042",
        editable: false,
      },
      {
        argument: "/refund",
        label: "Refund",
        format: "money",
        value: 4800,
        display: "€48.00",
        editable: false,
      },
    ],
    details: [
      { argument: "/channel", label: "Channel", display: "web", omitted: false },
      { argument: "/secret", label: "Trace", display: null, omitted: true },
    ],
    effects: [{ label: "Status", before: "Open", after: "Cancelled" }],
    warnings: ["Refunds take 5 days."],
    reversible: false,
    confirmLabel: "Cancel order",
    declineLabel: "Keep order",
    ...change,
  };
}

/** All that a customer must have seen of a card before the buttons mean something. */
export function shownTexts(card: FrozenCard): readonly string[] {
  return [
    card.title,
    card.description,
    ...card.fields.flatMap(({ label, display }) => [label, display]),
    ...card.details.flatMap(({ label, display }) => [label, display]),
    ...card.effects.flatMap(({ label, before, after, tolerance }) => [label, before, after, tolerance]),
    ...card.warnings,
    card.confirmLabel,
    card.declineLabel,
  ].filter((text) => typeof text === "string");
}

/** A text without what only steers how it is drawn: space, isolates, and the joiners that disarm markup. */
export function bare(text: string): string {
  return text.replace(/[\s\u2060\u2068\u2069]/g, "");
}

/** The texts of a prompt's messages, one after the other, without the numbers of parts. */
export function readAloud(messages: readonly OutboundMessage[]): string {
  return bare(messages.map(({ text }) => text.replace(/^\(\d+\/\d+\) /, "")).join(""));
}

/** Which of a card's texts a customer does not see in these messages. Line breaks may be kept, or shown as marks. */
export function missingTexts(card: FrozenCard, prompt: Prompt): readonly string[] {
  const read = prompt.kind === "messages" ? readAloud(prompt.messages) : "";
  const isRead = (text: string): boolean => read.includes(bare(text));
  return shownTexts(card).filter((text) => !isRead(text) && !isRead(text.replaceAll("\n", "⟦↵⟧")));
}

/** Contents kept in memory. */
function memoryContents(): ContentIds {
  const ids: Map<string, string> = new Map();
  return {
    find: async (hash) => ids.get(hash),
    async keep(hash, contentId) {
      ids.set(hash, contentId);
    },
  };
}

/** What goes with an attempt in these cases. */
export function exampleContext(change: Partial<SendContext> = {}): SendContext {
  return {
    attempt: "attempt-1",
    contents: memoryContents(),
    statusPath: "/v1/channels/shop/status",
    ...change,
  };
}
