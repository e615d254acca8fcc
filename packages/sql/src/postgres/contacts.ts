import type { ContactRow } from "@countersign/core";
import type { Database } from "./database.ts";

// In one order by everybody, so that nobody waits in a circle.
const put = {
  name: "countersign_put_contacts",
  text: `insert into countersign.contacts as known (account, address, user_id, last_inbound_at)
    select account, address, user_id, last_inbound_at
    from unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) as said (account, address, user_id, last_inbound_at)
    order by account collate "C", address collate "C"
    on conflict (account, address) do update set user_id = excluded.user_id,
      last_inbound_at = greatest(known.last_inbound_at, excluded.last_inbound_at)`,
};
const columns = `account, address, user_id as "userId", last_inbound_at as "lastInboundAt"`;
const find = {
  name: "countersign_find_contact",
  text: `select ${columns} from countersign.contacts where account = $1 and address = $2`,
};
const list = {
  name: "countersign_list_contacts",
  text: `select ${columns} from countersign.contacts where user_id = $2 and account = $1 order by address`,
};

/** One row for each account and address: a statement changes none twice. */
function together(contacts: readonly ContactRow[]): readonly ContactRow[] {
  const rows = new Map<string, ContactRow>();
  for (const row of contacts) {
    const at = JSON.stringify([row.account, row.address]);
    const known = rows.get(at)?.lastInboundAt ?? row.lastInboundAt;
    rows.set(at, { ...row, lastInboundAt: Math.max(known, row.lastInboundAt) });
  }
  return [...rows.values()];
}

export async function putContacts(database: Database, contacts: readonly ContactRow[]): Promise<void> {
  if (contacts.length === 0) return;
  const rows = together(contacts);
  await database.query(put, [
    rows.map(({ account }) => account),
    rows.map(({ address }) => address),
    rows.map(({ userId }) => userId),
    rows.map(({ lastInboundAt }) => lastInboundAt),
  ]);
}

export async function findContact(
  database: Database,
  account: string,
  address: string,
): Promise<ContactRow | undefined> {
  return (await database.query<ContactRow>(find, [account, address]))[0];
}

export function listContacts(
  database: Database,
  account: string,
  userId: string,
): Promise<readonly ContactRow[]> {
  return database.query<ContactRow>(list, [account, userId]);
}
