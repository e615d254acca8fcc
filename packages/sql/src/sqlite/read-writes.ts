import {
  type ConversationRow,
  checkLimit,
  type JournalRow,
  type PlainRow,
  parseWriteCursor,
  type StoredWrite,
  type WriteFilter,
  type WriteRow,
  writeCursor,
} from "@countersign/core";
import type { Database, Statement } from "better-sqlite3";

type Flags = { readonly open: 0 | 1; readonly attention: 0 | 1 };
type StoredRow = Omit<WriteRow, keyof Flags> & Flags;

const writeColumns = `id, conversation_id as conversationId, state, version, seq, open, tool, tool_version as toolVersion,
  epoch, customer_ref as customerRef, agent, attention, due_at as dueAt, created_at as createdAt,
  decided_at as decidedAt, settled_at as settledAt`;

function toWriteRow(row: StoredRow): WriteRow {
  return { ...row, open: row.open === 1, attention: row.attention === 1 };
}

/** Reads one write with its journal. */
export function prepareReadWrite(db: Database): (writeId: string) => StoredWrite | undefined {
  const row = db.prepare<[string], StoredRow>(`select ${writeColumns} from writes where id = ?`);
  // Up to the row's own last event: another process may append between the statements.
  const events = db.prepare<[string, number], JournalRow>(
    `select write_id as writeId, seq, at, type, v, by, body, commits, prev, hash from journal
      where write_id = ? and seq <= ? order by seq`,
  );
  const plains = db.prepare<[string, number], PlainRow>(
    `select write_id as writeId, seq, salt, args, card, plan, outcome, idempotency_key as idempotencyKey
      from journal join plain using (id) where write_id = ? and seq <= ? order by seq`,
  );
  return (writeId) => {
    const found = row.get(writeId);
    if (found === undefined) return undefined;
    return {
      row: toWriteRow(found),
      events: events.all(writeId, found.seq),
      plains: plains.all(writeId, found.seq),
    };
  };
}

type Condition = { readonly sql: string; readonly values: readonly (string | number)[] };

function conditionsOf(filter: WriteFilter): readonly Condition[] {
  const conditions: Condition[] = [];
  const where = (sql: string, ...values: readonly (string | number)[]): void => {
    conditions.push({ sql, values });
  };
  if (filter.conversationId !== undefined) where("conversation_id = ?", filter.conversationId);
  if (filter.state !== undefined) where("state = ?", filter.state);
  if (filter.tool !== undefined) where("tool = ?", filter.tool);
  if (filter.attention !== undefined) where("attention = 1");
  if (filter.createdSince !== undefined) where("created_at >= ?", filter.createdSince);
  if (filter.stillTold !== undefined) {
    const { conversationId, since } = filter.stillTold;
    where("conversation_id = ? and (state = 'pending' or settled_at >= ?)", conversationId, since);
  }
  if (filter.owner !== undefined) {
    if ("customerRef" in filter.owner) where("customer_ref = ?", filter.owner.customerRef);
    else where("customer_ref is null and epoch = ?", filter.owner.epoch);
  }
  if (filter.cursor !== undefined) {
    const { createdAt, id } = parseWriteCursor(filter.cursor);
    where("(created_at, id) < (?, ?)", createdAt, id);
  }
  return conditions;
}

/** Lists writes, newest first. Each combination of filters is prepared once. */
export function prepareListWrites(
  db: Database,
): (filter: WriteFilter) => { readonly rows: readonly WriteRow[]; readonly nextCursor: string | null } {
  const prepared = new Map<string, Statement<(string | number)[], StoredRow>>();
  return (filter) => {
    const limit = checkLimit(filter.limit);
    const conditions = conditionsOf(filter);
    const where = conditions.map((condition) => condition.sql).join(" and ");
    let select = prepared.get(where);
    if (select === undefined) {
      select = db.prepare(
        `select ${writeColumns} from writes ${where === "" ? "" : `where ${where}`}
          order by created_at desc, id desc limit ?`,
      );
      prepared.set(where, select);
    }
    // One more than asked tells whether there is another page.
    const found = select.all(...conditions.flatMap((condition) => condition.values), limit + 1);
    const rows = found.slice(0, limit).map(toWriteRow);
    const last = rows.at(-1);
    return { rows, nextCursor: found.length > limit && last !== undefined ? writeCursor(last) : null };
  };
}

const conversationColumns = `c.id, c.epoch, c.customer_ref as customerRef, c.level, c.authenticated_at as authenticatedAt,
  c.channel, c.address, c.locale, c.time_zone as timeZone`;

/** Reads a conversation and the id of its open write, both of one moment. */
export function prepareReadConversation(db: Database): (id: string) => {
  readonly conversation: ConversationRow | undefined;
  readonly openWriteId: string | null;
} {
  const select = db.prepare<
    [string, string],
    { readonly [Key in keyof ConversationRow]: ConversationRow[Key] | null } & {
      readonly openWriteId: string | null;
    }
  >(
    `select ${conversationColumns}, (select id from writes where conversation_id = ? and open = 1) as openWriteId
      from (select 1) left join conversations c on c.id = ?`,
  );
  return (id) => {
    const found = select.get(id, id);
    if (found === undefined) return { conversation: undefined, openWriteId: null };
    const { openWriteId, ...conversation } = found;
    if (conversation.id === null || conversation.epoch === null)
      return { conversation: undefined, openWriteId };
    return { conversation: { ...conversation, id: conversation.id, epoch: conversation.epoch }, openWriteId };
  };
}

/** Finds the conversation that has a channel address. */
export function prepareFindByAddress(
  db: Database,
): (channel: string, address: string) => ConversationRow | undefined {
  const select = db.prepare<[string, string], ConversationRow>(
    `select ${conversationColumns} from conversations c where c.channel = ? and c.address = ?`,
  );
  return (channel, address) => select.get(channel, address);
}
