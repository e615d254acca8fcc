import { holdsOneOf } from "../ports/erased-texts.ts";
import type { Append, ConversationRow, Erasure } from "../ports/store.ts";
import { type Changes, type MemoryTables, pair } from "./tables.ts";

/** True when the customer is another by now, or has a write that the append does not know of. */
export function missesCustomer(tables: MemoryTables, append: Append): boolean {
  const { erase } = append;
  if (erase === undefined) return false;
  if (tables.customers.get(erase.customerId) !== erase.customerRef) return true;
  const known = new Set(append.writes.map(({ row }) => row.id));
  return [...tables.writes.values()].some(
    ({ row }) => row.customerRef === erase.customerRef && !known.has(row.id),
  );
}

/** Takes the customer out of the conversations; answers with the addresses that went. */
function leaveConversations(
  tables: MemoryTables,
  changes: Changes,
  { customerRef }: Erasure,
  wrote: ReadonlySet<string>,
): readonly string[] {
  const addresses: string[] = [];
  for (const row of [...tables.conversations.values()]) {
    const present = row.customerRef === customerRef;
    if (!present && (row.customerRef !== null || !wrote.has(row.id))) continue;
    if (row.channel !== null && row.address !== null) {
      changes.remove(tables.addresses, pair(row.channel, row.address));
      addresses.push(row.address);
    }
    const left: ConversationRow = present
      ? {
          id: row.id,
          epoch: row.epoch + 1,
          customerRef: null,
          level: null,
          authenticatedAt: null,
          channel: null,
          address: null,
          locale: null,
          timeZone: null,
        }
      : { ...row, channel: null, address: null };
    changes.set(tables.conversations, row.id, left);
  }
  return addresses;
}

function dropKeys(
  tables: MemoryTables,
  changes: Changes,
  customerRef: string,
  writeIds: ReadonlySet<string>,
): void {
  for (const [at, row] of [...tables.keys]) {
    if (row.writeId !== null && writeIds.has(row.writeId)) {
      changes.set(tables.keys, at, { ...row, fingerprint: "", answer: null, customerRef: null });
    } else if (row.customerRef === customerRef) changes.remove(tables.keys, at);
  }
}

function dropMessages(
  tables: MemoryTables,
  changes: Changes,
  texts: readonly string[],
  writeIds: ReadonlySet<string>,
): void {
  for (const [id, { row }] of [...tables.deliveries]) {
    if ((row.writeId !== null && writeIds.has(row.writeId)) || holdsOneOf(row.body, texts))
      changes.remove(tables.deliveries, id);
  }
  for (const [at, row] of [...tables.inbox]) {
    if (holdsOneOf(row.body, texts)) changes.set(tables.inbox, at, { ...row, body: "{}" });
  }
}

/** Drops the prompts of the writes, and what is known of whoever has one of the addresses; answers with all their ids. */
function dropChats(
  tables: MemoryTables,
  changes: Changes,
  addresses: readonly string[],
  writeIds: ReadonlySet<string>,
): readonly string[] {
  for (const [token, row] of [...tables.prompts]) {
    if (writeIds.has(row.writeId)) changes.remove(tables.prompts, token);
  }
  const contacts = [...tables.contacts];
  const gone = contacts.filter(([, row]) => addresses.includes(row.address));
  const userIds = new Set(gone.map(([, row]) => row.userId));
  const ids = [...addresses];
  for (const [at, row] of contacts) {
    if (!addresses.includes(row.address) && (row.userId === null || !userIds.has(row.userId))) continue;
    changes.remove(tables.contacts, at);
    ids.push(row.address, ...(row.userId === null ? [] : [row.userId]));
  }
  return ids;
}

/** Forgets a customer; see `Erasure`. */
export function eraseFrom(
  tables: MemoryTables,
  changes: Changes,
  erase: Erasure,
  writes: Append["writes"],
): void {
  const writeIds = new Set(writes.map(({ row }) => row.id));
  const wrote = new Set(writes.map(({ row }) => row.conversationId));
  for (const id of writeIds) {
    const stored = tables.writes.get(id);
    if (stored !== undefined) changes.set(tables.writes, id, { ...stored, plains: [] });
  }
  changes.remove(tables.customers, erase.customerId);
  changes.remove(tables.customerIds, erase.customerRef);
  const addresses = leaveConversations(tables, changes, erase, wrote);
  dropKeys(tables, changes, erase.customerRef, writeIds);
  const ids = dropChats(tables, changes, addresses, writeIds);
  dropMessages(tables, changes, [erase.customerId, ...ids], writeIds);
}
