import type { Instant } from "../base/clock.ts";
import type { ContactRow, DeliveryRow, InboxRow, PromptRow, PromptStatus } from "./store-rows.ts";

/** What chats keep in a store: messages that came in, prompts that went out, who wrote, and contents that a platform has. */
export type ChatStore = {
  /**
   * Keeps an incoming message and, in the same transaction, what is to be done about it; does neither and answers false when
   * this account already has one with the id.
   */
  receive(message: InboxRow, delivery: DeliveryRow | null): Promise<boolean>;
  /** Deletes up to `limit` incoming messages received before `receivedBefore`; answers with how many. */
  purgeInbox(purge: { readonly receivedBefore: Instant; readonly limit: number }): Promise<number>;

  /** Keeps a prompt that is about to be sent. Rejects with an `IntegrityError` a token that is there. */
  putPrompt(prompt: PromptRow): Promise<void>;
  findPrompt(token: string): Promise<PromptRow | undefined>;
  findPromptByMessage(account: string, providerMessageId: string): Promise<PromptRow | undefined>;
  /** The prompts of a write, in the order in which they were put. */
  listPrompts(writeId: string): Promise<readonly PromptRow[]>;
  /** Adds what the platform said of a prompt. Does nothing for one that is gone. */
  notePrompt(
    token: string,
    said: { readonly providerMessageId: string; readonly aliases: readonly string[] },
  ): Promise<void>;
  /** Moves a prompt from one status to another; false when it has another one by now or is gone. */
  movePrompt(token: string, from: PromptStatus, to: PromptStatus): Promise<boolean>;

  /** Replaces what is known under these ids; a `lastInboundAt` never goes back. */
  putContacts(contacts: readonly ContactRow[]): Promise<void>;
  findContact(account: string, address: string): Promise<ContactRow | undefined>;
  /** Everything known under the ids of one person. */
  listContacts(account: string, userId: string): Promise<readonly ContactRow[]>;

  /** The id that a platform gave to a content of this account, by the content's hash. */
  findContent(account: string, hash: string): Promise<string | undefined>;
  /** Keeps it, or replaces the one that was kept. */
  keepContent(account: string, hash: string, contentId: string): Promise<void>;
};
