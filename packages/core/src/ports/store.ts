import type { Cancel, Instant } from "../base/clock.ts";
import type { WriteState } from "../card/model.ts";
import type { ChatStore } from "./chat-store.ts";
import type {
  ConversationRow,
  DeliveryRow,
  JournalRow,
  KeyRow,
  PlainRow,
  StoredWrite,
  WriteRow,
} from "./store-rows.ts";

export type {
  ContactRow,
  ConversationRow,
  DeliveryRow,
  InboxRow,
  JournalRow,
  KeyRow,
  PlainRow,
  PromptRow,
  PromptStatus,
  StoredWrite,
  WriteRow,
} from "./store-rows.ts";

/** New events of one write and the row as it stands after them. */
export type WriteAppend = {
  readonly row: WriteRow;
  /** Consecutive, never empty; the first one's seq is the number the write must not have yet. */
  readonly events: readonly [JournalRow, ...JournalRow[]];
  readonly plains: readonly PlainRow[];
};

/** What must still hold of a conversation. */
export type Guard = {
  readonly conversationId: string;
  /** The conversation's epoch must still be this one; a missing row counts as epoch 0. */
  readonly epoch: number;
  /** Where given: the conversation's row must still be exactly this one, null for none. */
  readonly row?: ConversationRow | null;
  /** Where given: must be the ref of a customer who was not erased since. */
  readonly customerRef?: string;
};

/**
 * A customer to forget. `writes` of the same append must be all writes whose row has this ref, each with an event of its
 * own, so that whoever holds an older state of one loses against it.
 *
 * With the append's own rows, and in its transaction, go for good, so that no file or table holds them any longer:
 * - all plain rows of these writes;
 * - the customer's row, so that the same id gets a new ref the next time;
 * - `keys`: rows of these writes stay with an empty fingerprint, no answer and no `customerRef`, so that no call fits them
 *   any more and none runs a second time; other rows with this `customerRef` go;
 * - `conversations` with this ref: back to a row with nobody in it and everything else null, at the next epoch. Those with
 *   nobody in them in which one of these writes was made lose channel and address;
 * - `prompts` of these writes;
 * - `contacts` under one of the addresses that went, and those with the same `userId`;
 * - `deliveries` of these writes, and those whose body holds the customer's id, one of the addresses that went or an id of one
 *   of these contacts, as a whole JSON string; an `inbox` body that does becomes `{}`.
 */
export type Erasure = { readonly customerId: string; readonly customerRef: string };

/** Everything one step records, in one transaction. */
export type Append = {
  readonly guards: readonly Guard[];
  /** A customer to forget; absent in every other step. */
  readonly erase?: Erasure;
  /** Conversation rows to insert or replace, in this order, after the guards hold. */
  readonly conversations: readonly ConversationRow[];
  /** In this order: an earlier one may close a write so that a later one may open in the same conversation. */
  readonly writes: readonly WriteAppend[];
  /** A client's key to claim: a conflict when a row with `keepUntil` later than `now` has it. */
  readonly key: KeyRow | null;
  readonly deliveries: readonly DeliveryRow[];
  readonly now: Instant;
};

/**
 * What became of an append. A conflict changed nothing at all:
 * `seq`: the journal already holds such an event; `epoch`: a guard does not hold, most often because the customer changed;
 * `customer`: the customer to erase has another ref or none, or has writes that are not in the append; `open`: the
 * conversation already has an open write; `key`: the client's key is taken; `address`: another conversation has this channel
 * address. Where several apply: the first of epoch, customer, key, address, and then seq before open for each write in order.
 */
export type AppendResult =
  | { readonly kind: "appended" }
  | { readonly kind: "conflict"; readonly on: "seq" | "epoch" | "customer" | "open" | "key" | "address" };

/** Which writes to list: newest first by `(createdAt, id)`. Absent members do not restrict. */
export type WriteFilter = {
  readonly conversationId?: string;
  readonly state?: WriteState;
  readonly tool?: string;
  readonly attention?: true;
  /** Writes of this customer; for a conversation without customer, those of its epoch. */
  readonly owner?: { readonly customerRef: string } | { readonly epoch: number };
  /** Only writes created at or after this time. */
  readonly createdSince?: Instant;
  /** Only writes of this conversation that are pending, or that settled at or after `since`. */
  readonly stillTold?: { readonly conversationId: string; readonly since: Instant };
  /** 1 to 200. */
  readonly limit: number;
  /** `nextCursor` of the page before. */
  readonly cursor?: string;
};

/** Told after a commit. Without an id: another process changed something, look at everything you watch. */
export type StoreChange = { readonly conversationId: string | null };

/**
 * Where journals live. Every method either does all it says or rejects and changes nothing; what was answered is durable.
 *
 * An implementation is proved by the store contract in `@countersign/core/testing`.
 */
export type Store = ChatStore & {
  /**
   * Appends in one transaction, or answers with the conflict and changes nothing. Never throws for a conflict.
   *
   * Rejects with an `IntegrityError` what no correct program appends: see `checkAppend`; a write that changes its
   * conversation or time of creation, or skips an event; a delivery id that exists.
   */
  append(append: Append): Promise<AppendResult>;

  readWrite(writeId: string): Promise<StoredWrite | undefined>;
  /** Rejects with a `RangeError` a cursor that it did not give, and a limit outside of 1 to 200. */
  listWrites(
    filter: WriteFilter,
  ): Promise<{ readonly rows: readonly WriteRow[]; readonly nextCursor: string | null }>;
  /** The conversation's row (undefined when it has none) and the id of its open write. */
  readConversation(
    conversationId: string,
  ): Promise<{ readonly conversation: ConversationRow | undefined; readonly openWriteId: string | null }>;
  findConversationByAddress(channel: string, address: string): Promise<ConversationRow | undefined>;

  /** The internal ref of a customer id; `newRef` becomes it when the customer has none yet. */
  customerRefOf(customerId: string, newRef: string): Promise<string>;
  /** The internal ref of a customer id; undefined when it has none, or none any more. */
  findCustomerRef(customerId: string): Promise<string | undefined>;
  /** The host's own customer id behind a ref; undefined once erased. */
  findCustomerId(customerRef: string): Promise<string | undefined>;

  /** Claims a client's key unless a row with `keepUntil` later than `now` has it; then answers with that row. */
  claimKey(row: KeyRow, now: Instant): Promise<KeyRow | "claimed">;
  /** Records the answer of a claimed key and how long it is kept. Does nothing for a key that nobody claimed. */
  answerKey(scope: string, key: string, answer: string, keepUntil: Instant): Promise<void>;
  /** Forgets a claimed key whose call ended in a refusal. A key with an answer or a write stays. */
  releaseKey(scope: string, key: string): Promise<void>;
  /** The row of a client's key whose `keepUntil` is later than `now`. */
  findKey(scope: string, key: string, now: Instant): Promise<KeyRow | undefined>;
  /** Deletes up to `limit` keys that do not count any more at `now`; answers with how many it found. */
  purgeKeys(purge: { readonly now: Instant; readonly limit: number }): Promise<number>;
  /**
   * Looks at up to `limit` writes created before `endedBefore`, oldest `(createdAt, id)` first from the cursor on, and drops
   * the plain rows of those in a final state whose last event is from before it too. Answers with where to go on, or null at
   * the end.
   */
  purgePlain(purge: {
    readonly endedBefore: Instant;
    readonly limit: number;
    readonly cursor: string | null;
  }): Promise<string | null>;

  /**
   * Takes up to `limit` writes with `dueAt` at or before `now` that nobody holds, soonest first; they are held for
   * `leaseMs`. Any append to the write ends the hold.
   */
  takeDue(take: {
    readonly now: Instant;
    readonly limit: number;
    readonly leaseMs: number;
  }): Promise<readonly string[]>;
  /**
   * Takes one write, due or not, as {@link Store.takeDue} would; false when somebody holds it or there is none. Held until
   * `now + leaseMs`, or until any append to the write.
   */
  holdWrite(hold: {
    readonly writeId: string;
    readonly now: Instant;
    readonly leaseMs: number;
  }): Promise<boolean>;
  /** Ends a hold before its time: the one until `heldUntil`, and no other. */
  releaseWrite(writeId: string, heldUntil: Instant): Promise<void>;
  /** The earliest `dueAt` of any write or delivery that nobody holds at `now`, or null. */
  nextDueAt(now: Instant): Promise<Instant | null>;

  /**
   * Takes due deliveries like {@link Store.takeDue}; `attempts` counts this one. Of those with the same write and kind none
   * is taken before all with a smaller id are finished.
   */
  takeDeliveries(take: {
    readonly now: Instant;
    readonly limit: number;
    readonly leaseMs: number;
  }): Promise<readonly DeliveryRow[]>;
  /** Removes a delivery that was made or given up. */
  finishDelivery(id: string): Promise<void>;
  /** Hands a delivery back, to be taken again at `dueAt`; with another body where one is given. */
  retryDelivery(id: string, dueAt: Instant, body?: string): Promise<void>;

  /**
   * Calls `listener` after every commit that changed a conversation's writes or customer, own or another process's
   * (within 2 s). What it throws becomes a process warning and harms neither the commit nor other listeners.
   */
  watch(listener: (change: StoreChange) => void): Cancel;

  /** Resolves when the store answers and its schema is the one this code needs; rejects with what to do otherwise. */
  ready(): Promise<void>;
  /** Finishes what was asked, then lets go of files and connections. What is asked later is rejected. */
  close(): Promise<void>;
};
