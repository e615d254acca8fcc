import type { Instant } from "../base/clock.ts";
import { IntegrityError } from "../base/errors.ts";
import type {
  ContactRow,
  ConversationRow,
  DeliveryRow,
  InboxRow,
  KeyRow,
  PromptRow,
  StoredWrite,
} from "../ports/store.ts";

/** Until when somebody holds it; 0 when nobody ever did. */
export type Held = { readonly leaseUntil: Instant };

export type MemoryTables = {
  readonly writes: Map<string, StoredWrite & Held>;
  /** Conversation id to its open write: the index that makes "one open write" true. */
  readonly openWrites: Map<string, string>;
  readonly conversations: Map<string, ConversationRow>;
  /** Channel and address to the conversation that has them. */
  readonly addresses: Map<string, string>;
  /** Customer id to ref. */
  readonly customers: Map<string, string>;
  /** Ref to customer id. */
  readonly customerIds: Map<string, string>;
  readonly keys: Map<string, KeyRow>;
  readonly deliveries: Map<string, { readonly row: DeliveryRow } & Held>;
  readonly inbox: Map<string, InboxRow>;
  /** In the order in which they were put. */
  readonly prompts: Map<string, PromptRow>;
  /** By account and address. */
  readonly contacts: Map<string, ContactRow>;
  /** By account and hash. */
  readonly contents: Map<string, string>;
};

export function emptyTables(): MemoryTables {
  return {
    writes: new Map(),
    openWrites: new Map(),
    conversations: new Map(),
    addresses: new Map(),
    customers: new Map(),
    customerIds: new Map(),
    keys: new Map(),
    deliveries: new Map(),
    inbox: new Map(),
    prompts: new Map(),
    contacts: new Map(),
    contents: new Map(),
  };
}

/** One map key for two texts, whatever characters they hold. */
export function pair(first: string, second: string): string {
  return JSON.stringify([first, second]);
}

/** Changes to tables that can be taken back, all of them, latest first. */
export type Changes = {
  set<V>(table: Map<string, V>, key: string, value: V): void;
  remove<V>(table: Map<string, V>, key: string): void;
  takeBack(): void;
};

export function recordChanges(): Changes {
  const undo: (() => void)[] = [];

  function remember<V>(table: Map<string, V>, key: string): void {
    const before = table.get(key);
    undo.push(before === undefined ? () => table.delete(key) : () => table.set(key, before));
  }

  return {
    set(table, key, value) {
      remember(table, key);
      table.set(key, value);
    },
    remove(table, key) {
      remember(table, key);
      table.delete(key);
    },
    takeBack() {
      for (const step of undo.reverse()) step();
    },
  };
}

/** Adds a delivery; throws where its id exists. */
export function putDelivery(tables: MemoryTables, changes: Changes, row: DeliveryRow): void {
  if (tables.deliveries.has(row.id)) {
    throw new IntegrityError(`delivery ${row.id} exists already; give each its own id`);
  }
  changes.set(tables.deliveries, row.id, { row: { ...row }, leaseUntil: 0 });
}
