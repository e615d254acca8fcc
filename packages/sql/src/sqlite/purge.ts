import { parseWriteCursor, type Store, writeCursor } from "@countersign/core";
import type { Database } from "better-sqlite3";

/** What time takes away. */
export type Purge = {
  keys(purge: Parameters<Store["purgeKeys"]>[0]): number;
  /** Without a transaction: whether purging keys now would find one. */
  hasEndedKeys(now: number): boolean;
  inbox(purge: Parameters<Store["purgeInbox"]>[0]): number;
  /** Without a transaction: whether purging incoming messages now would find one. */
  hasOldMessages(purge: Parameters<Store["purgeInbox"]>[0]): boolean;
  plain(purge: Parameters<Store["purgePlain"]>[0]): string | null;
};

type Looked = { readonly id: string; readonly createdAt: number; readonly ended: 0 | 1 };

export function preparePurge(db: Database): Purge {
  const endedKey = db.prepare<[number], object>("select 1 from keys where keep_until <= ? limit 1");
  const dropKeys = db.prepare(
    "delete from keys where rowid in (select rowid from keys where keep_until <= ? order by keep_until limit ?)",
  );
  // In the order in which they came, which is that of their times but for clocks that differ: what came while a clock was
  // ahead can hold up what came after it until its own time is over. No index of times has to be kept for that.
  const oldMessage = db.prepare<[number, number], object>(
    "select 1 from (select received_at from inbox order by rowid limit ?) where received_at < ? limit 1",
  );
  const dropMessages = db.prepare(
    "delete from inbox where rowid in (select rowid from inbox order by rowid limit ?) and received_at < ?",
  );
  const look = db.prepare<[number, number, number, string, number], Looked>(
    `select w.id, w.created_at as createdAt, w.state not in ('proposed', 'running', 'awaiting_verification', 'pending',
        'unknown') and (select at from journal where write_id = w.id and seq = w.seq) < ? as ended
      from writes w where w.created_at < ? and (w.created_at, w.id) > (?, ?) order by w.created_at, w.id limit ?`,
  );
  const dropPlain = db.prepare("delete from plain where id in (select id from journal where write_id = ?)");
  return {
    keys: ({ now, limit }) => dropKeys.run(now, limit).changes,
    hasEndedKeys: (now) => endedKey.get(now) !== undefined,
    inbox: ({ receivedBefore, limit }) => dropMessages.run(limit, receivedBefore).changes,
    hasOldMessages: ({ receivedBefore, limit }) => oldMessage.get(limit, receivedBefore) !== undefined,
    plain({ endedBefore, limit, cursor }) {
      const { createdAt, id } = cursor === null ? { createdAt: -1, id: "" } : parseWriteCursor(cursor);
      // One more than looked at tells whether there is more.
      const found = look.all(endedBefore, endedBefore, createdAt, id, limit + 1);
      const looked = found.slice(0, limit);
      for (const write of looked) if (write.ended === 1) dropPlain.run(write.id);
      const last = looked.at(-1);
      return found.length > limit && last !== undefined ? writeCursor(last) : null;
    },
  };
}
