import type { Clock } from "@countersign/core";
import type { Courier, Hook, Retries } from "./courier.ts";
import type { SwitchBoard, Switches } from "./switches.ts";
import type { Thread, ThreadMessage } from "./thread.ts";
import type { ApiAnswer, ApiRequest } from "./wire.ts";

/** The platforms that are simulated; `twilio` is WhatsApp over Twilio. */
export type PlatformName = "whatsapp" | "messenger" | "instagram" | "twilio";

/** A button with what it hands back. */
export type Button = { readonly label: string; readonly payload: string };

/** A message that a business asks to send, checked. */
export type Outgoing = {
  /** The receiver, as asked. */
  readonly to: string;
  readonly kind: "text" | "prompt";
  readonly text: string;
  readonly buttons: readonly Button[];
  /** True for an approved template: it may go out at any time. */
  readonly template: boolean;
  /** True where the buttons are quick replies, whose taps arrive as messages. */
  readonly quickReplies?: boolean;
  /** What comes back in statuses. */
  readonly callbackData?: string;
  /** Where the statuses of this message go, where each message says that itself. */
  readonly statusUrl?: string;
};

/** What a message is when nobody wants the rest of it. */
export const plainText: Pick<Outgoing, "kind" | "buttons" | "template"> = {
  kind: "text",
  buttons: [],
  template: false,
};

/** Why a platform does not send or not deliver. */
export type Refused = "window_closed" | "unknown_receiver" | "undeliverable";

/** A person's side of a conversation with one account. */
export type Chat = {
  readonly id: string;
  readonly name: string;
  /** The id that stays with the person and not with the phone number, on WhatsApp. */
  userId: string | null;
  readonly thread: Thread;
  /** What was sent to this person, by message id. */
  readonly sent: Map<string, Outgoing>;
  lastHeardAt: number | null;
};

/** What a customer does, beside the message that their phone shows for it. */
export type Act =
  | {
      readonly type: "text";
      readonly text: string;
      readonly forwarded: boolean;
      readonly replyTo: string | null;
    }
  | { readonly type: "tap"; readonly button: Button; readonly messageId: string; readonly template: boolean }
  | { readonly type: "reaction"; readonly emoji: string; readonly messageId: string };

/** What is told of a message. */
export type Told =
  | { readonly status: "sent" | "delivered"; readonly why?: undefined }
  | { readonly status: "failed"; readonly why: Refused };

/** What one platform does in its own way. */
export type Platform = {
  readonly name: PlatformName;
  readonly retries: Retries;
  /** True when a refusal may also be told as a failed status. */
  readonly failsLater: boolean;
  /** True when the request is for this account: by its address, else by its credential. */
  claims(request: ApiRequest): boolean;
  /** What is refused before anything is read: a wrong credential. */
  refused(request: ApiRequest): ApiAnswer | undefined;
  /** A message to send, or what to answer everything else. */
  read(request: ApiRequest): { readonly send: Outgoing } | { readonly answer: ApiAnswer };
  answerTo(trouble: "busy" | "broken" | Refused): ApiAnswer;
  accepted(message: Outgoing, id: string, chat: Chat | undefined): ApiAnswer;
  /** The id of the chat with a receiver. */
  chatIdOf(to: string): string;
  newId(from: "business" | "customer"): string;
  /** The webhook of what a customer did; undefined where the platform has none, or nobody subscribed to it. */
  heard(act: Act, message: ThreadMessage, chat: Chat): Hook | undefined;
  told(told: Told, id: string, message: Outgoing, chat: Chat | undefined): Hook | undefined;
  /** The webhooks that the customer has read these messages. */
  seen(messages: readonly ThreadMessage[], chat: Chat): readonly Hook[];
  /** The webhook that a person's id has become another; undefined where ids stay. */
  renamed(former: string, chat: Chat): Hook | undefined;
  /** The copy of a sent message for the business's other apps. */
  echo(message: ThreadMessage, chat: Chat): Hook | undefined;
  /** What the account's app is subscribed to, on platforms where an app is. */
  subscription(): AppSubscription | undefined;
  /** Verifies the address of the webhook, where the platform does so. Rejects with the reason. */
  verify(hookUrl: string): Promise<void>;
};

/** A webhook of an app for one kind of object. */
export type AppSubscription = {
  readonly appId: string;
  readonly object: string;
  readonly fields: readonly string[];
  readonly callbackUrl: string;
};

/** What a platform may use of its surroundings. */
export type Surroundings = {
  readonly clock: Clock;
  readonly switches: SwitchBoard;
  /** A number unlike any other of this simulator. */
  count(): number;
  /** Where webhooks go; undefined until it was told, and while the setup's faults keep them away. */
  hookUrl(): string | undefined;
  /** The address that was told, whatever the faults. */
  connectedUrl(): string | undefined;
  /** All webhooks of an app, of every platform. */
  subscriptions(appId: string): readonly AppSubscription[];
};

/** One account at its platform, with everybody it talks to. */
export type Account = {
  readonly platform: Platform;
  readonly chats: Map<string, Chat>;
  readonly switches: SwitchBoard;
  readonly courier: Courier;
  readonly clock: Clock;
};

/** True when one of the setup's faults is switched on. */
export function hasFault({ setup }: Switches, fault: Switches["setup"][number]): boolean {
  return setup.includes(fault);
}
