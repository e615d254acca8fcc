import { createHash } from "node:crypto";
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
import type { Database, Statement } from "./database.ts";

const writeColumns = `w.id, w.conversation_id as "conversationId", w.state, w.version, w.seq, w.open, w.tool,
  w.tool_version as "toolVersion", w.epoch, w.customer_ref as "customerRef", w.agent, w.attention, w.due_at as "dueAt",
  w.created_at as "createdAt", w.decided_at as "decidedAt", w.settled_at as "settledAt"`;

// One statement, so that the row and its events are of one moment.
const readStored = {
  name: "countersign_read_write",
  text: `select ${writeColumns}, j.seq as "eventSeq", j.at, j.type, j.v, j.by, j.body, j.commits, j.prev, j.hash,
      p.salt, p.args, p.card, p.plan, p.outcome, p.idempotency_key as "idempotencyKey"
    from countersign.writes w
    join countersign.journal j on j.write_id = w.id
    left join countersign.plain p on p.write_id = j.write_id and p.seq = j.seq
    where w.id = $1 order by j.seq`,
};

type StoredRow = WriteRow &
  Omit<JournalRow, "writeId" | "seq"> & { readonly eventSeq: number } & Omit<
    PlainRow,
    "writeId" | "seq" | "salt"
  > & { readonly salt: string | null };

function toWriteRow(found: WriteRow): WriteRow {
  return {
    id: found.id,
    conversationId: found.conversationId,
    state: found.state,
    version: found.version,
    seq: found.seq,
    open: found.open,
    tool: found.tool,
    toolVersion: found.toolVersion,
    epoch: found.epoch,
    customerRef: found.customerRef,
    agent: found.agent,
    attention: found.attention,
    dueAt: found.dueAt,
    createdAt: found.createdAt,
    decidedAt: found.decidedAt,
    settledAt: found.settledAt,
  };
}

/** Reads one write with its journal. */
export async function readWrite(database: Database, writeId: string): Promise<StoredWrite | undefined> {
  const found = await database.query<StoredRow>(readStored, [writeId]);
  const first = found[0];
  if (first === undefined) return undefined;
  return {
    row: toWriteRow(first),
    events: found.map(({ eventSeq, at, type, v, by, body, commits, prev, hash }) => ({
      writeId,
      seq: eventSeq,
      at,
      type,
      v,
      by,
      body,
      commits,
      prev,
      hash,
    })),
    plains: found.flatMap(({ eventSeq, salt, args, card, plan, outcome, idempotencyKey }) =>
      salt === null ? [] : [{ writeId, seq: eventSeq, salt, args, card, plan, outcome, idempotencyKey }],
    ),
  };
}

/** The statement of a list, and its values: its text depends on which members a filter has, not on what they are. */
export function listStatement(filter: WriteFilter): {
  readonly text: string;
  readonly values: readonly (string | number)[];
} {
  const values: (string | number)[] = [];
  const conditions: string[] = [];
  const value = (one: string | number): string => `$${values.push(one)}`;
  if (filter.conversationId !== undefined)
    conditions.push(`w.conversation_id = ${value(filter.conversationId)}`);
  if (filter.state !== undefined) conditions.push(`w.state = ${value(filter.state)}`);
  if (filter.tool !== undefined) conditions.push(`w.tool = ${value(filter.tool)}`);
  if (filter.attention !== undefined) conditions.push("w.attention");
  if (filter.createdSince !== undefined) conditions.push(`w.created_at >= ${value(filter.createdSince)}`);
  if (filter.stillTold !== undefined) {
    const { conversationId, since } = filter.stillTold;
    conditions.push(
      `w.conversation_id = ${value(conversationId)} and (w.state = 'pending' or w.settled_at >= ${value(since)})`,
    );
  }
  if (filter.owner !== undefined) {
    if ("customerRef" in filter.owner) conditions.push(`w.customer_ref = ${value(filter.owner.customerRef)}`);
    else conditions.push(`w.customer_ref is null and w.epoch = ${value(filter.owner.epoch)}`);
  }
  if (filter.cursor !== undefined) {
    const { createdAt, id } = parseWriteCursor(filter.cursor);
    conditions.push(`(w.created_at, w.id) < (${value(createdAt)}, ${value(id)})`);
  }
  // One more than asked tells whether there is another page.
  const limit = value(checkLimit(filter.limit) + 1);
  return {
    text: `select ${writeColumns} from countersign.writes w
      ${conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`}
      order by w.created_at desc, w.id desc limit ${limit}`,
    values,
  };
}

/** Lists writes, newest first. */
export function prepareListWrites(
  database: Database,
): (
  filter: WriteFilter,
) => Promise<{ readonly rows: readonly WriteRow[]; readonly nextCursor: string | null }> {
  const statements = new Map<string, Statement>();
  return async (filter) => {
    const { text, values } = listStatement(filter);
    let statement = statements.get(text);
    if (statement === undefined) {
      statement = {
        name: `countersign_list_${createHash("sha256").update(text).digest("hex").slice(0, 32)}`,
        text,
      };
      statements.set(text, statement);
    }
    const found = await database.query<WriteRow>(statement, values);
    const rows = found.slice(0, filter.limit);
    const last = rows.at(-1);
    return { rows, nextCursor: found.length > filter.limit && last !== undefined ? writeCursor(last) : null };
  };
}

/** Of a table named `c`. */
export const conversationColumns: string = `c.id, c.epoch, c.customer_ref as "customerRef", c.level,
  c.authenticated_at as "authenticatedAt", c.channel, c.address, c.locale, c.time_zone as "timeZone"`;

const readConversationRow = {
  name: "countersign_read_conversation",
  text: `select ${conversationColumns},
      (select w.id from countersign.writes w where w.conversation_id = $1 and w.open) as "openWriteId"
    from (select) as nothing left join countersign.conversations c on c.id = $1`,
};
const findConversation = {
  name: "countersign_find_conversation",
  text: `select ${conversationColumns} from countersign.conversations c
    where c.channel is not null and c.channel = $1 and c.address = $2`,
};

/** Reads a conversation and the id of its open write, both of one moment. */
export async function readConversation(
  database: Database,
  id: string,
): Promise<{
  readonly conversation: ConversationRow | undefined;
  readonly openWriteId: string | null;
}> {
  type Found = { readonly [Key in keyof ConversationRow]: ConversationRow[Key] | null } & {
    readonly openWriteId: string | null;
  };
  const found = (await database.query<Found>(readConversationRow, [id]))[0];
  if (found === undefined) return { conversation: undefined, openWriteId: null };
  const { openWriteId, ...conversation } = found;
  if (conversation.id === null || conversation.epoch === null)
    return { conversation: undefined, openWriteId };
  return { conversation: { ...conversation, id: conversation.id, epoch: conversation.epoch }, openWriteId };
}

/** Finds the conversation that has a channel address. */
export async function findConversationByAddress(
  database: Database,
  channel: string,
  address: string,
): Promise<ConversationRow | undefined> {
  return (await database.query<ConversationRow>(findConversation, [channel, address]))[0];
}
