import type { Switches, ThreadMessage } from "@countersign/chat-simulator";
import type { Person } from "../../bot/chat-log.ts";
import type { AccountName } from "../../phones/accounts.ts";
import { ask, part } from "../backend.ts";

/** A phone as the page sees it. */
export type PhoneView = {
  readonly conversationId: string;
  readonly account: AccountName;
  readonly address: string;
  readonly person: Person | null;
  /** An order of this phone's customer that nobody else touches. */
  readonly order: string;
  /** Why the latest proposal could not be shown here, or null. */
  readonly undelivered: string | null;
  readonly messages: readonly ThreadMessage[];
};

/** The phones of the playground's backend. */
export const phonesBackend = {
  open: (conversationId: string, account: AccountName): Promise<PhoneView> =>
    ask("POST", "/phones", { conversationId, account }),
  read: (conversationId: string): Promise<PhoneView> => ask("GET", `/phones/${part(conversationId)}`),
  type: (conversationId: string, text: string): Promise<unknown> =>
    ask("POST", `/phones/${part(conversationId)}/text`, { text }),
  tap: (conversationId: string, messageId: string, button: number): Promise<unknown> =>
    ask("POST", `/phones/${part(conversationId)}/tap`, { messageId, button }),
  setSwitches: (account: AccountName, change: Partial<Switches>): Promise<Switches> =>
    ask("PUT", "/phones/switches", { account, ...change }),
} as const;
