import {
  type Append,
  type AppendResult,
  type ConversationRow,
  type DeliveryRow,
  IntegrityError,
  type JournalRow,
  type KeyRow,
  type PlainRow,
  type WriteRow,
} from "@countersign/core";
import type { Database } from "better-sqlite3";
import { checkConflicts, type StandingWrite } from "../check-conflicts.ts";
import { prepareErase } from "./erase.ts";
import { prepareStanding } from "./standing.ts";

const appended: AppendResult = { kind: "appended" };

/** Statements take positions, not names: binding by name costs as much again as a small statement. */
function prepareWrites(db: Database) {
  const insert = db.prepare(
    `insert into writes (id, conversation_id, state, version, seq, open, tool, tool_version, epoch, customer_ref, agent,
      attention, due_at, created_at, decided_at, settled_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      on conflict do nothing`,
  );
  const update = `update writes set state = ?, version = ?, seq = ?, tool = ?, tool_version = ?, epoch = ?,
      customer_ref = ?, agent = ?, attention = ?, due_at = ?, decided_at = ?, settled_at = ?, lease_until = 0`;
  const standing = "where id = ? and conversation_id = ? and created_at = ? and seq = ? and open = ?";
  // SQLite writes the index of every column that is named, changed or not; so "open" is named only where it changes.
  const keep = db.prepare(`${update} ${standing}`);
  const close = db.prepare(`${update}, open = 0 ${standing}`);
  const reopen = db.prepare(`${update}, open = 1 ${standing}`);

  function insertRow(row: WriteRow): boolean {
    const { changes } = insert.run(
      row.id,
      row.conversationId,
      row.state,
      row.version,
      row.seq,
      row.open ? 1 : 0,
      row.tool,
      row.toolVersion,
      row.epoch,
      row.customerRef,
      row.agent,
      row.attention ? 1 : 0,
      row.dueAt,
      row.createdAt,
      row.decidedAt,
      row.settledAt,
    );
    return changes === 1;
  }

  function updateRow(row: WriteRow, before: Pick<StandingWrite, "seq" | "open">): boolean {
    const change = row.open ? reopen : close;
    const statement = row.open === (before.open === 1) ? keep : change;
    const { changes } = statement.run(
      row.state,
      row.version,
      row.seq,
      row.tool,
      row.toolVersion,
      row.epoch,
      row.customerRef,
      row.agent,
      row.attention ? 1 : 0,
      row.dueAt,
      row.decidedAt,
      row.settledAt,
      row.id,
      row.conversationId,
      row.createdAt,
      before.seq,
      before.open,
    );
    return changes === 1;
  }

  /** False where the write does not stand as in `before` (undefined: not at all), or its place is taken; nothing was changed then. */
  return (row: WriteRow, before: Pick<StandingWrite, "seq" | "open"> | undefined): boolean =>
    before === undefined ? insertRow(row) : updateRow(row, before);
}

function prepareJournal(db: Database) {
  const event = db.prepare(
    "insert into journal (write_id, seq, at, type, v, by, body, commits, prev, hash) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const plain = db.prepare(
    "insert into plain (id, salt, args, card, plan, outcome, idempotency_key) values (?, ?, ?, ?, ?, ?, ?)",
  );
  return {
    /** Answers with the number of the row. */
    event: (row: JournalRow): number | bigint =>
      event.run(
        row.writeId,
        row.seq,
        row.at,
        row.type,
        row.v,
        row.by,
        row.body,
        row.commits,
        row.prev,
        row.hash,
      ).lastInsertRowid,
    plain: (id: number | bigint, row: PlainRow) =>
      plain.run(id, row.salt, row.args, row.card, row.plan, row.outcome, row.idempotencyKey),
  };
}

function prepareConversation(db: Database): (row: ConversationRow) => void {
  const put = db.prepare(
    `insert into conversations (id, epoch, customer_ref, level, authenticated_at, channel, address, locale, time_zone)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?)
      on conflict (id) do update set epoch = excluded.epoch, customer_ref = excluded.customer_ref, level = excluded.level,
      authenticated_at = excluded.authenticated_at, channel = excluded.channel, address = excluded.address,
      locale = excluded.locale, time_zone = excluded.time_zone`,
  );
  return (row) => {
    put.run(
      row.id,
      row.epoch,
      row.customerRef,
      row.level,
      row.authenticatedAt,
      row.channel,
      row.address,
      row.locale,
      row.timeZone,
    );
  };
}

/** Inserts a client's key or replaces what is left of it. */
export function prepareKey(db: Database): (row: KeyRow) => void {
  const put = db.prepare(
    `insert into keys (scope, key, fingerprint, write_id, answer, customer_ref, keep_until) values (?, ?, ?, ?, ?, ?, ?)
      on conflict (scope, key) do update set fingerprint = excluded.fingerprint, write_id = excluded.write_id,
      answer = excluded.answer, customer_ref = excluded.customer_ref, keep_until = excluded.keep_until`,
  );
  return (row) => {
    put.run(row.scope, row.key, row.fingerprint, row.writeId, row.answer, row.customerRef, row.keepUntil);
  };
}

/** Adds a delivery; throws where its id exists. */
export function prepareDelivery(db: Database): (row: DeliveryRow) => void {
  const put = db.prepare(
    `insert into deliveries (id, kind, write_id, body, due_at, attempts) values (?, ?, ?, ?, ?, ?)
      on conflict (id) do nothing`,
  );
  return (row) => {
    if (put.run(row.id, row.kind, row.writeId, row.body, row.dueAt, row.attempts).changes === 0) {
      throw new IntegrityError(`delivery ${row.id} exists already; give each its own id`);
    }
  };
}

/**
 * Appends within the transaction that the caller has open. A conflict has written nothing; after anything thrown the
 * caller must roll back.
 */
export function prepareAppend(db: Database): (append: Append) => AppendResult {
  const erasing = prepareErase(db);
  const { checkGuards, checkWrites } = checkConflicts(prepareStanding(db, erasing));
  const putWrite = prepareWrites(db);
  const journal = prepareJournal(db);
  const putConversation = prepareConversation(db);
  const putKey = prepareKey(db);
  const putDelivery = prepareDelivery(db);

  /**
   * Puts the row of an append's only write as if nothing stood in the way: a new one, or one that was open. Nearly always
   * that is so, and no statement was spent on looking. Whatever else there is to say, `checkWrites` says.
   */
  function putOnly({ writes }: Append): boolean {
    const [write] = writes;
    if (write === undefined || writes.length > 1) return false;
    const seq = write.events[0].seq - 1;
    return putWrite(write.row, seq === 0 ? undefined : { seq, open: 1 });
  }

  /** Puts the rows of any append's writes, after a look at each, or tells the conflict and puts none. */
  function putEach({ writes }: Append): AppendResult {
    const checked = checkWrites(writes);
    if (checked.conflict !== null) return { kind: "conflict", on: checked.conflict };
    for (const [index, { row }] of writes.entries()) {
      if (!putWrite(row, checked.standing[index])) {
        throw new IntegrityError(
          `write ${row.id} changed under its own transaction; let nobody else write by this connection`,
        );
      }
    }
    return appended;
  }

  return (append) => {
    const conflict = checkGuards(append);
    if (conflict !== null) return { kind: "conflict", on: conflict };
    if (!putOnly(append)) {
      const result = putEach(append);
      if (result.kind === "conflict") return result;
    }
    if (append.key !== null) putKey(append.key);
    for (const row of append.conversations) putConversation(row);
    for (const { events, plains } of append.writes) {
      const ids = events.map(journal.event);
      for (const plain of plains) journal.plain(ids[plain.seq - events[0].seq] as number | bigint, plain);
    }
    for (const delivery of append.deliveries) putDelivery(delivery);
    if (append.erase !== undefined) erasing.run(append, append.erase);
    return appended;
  };
}
