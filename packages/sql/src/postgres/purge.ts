import { parseWriteCursor, type Store, writeCursor } from "@countersign/core";
import type { Database, Statement } from "./database.ts";

// Who purges at the same time takes other rows, and waits for nobody.
const dropKeys = {
  name: "countersign_purge_keys",
  text: `with ended as materialized (
      select scope, key from countersign.keys where keep_until <= $1 order by keep_until limit $2
      for update skip locked
    )
    delete from countersign.keys k using ended where k.scope = ended.scope and k.key = ended.key returning k.key`,
};

/** Deletes keys whose time is over; answers with how many. */
export async function purgeKeys(
  database: Database,
  { now, limit }: Parameters<Store["purgeKeys"]>[0],
): Promise<number> {
  return (await database.query(dropKeys, [now, limit])).length;
}

const dropMessages = {
  name: "countersign_purge_inbox",
  text: `with old as materialized (
      select account, message_id from countersign.inbox where received_at < $1 order by received_at limit $2
      for update skip locked
    )
    delete from countersign.inbox i using old where i.account = old.account and i.message_id = old.message_id
    returning i.message_id`,
};

/** Deletes incoming messages that are old enough; answers with how many. */
export async function purgeInbox(
  database: Database,
  { receivedBefore, limit }: Parameters<Store["purgeInbox"]>[0],
): Promise<number> {
  return (await database.query(dropMessages, [receivedBefore, limit])).length;
}

// A final state never changes, so what ended before stays ended while its values go.
const dropPlain = {
  name: "countersign_purge_plain",
  text: `with looked as materialized (
      select w.id, w.seq, w.state, w.created_at from countersign.writes w
      where w.created_at < $1 and (w.created_at, w.id) > ($2, $3) order by w.created_at, w.id limit $4
    ),
    ended as (
      select looked.id from looked join countersign.journal j on j.write_id = looked.id and j.seq = looked.seq
      where looked.state not in ('proposed', 'running', 'awaiting_verification', 'pending', 'unknown') and j.at < $1
    ),
    dropped as (delete from countersign.plain p using ended where p.write_id = ended.id)
    select id, created_at as "createdAt" from looked order by created_at, id`,
};
const hasMore = {
  name: "countersign_purge_has_more",
  text: `select id from countersign.writes w where w.created_at < $1 and (w.created_at, w.id) > ($2, $3)
    order by w.created_at, w.id limit 1`,
};

/** Statements that must stay quick however much is stored. */
export const purgeStatements: readonly Statement[] = [dropKeys, dropMessages, dropPlain, hasMore];

/** Drops the plain rows of writes that ended; answers with where to go on. */
export async function purgePlain(
  database: Database,
  { endedBefore, limit, cursor }: Parameters<Store["purgePlain"]>[0],
): Promise<string | null> {
  const from = cursor === null ? { createdAt: -1, id: "" } : parseWriteCursor(cursor);
  type Looked = { readonly id: string; readonly createdAt: number };
  const looked = await database.query<Looked>(dropPlain, [endedBefore, from.createdAt, from.id, limit]);
  const last = looked.at(-1);
  if (last === undefined || looked.length < limit) return null;
  const more = await database.query(hasMore, [endedBefore, last.createdAt, last.id]);
  return more.length > 0 ? writeCursor(last) : null;
}
