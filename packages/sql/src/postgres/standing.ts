import type { Append, ConversationRow } from "@countersign/core";
import type { ClientBase } from "pg";
import type { Standing, StandingWrite } from "../check-conflicts.ts";
import { run } from "./database.ts";
import { missesCustomer } from "./erase.ts";
import { conversationColumns } from "./read-writes.ts";

const conversations = {
  name: "countersign_standing_conversations",
  text: `select ${conversationColumns} from countersign.conversations c where c.id = any($1)`,
};
const customers = {
  name: "countersign_standing_customers",
  text: "select ref from countersign.customers where ref = any($1)",
};
const key = {
  name: "countersign_key_until",
  text: `select keep_until as "keepUntil" from countersign.keys where scope = $1 and key = $2`,
};
const addresses = {
  name: "countersign_addresses",
  text: `select c.id, c.channel, c.address from countersign.conversations c
    join unnest($1::text[], $2::text[]) as wanted (channel, address)
      on c.channel is not null and c.channel = wanted.channel and c.address = wanted.address`,
};
const writes = {
  name: "countersign_standing_writes",
  text: `select id, seq, open::integer as open, conversation_id as "conversationId", created_at as "createdAt"
    from countersign.writes where id = any($1)`,
};
const openWrites = {
  name: "countersign_open_writes",
  text: `select id, conversation_id as "conversationId" from countersign.writes where conversation_id = any($1) and open`,
};

/** Looks up all that an append can ask about what stands, in the transaction that `client` is in and under its locks. */
export async function readStanding(client: ClientBase, append: Append): Promise<Standing> {
  const conversationOf = new Map<string, ConversationRow>();
  if (append.guards.length > 0) {
    const ids = append.guards.map(({ conversationId }) => conversationId);
    for (const row of await run<ConversationRow>(client, conversations, [ids]))
      conversationOf.set(row.id, row);
  }
  const refs = append.guards.flatMap(({ customerRef }) => customerRef ?? []);
  const known = new Set<string>();
  if (refs.length > 0) {
    for (const { ref } of await run<{ readonly ref: string }>(client, customers, [refs])) known.add(ref);
  }
  const missed = append.erase !== undefined && (await missesCustomer(client, append, append.erase));

  let keepUntil: number | undefined;
  if (append.key !== null) {
    type Found = { readonly keepUntil: number };
    keepUntil = (await run<Found>(client, key, [append.key.scope, append.key.key]))[0]?.keepUntil;
  }

  const wanted = append.conversations.filter(({ channel, address }) => channel !== null && address !== null);
  const ownerOf = new Map<string, string>();
  if (wanted.length > 0) {
    type Found = { readonly id: string; readonly channel: string; readonly address: string };
    const columns = [wanted.map(({ channel }) => channel), wanted.map(({ address }) => address)];
    for (const row of await run<Found>(client, addresses, columns))
      ownerOf.set(JSON.stringify([row.channel, row.address]), row.id);
  }

  const standing = new Map<string, StandingWrite>();
  const openWriteOf = new Map<string, string>();
  if (append.writes.length > 0) {
    const ids = append.writes.map(({ row }) => row.id);
    for (const row of await run<StandingWrite & { readonly id: string }>(client, writes, [ids]))
      standing.set(row.id, row);
    const places = append.writes.map(({ row }) => row.conversationId);
    type Found = { readonly id: string; readonly conversationId: string };
    for (const row of await run<Found>(client, openWrites, [places]))
      openWriteOf.set(row.conversationId, row.id);
  }

  return {
    epoch: (id) => conversationOf.get(id)?.epoch ?? 0,
    conversation: (id) => conversationOf.get(id),
    isCustomer: (customerRef) => known.has(customerRef),
    missesCustomer: () => missed,
    isKeyTaken: (_scope, _key, now) => keepUntil !== undefined && keepUntil > now,
    conversationAt: (channel, address) => ownerOf.get(JSON.stringify([channel, address])),
    write: (id) => standing.get(id),
    openWriteOf: (conversationId) => openWriteOf.get(conversationId),
  };
}
