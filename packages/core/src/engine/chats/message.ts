import type { WriteState } from "../../card/model.ts";
import type { ChannelKind } from "../../ports/channel.ts";

/** A message in a chat that is no decision, for the bot. */
export type ChatMessage = {
  /** The same at every delivery of the same message, with the account, so that repeats can be dropped. */
  readonly messageId: string;
  readonly account: string;
  readonly channel: ChannelKind;
  /** Whom an answer goes to, in the platform's own id. */
  readonly address: string;
  /** The conversation that lives in this chat; null where none does. */
  readonly conversationId: string | null;
  readonly text: string;
  /** When it was written, RFC 3339 UTC; when it came in where the platform does not say. */
  readonly at: string;
  /** The write that the conversation waits for: the bot should point at its buttons and propose nothing else. */
  readonly openWrite: { readonly id: string; readonly tool: string; readonly state: WriteState } | null;
};

/** Takes messages that are no decisions: at least once each, those of one sender in order where one process takes them. A rejection, or no answer within 15 s, is tried again. */
export type OnMessage = (message: ChatMessage) => void | Promise<void>;
