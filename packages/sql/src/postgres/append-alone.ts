import { type Append, type AppendResult, type ConversationRow, IntegrityError } from "@countersign/core";
import type { ClientBase } from "pg";
import { checkConflicts } from "../check-conflicts.ts";
import { deliveryCall, keyCall, writeCalls } from "./append-statements.ts";
import { callAll, run } from "./database.ts";
import { eraseWithin } from "./erase.ts";
import { LostRace } from "./failures.ts";
import { lockCall, locksOf } from "./locks.ts";
import { readStanding } from "./standing.ts";

const stamped = {
  name: "countersign_stamped",
  text: "select seq from countersign.journal where write_id = $1 and seq = $2 and stamp = $3",
};
const knownDeliveries = {
  name: "countersign_known_deliveries",
  text: "select id from countersign.deliveries where id = any($1) order by id",
};
const putConversation = {
  name: "countersign_put_conversation",
  text: `insert into countersign.conversations
      (id, epoch, customer_ref, level, authenticated_at, channel, address, locale, time_zone)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    on conflict (id) do update set epoch = excluded.epoch, customer_ref = excluded.customer_ref,
      level = excluded.level, authenticated_at = excluded.authenticated_at, channel = excluded.channel,
      address = excluded.address, locale = excluded.locale, time_zone = excluded.time_zone`,
};

async function put(client: ClientBase, row: ConversationRow): Promise<void> {
  const { id, epoch, customerRef, level, authenticatedAt, channel, address, locale, timeZone } = row;
  const values = [id, epoch, customerRef, level, authenticatedAt, channel, address, locale, timeZone];
  await run(client, putConversation, values);
}

async function checkDeliveries(client: ClientBase, { deliveries }: Append): Promise<void> {
  if (deliveries.length === 0) return;
  const ids = deliveries.map(({ id }) => id);
  const known = await run<{ readonly id: string }>(client, knownDeliveries, [ids]);
  const exists = known[0]?.id ?? ids.find((id, index) => ids.indexOf(id) !== index);
  if (exists !== undefined)
    throw new IntegrityError(`delivery ${exists} exists already; give each its own id`);
}

async function appendWithin(client: ClientBase, append: Append, stamp: number): Promise<AppendResult> {
  const { checkGuards, checkWrites } = checkConflicts(await readStanding(client, append));
  const on = checkGuards(append);
  if (on !== null) return { kind: "conflict", on };
  const checked = checkWrites(append.writes);
  if (checked.conflict !== null) return { kind: "conflict", on: checked.conflict };
  await checkDeliveries(client, append);
  if (append.key !== null) await callAll(client, [keyCall([{ row: append.key, item: null }])]);
  for (const row of append.conversations) await put(client, row);
  // One after the other: an earlier one may close a write so that a later one may open.
  for (const write of append.writes) {
    const item = { write, guardEpoch: null, key: null, now: append.now, stamp };
    const [done = []] = await callAll(client, writeCalls([item]));
    if (done.length === 0) throw new LostRace(`write ${write.row.id} changed while it was appended to`);
  }
  if (append.deliveries.length > 0) {
    await callAll(client, [deliveryCall(append.deliveries.map((row) => ({ row, item: null })))]);
  }
  if (append.erase !== undefined) await eraseWithin(client, append, append.erase);
  return { kind: "appended" };
}

/** An append without writes leaves no stamp. What it says of a conversation conflicts with itself the second time: then who asked reads again, and finds it. */
async function wasAppended(client: ClientBase, append: Append, stamp: number): Promise<boolean> {
  const first = append.writes[0];
  if (first === undefined) return false;
  return (await run(client, stamped, [first.row.id, first.events[0].seq, stamp])).length > 0;
}

/**
 * Appends one thing in a transaction of its own: reads under the locks what stands, and names the conflict. Where
 * `answerLost` says that the same append may have been committed already, it is looked for first by its stamp.
 */
export async function appendAlone(
  client: ClientBase,
  append: Append,
  stamp: number,
  answerLost: boolean,
): Promise<AppendResult> {
  await client.query("begin");
  try {
    await callAll(client, [lockCall(locksOf(append), append.erase === undefined ? "named" : "all")]);
    const known = answerLost && (await wasAppended(client, append, stamp));
    const result: AppendResult = known ? { kind: "appended" } : await appendWithin(client, append, stamp);
    await client.query(result.kind === "appended" ? "commit" : "rollback");
    return result;
  } catch (error) {
    // A connection that cannot even do this is broken, which the first error says already.
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}
