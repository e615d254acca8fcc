import type { Database } from "better-sqlite3";
import type { Standing, StandingWrite } from "../check-conflicts.ts";
import type { Erasing } from "./erase.ts";
import { prepareReadConversation } from "./read-writes.ts";

/** Looks up what stands, in the transaction that the caller has open. */
export function prepareStanding(db: Database, erasing: Erasing): Standing {
  const epochOf = db.prepare<[string], number>("select epoch from conversations where id = ?").pluck();
  const readConversation = prepareReadConversation(db);
  const isCustomer = db.prepare<[string], object>("select 1 from customers where ref = ?");
  const takenKey = db.prepare<[string, string, number], object>(
    "select 1 from keys where scope = ? and key = ? and keep_until > ?",
  );
  const ownerOf = db
    .prepare<[string, string], string>("select id from conversations where channel = ? and address = ?")
    .pluck();
  const standingWrite = db.prepare<[string], StandingWrite>(
    "select seq, open, conversation_id as conversationId, created_at as createdAt from writes where id = ?",
  );
  const openWriteOf = db
    .prepare<[string], string>("select id from writes where conversation_id = ? and open = 1")
    .pluck();
  return {
    epoch: (id) => epochOf.get(id) ?? 0,
    conversation: (id) => readConversation(id).conversation,
    isCustomer: (ref) => isCustomer.get(ref) !== undefined,
    missesCustomer: (append, erase) => erasing.misses(append, erase),
    isKeyTaken: (scope, key, now) => takenKey.get(scope, key, now) !== undefined,
    conversationAt: (channel, address) => ownerOf.get(channel, address),
    write: (id) => standingWrite.get(id),
    openWriteOf: (id) => openWriteOf.get(id),
  };
}
