import { ConfigurationError } from "../base/errors.ts";
import type { Channel } from "../ports/channel.ts";
import type { Store } from "../ports/store.ts";
import type { Tool } from "../tool/define.ts";
import type { OnMessage } from "./chats/message.ts";
import type { Logger } from "./observe.ts";
import type { OutcomeWrite } from "./receiver.ts";
import type { RetentionOptions } from "./retention.ts";

/** What the server is told in `countersign.config.ts`. */
export type ServerConfig = {
  readonly tools: readonly Tool[];
  readonly store: Store;
  /**
   * Who may call this server: a name for journals, what the key may do, and the secret itself (at least 8 characters).
   * `agent` stands alone: who proposes must not be able to decide.
   */
  readonly apiKeys: readonly {
    readonly name: string;
    readonly roles: readonly ("agent" | "host" | "operator")[];
    readonly secret: string;
  }[];
  /** Seals card sessions: at least 32 bytes; several for rotation, the newest first. */
  readonly sessionSecret: string | readonly string[];
  /** Origins of pages that show the card, such as `https://shop.example`. Default: none. */
  readonly allowedOrigins?: readonly string[];
  /** What `ctx.secrets.get(name)` gives handlers. */
  readonly secrets?: { readonly [name: string]: string };
  /**
   * Told of every write that is decided or settled: at least once each (`id` and `seq` tell repeats), those of one write in
   * order. A throw, or no end within 15 s, is tried again at growing gaps for some three days.
   */
  readonly onOutcome?: (write: OutcomeWrite) => void | Promise<void>;
  /** The same, pushed over HTTP and signed as Standard Webhooks has it. Several secrets for rotation: each signs. */
  readonly outcomeWebhooks?: readonly {
    readonly url: string;
    readonly secret: string | readonly string[];
  }[];
  /**
   * Chat accounts, by names of 1 to 64 letters, digits, `_` and `-`: a conversation's contact names one, and its webhooks
   * arrive at `/v1/channels/{account}/webhook`. Made with `whatsapp({ … })` and its siblings of `@countersign/channels`.
   */
  readonly channels?: { readonly [account: string]: Channel };
  /** Told of chat messages that are no decisions, for the bot: at least once each (`account` and `messageId` tell repeats). */
  readonly onMessage?: OnMessage;
  /**
   * Where customers reach this server, such as `https://confirm.shop.example`: prompts in chats then carry a link to the card
   * on its page `/review`. Default: they carry none.
   */
  readonly reviewUrl?: string;
  /** Where failures are written that nobody waits for, fields first as pino has it. Default: one line each on stderr. */
  readonly logger?: Logger;
  /** Where the customer can verify again, for a write that waits for it. */
  readonly verifyUrl?: (write: { readonly id: string; readonly conversationId: string }) => string;
  /** Default: `live`. In `hosted` and `eval` no write ever runs. */
  readonly mode?: "live" | "hosted" | "eval";
  /** A BCP 47 language tag. Default: `en`. */
  readonly defaultLocale?: string;
  /** An IANA time zone. Default: `UTC`. */
  readonly defaultTimeZone?: string;
  /** Per conversation; 0 switches a limit off. */
  readonly limits?: {
    /** Default: 20. */
    readonly proposalsPerMinute?: number;
    /** How long the same proposal is refused after a decline. Default: 60. */
    readonly repeatAfterDeclineSeconds?: number;
  };
  /** How long clients' keys and the values of finished writes are kept. */
  readonly retention?: RetentionOptions;
};

/** Types a configuration; it is checked when the server starts. */
export function defineConfig(config: ServerConfig): ServerConfig {
  return config;
}

/** Reads an environment variable. Throws ConfigurationError when it is not set or empty. */
export function env(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") {
    throw new ConfigurationError(
      `the environment variable ${name} is not set: export it, or write ${name}=… into the .env file next to the configuration`,
    );
  }
  return value;
}
