import type { Database } from "better-sqlite3";
import type { Standing, StandingWrite } from "../check-conflicts.ts";

/** Looks up what stands; whoever has begun to write has the whole file locked. */
export function prepareStanding(db: Database): Standing {
  const epochOf = db.prepare<[string], number>("select epoch from conversations where id = ?").pluck();
  const takenKey = db.prepare<[string, string, number], object>(
    "select 1 from keys where scope = ? and key = ? and keep_until > ?",
  );
  const conversationAt = db
    .prepare<[string, string], string>("select id from conversations where channel = ? and address = ?")
    .pluck();
  const write = db.prepare<[string], StandingWrite>(
    "select seq, open, conversation_id as conversationId, created_at as createdAt from writes where id = ?",
  );
  const openWriteOf = db
    .prepare<[string], string>("select id from writes where conversation_id = ? and open = 1")
    .pluck();
  return {
    epochOf: (conversationId) => epochOf.get(conversationId),
    isKeyTaken: (scope, key, now) => takenKey.get(scope, key, now) !== undefined,
    conversationAt: (channel, address) => conversationAt.get(channel, address),
    write: (id) => write.get(id),
    openWriteOf: (conversationId) => openWriteOf.get(conversationId),
  };
}
