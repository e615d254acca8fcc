import type { Instant } from "../base/clock.ts";
import type { JsonObject } from "../base/json.ts";
import type { FrozenCard, Receipt } from "../card/model.ts";
import type { DeliveryStatus } from "./delivery-status.ts";
import type { PromptTokens } from "./prompt-token.ts";

/** The surfaces that are chats. */
export type ChannelKind = "whatsapp" | "messenger" | "instagram";

/** One message, ready to be sent. Plain JSON: it may be stored and sent later by another process. */
export type OutboundMessage = {
  readonly kind: "text" | "prompt";
  /** Everything the customer reads in it except the buttons. */
  readonly text: string;
  /** The request in the platform's own words, without the recipient. Holds the tokens of a prompt: keep it out of logs. */
  readonly body: JsonObject;
};

/**
 * How one version of a write is asked in a chat.
 *
 * `messages`: in this order, each only after the platform took the one before; the last one is the prompt and holds the
 * whole decision. `confirmation_too_long`: it cannot be shown whole, so it must not be asked here. `window_closed`: the
 * platform takes no such message now, and no template is configured for it.
 */
export type Prompt =
  | { readonly kind: "messages"; readonly messages: readonly [OutboundMessage, ...OutboundMessage[]] }
  | {
      readonly kind: "confirmation_too_long";
      readonly part: "prompt" | "details" | "label";
      readonly limit: number;
      readonly length: number;
      readonly unit: "characters" | "bytes" | "lines" | "messages";
    }
  | { readonly kind: "window_closed" };

/** When a prompt is asked: until when it can be answered, and whether the customer wrote within the platform's window. */
export type PromptTime = {
  readonly expiresAt: Instant;
  readonly window: "open" | "closed";
  /** Leads to the card on a page of its own; to stand in the prompt as it is, unless a template asks. Without markup characters. */
  readonly reviewUrl?: string;
};

/** A webhook request as it arrived. */
export type InboundRequest = {
  readonly method: string;
  /** Path and query as this API names them, such as `/v1/channels/support_wa/webhook?x=1`; the query byte for byte. */
  readonly target: string;
  /** The value of a header whatever the case of its name; null when missing. */
  header(name: string): string | null;
  /** The raw body: signatures are over these bytes. */
  readonly body: Uint8Array;
};

/** What to answer a webhook with. */
export type WebhookAnswer = { readonly status: number; readonly contentType: string; readonly body: string };

/**
 * Who wrote, in the platform's own ids.
 *
 * A prompt is answered by its receiver only: one of `aliases` must be an id that the prompt was sent to. `spellings` are
 * other ways to write the same phone number: good for finding a conversation, never for authority.
 */
export type Sender = {
  /** Where an answer goes: the id exactly as received. */
  readonly address: string;
  /** All ids of this person that came with the message, the address among them. */
  readonly aliases: readonly string[];
  readonly spellings: readonly string[];
  /** The phone number's id, where the platform told it. */
  readonly phone: string | null;
  /** The id that stays with the person and not with the phone number, where there is one. */
  readonly userId: string | null;
};

type Happened = {
  /** The platform's id of what came in: the same again when it is delivered twice. */
  readonly messageId: string;
  /** When, as the platform says; null where it does not: then the time of receipt is as good. */
  readonly at: Instant | null;
};

/** What came in, verified and for this account. */
export type InboundEvent =
  | (Happened & {
      readonly type: "tap";
      readonly sender: Sender;
      /** Null where the button is none of ours: then it is no decision, whatever its label says. */
      readonly token: string | null;
      readonly payload: string;
      readonly label: string | null;
      /** The platform's id of the message with the button, where it is told. */
      readonly providerMessageId: string | null;
    })
  | (Happened & {
      readonly type: "message";
      readonly sender: Sender;
      readonly text: string;
      /** The message that this one answers, where it is told. */
      readonly providerMessageId: string | null;
    })
  | {
      readonly type: "status";
      readonly providerMessageId: string;
      readonly status: DeliveryStatus;
      readonly at: Instant | null;
      /** What {@link SendContext} named the attempt, where the platform hands it back. */
      readonly attempt: string | null;
      /** Why; only when failed. */
      readonly failure: SendFailure | null;
    }
  /** Everything sent to this person until then. */
  | {
      readonly type: "watermark";
      readonly status: "delivered" | "read";
      readonly sender: Sender;
      readonly until: Instant;
    }
  /** The ids under which a person was known have become others: what waits for the former ones must not be decided. */
  | (Happened & {
      readonly type: "identity_changed";
      readonly former: readonly string[];
      readonly current: readonly string[];
    })
  /** The platform reports trouble with the account itself. */
  | { readonly type: "account_trouble"; readonly failure: SendFailure };

/**
 * What a webhook request was.
 *
 * `refused` is to be stored nowhere; its `hint` helps to find a wrong setting and holds no secret and nothing of the
 * body. The answer of `events` is to be given only after they were stored; until then an error makes the platform
 * deliver again.
 */
export type Reading =
  | { readonly kind: "handshake"; readonly answer: WebhookAnswer }
  | {
      readonly kind: "events";
      readonly events: readonly InboundEvent[];
      /** How many items were left out, by reason. */
      readonly ignored: { readonly [reason: string]: number };
      readonly answer: WebhookAnswer;
    }
  | {
      readonly kind: "refused";
      readonly reason: "signature" | "token" | "method";
      readonly hint: string;
      readonly answer: WebhookAnswer;
    };

/**
 * What a failure means for what to do next.
 *
 * `retry_later`: not sent, may be tried again. `window_closed`: the platform takes only templates now. `undeliverable`:
 * not to this person. `auth`: nothing can be sent from this account until a person sets it right. `bad_request`: what
 * was sent is wrong, and will be wrong again.
 */
export type FailureClass = "retry_later" | "window_closed" | "undeliverable" | "auth" | "bad_request";

/** Why a message was not sent or not delivered. */
export type SendFailure = {
  readonly class: FailureClass;
  /** The platform's code, with its subcode after a slash. */
  readonly code: string | null;
  /** What the platform said, without long digits or anything of the message. */
  readonly detail: string | null;
  /** Retry: not before this many milliseconds. */
  readonly waitMs: number | null;
  /** Retry: at most this often; null where only time is the limit. */
  readonly tries: number | null;
  /** True when an operator should hear of it. */
  readonly alert: boolean;
};

/**
 * What became of sending.
 *
 * `unknown`: the request may have arrived (a timeout, a lost connection, an answer without id). It is not a failure: a
 * status may still tell.
 */
export type SendResult =
  | {
      readonly kind: "sent";
      readonly providerMessageId: string;
      /** Every id that the platform named for the receiver, the one used among them: who may answer. */
      readonly aliases: readonly string[];
    }
  | { readonly kind: "failed"; readonly failure: SendFailure }
  | { readonly kind: "unknown"; readonly detail: string };

/** Ids of content that was registered with a platform once, by hash, kept for the account. */
export type ContentIds = {
  find(hash: string): Promise<string | undefined>;
  keep(hash: string, contentId: string): Promise<void>;
};

/** What goes with one attempt to send. */
export type SendContext = {
  /** Name of this attempt, unlike any other's; comes back in statuses where the platform can carry it. At most 200 printable ASCII. */
  readonly attempt: string;
  readonly contents: ContentIds;
  /** Path of this account's status callbacks, such as `/v1/channels/support_wa/status`. */
  readonly statusPath: string;
  /** Ends the wait for an answer; the result is then `unknown`. */
  readonly signal?: AbortSignal;
};

/** What keeps an account from working, for the person who set it up. Holds no secret and no phone number. */
export type SetupProblem = {
  /** What is wrong, or could not be found out. */
  readonly what: string;
  /** The option of the channel, or the place at the platform. */
  readonly where: string;
  /** What to do about it. */
  readonly next: string;
};

/** What the setup of an account is checked against. */
export type SetupContext = {
  /** Path of this account's webhook, such as `/v1/channels/support_wa/webhook`. */
  readonly webhookPath: string;
  /** Ends the check; what was not answered by then is a problem. */
  readonly signal?: AbortSignal;
};

/**
 * One account on one chat platform.
 *
 * `prompt`, `tell` and `read` are pure and never throw, whatever the bytes; `send` and `check` talk to the platform, and
 * their failures are values.
 */
export type Channel = {
  readonly kind: ChannelKind;
  prompt(card: FrozenCard, tokens: PromptTokens, time: PromptTime): Prompt;
  /** Plain text, or a receipt, as few messages as it fits, whole. */
  tell(said: string | Receipt, locale: string): readonly [OutboundMessage, ...OutboundMessage[]];
  read(request: InboundRequest): Reading;
  send(to: string, message: OutboundMessage, context: SendContext): Promise<SendResult>;
  /**
   * Asks the platform whether everything is set up; sends nothing to anybody and changes nothing. Empty: nothing is wrong
   * that the platform tells. A platform that cannot be reached is a problem, too.
   */
  check(context: SetupContext): Promise<readonly SetupProblem[]>;
};
