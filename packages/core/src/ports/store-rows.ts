import type { Instant } from "../base/clock.ts";
import type { WriteState } from "../card/model.ts";
import type { DeliveryStatus } from "./delivery-status.ts";

/** One event of a write's journal, as stored. `by`, `body` and `commits` are canonical JSON texts. */
export type JournalRow = {
  readonly writeId: string;
  readonly seq: number;
  readonly at: Instant;
  readonly type: string;
  readonly v: number;
  readonly by: string;
  readonly body: string;
  readonly commits: string;
  readonly prev: string;
  readonly hash: string;
};

/** What the commits of one event commit to, as canonical JSON texts; erasable. */
export type PlainRow = {
  readonly writeId: string;
  readonly seq: number;
  readonly salt: string;
  readonly args: string | null;
  readonly card: string | null;
  readonly plan: string | null;
  /** Result, message, operationRef and notes of an outcome. */
  readonly outcome: string | null;
  /** The write's own idempotency key; on the first event only. */
  readonly idempotencyKey: string | null;
};

/** Where a write stands, derived from its journal; for lists and locks. */
export type WriteRow = {
  readonly id: string;
  readonly conversationId: string;
  readonly state: WriteState;
  readonly version: number;
  /** Number of the last event. */
  readonly seq: number;
  /** True while the write blocks other writes of its conversation. */
  readonly open: boolean;
  readonly tool: string;
  readonly toolVersion: string;
  /** The conversation's epoch the write belongs to. */
  readonly epoch: number;
  readonly customerRef: string | null;
  /** Name of the api key that proposed it, or null for an operator's write. */
  readonly agent: string | null;
  /** True when a person has to look. */
  readonly attention: boolean;
  /** When something is next due, or null. */
  readonly dueAt: Instant | null;
  readonly createdAt: Instant;
  readonly decidedAt: Instant | null;
  readonly settledAt: Instant | null;
};

/** A write with its whole journal, in order of seq. Plain rows are missing where erased or never needed. */
export type StoredWrite = {
  readonly row: WriteRow;
  readonly events: readonly JournalRow[];
  readonly plains: readonly PlainRow[];
};

/** Who is in a conversation. A conversation without a row is one at epoch 0 without customer. */
export type ConversationRow = {
  readonly id: string;
  readonly epoch: number;
  readonly customerRef: string | null;
  readonly level: "low" | "standard" | "high" | null;
  readonly authenticatedAt: Instant | null;
  /** Channel account and platform address, where the conversation lives in a chat. One address belongs to one conversation. */
  readonly channel: string | null;
  readonly address: string | null;
  readonly locale: string | null;
  readonly timeZone: string | null;
};

/** A client's own key, within its scope. `answer` is null while the call is in flight, and for writes. */
export type KeyRow = {
  readonly scope: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly writeId: string | null;
  readonly answer: string | null;
  readonly customerRef: string | null;
  /** Until when the row counts; a later call may take the key anew. */
  readonly keepUntil: Instant;
};

/** A message to send, kept until it was sent or given up. `body` is JSON text. */
export type DeliveryRow = {
  readonly id: string;
  /** What is sent to whom; those of one write and kind are taken one after the other, in order of id. */
  readonly kind: string;
  readonly writeId: string | null;
  readonly body: string;
  /** Not before. */
  readonly dueAt: Instant;
  readonly attempts: number;
};

/** A message that came in from a channel, kept once per account and message id. */
export type InboxRow = {
  readonly account: string;
  readonly messageId: string;
  readonly receivedAt: Instant;
  readonly body: string;
};

/** How far a prompt came: `asked` until the platform answered. */
export type PromptStatus = "asked" | DeliveryStatus;

/** One attempt to show one version of a write in a chat. */
export type PromptRow = {
  /** Hash of the id in the tokens of its buttons: who reads the table cannot tap. */
  readonly token: string;
  readonly writeId: string;
  readonly version: number;
  readonly account: string;
  /** Where it went, and every id that the platform named for the receiver since, that one among them. */
  readonly address: string;
  readonly aliases: readonly string[];
  /** The platform's id of the message; null until it is known. */
  readonly providerMessageId: string | null;
  readonly status: PromptStatus;
};

/** What is known of somebody who wrote to an account, under one of the ids they came with. */
export type ContactRow = {
  readonly account: string;
  readonly address: string;
  /** The id that stays with the person and not with the phone number; null where the platform told none. */
  readonly userId: string | null;
  /** When they last wrote or tapped. */
  readonly lastInboundAt: Instant;
};
