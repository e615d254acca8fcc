import type { Append, Erasure } from "@countersign/core";
import type { ClientBase } from "pg";
import { run } from "./database.ts";

const refOf = {
  name: "countersign_ref_to_erase",
  text: "select ref from countersign.customers where customer_id = $1",
};
// Without indexes of its own: a customer is forgotten rarely, and an index would be written at every proposal.
const missedWrites = {
  name: "countersign_missed_writes",
  text: "select id from countersign.writes where customer_ref = $1 and id <> all ($2) limit 1",
};

/** True when the customer is another by now, or has a write that the append does not know of. */
export async function missesCustomer(
  client: ClientBase,
  { writes }: Append,
  { customerId, customerRef }: Erasure,
): Promise<boolean> {
  const found = await run<{ readonly ref: string }>(client, refOf, [customerId]);
  if (found[0]?.ref !== customerRef) return true;
  const known = writes.map(({ row }) => row.id);
  return (await run(client, missedWrites, [customerRef, known])).length > 0;
}

const addresses = {
  name: "countersign_addresses_to_erase",
  text: `select address from countersign.conversations where address is not null and (customer_ref = $1 or
    (customer_ref is null and id in (select conversation_id from countersign.writes where customer_ref = $1)))`,
};

function erasing(name: string, text: string): { readonly name: string; readonly text: string } {
  return { name: `countersign_erase_${name}`, text };
}

const byWrite = [
  erasing("plain", "delete from countersign.plain where write_id = any($1)"),
  erasing(
    "keys_of_writes",
    "update countersign.keys set fingerprint = '', answer = null, customer_ref = null where write_id = any($1)",
  ),
  erasing("deliveries_of_writes", "delete from countersign.deliveries where write_id = any($1)"),
  erasing("prompts", "delete from countersign.prompts where write_id = any($1)"),
];
const byCustomer = [
  erasing("keys", "delete from countersign.keys where customer_ref = $1"),
  erasing(
    "left_conversations",
    `update countersign.conversations set channel = null, address = null where customer_ref is null and
      id in (select conversation_id from countersign.writes where customer_ref = $1)`,
  ),
  erasing(
    "conversations",
    `update countersign.conversations set epoch = epoch + 1, customer_ref = null, level = null,
      authenticated_at = null, channel = null, address = null, locale = null, time_zone = null
      where customer_ref = $1`,
  ),
  erasing("customer", "delete from countersign.customers where ref = $1"),
];
const byText = [
  erasing(
    "deliveries",
    "delete from countersign.deliveries d where exists (select from unnest($1::text[]) t where strpos(d.body, t) > 0)",
  ),
  erasing(
    "inbox",
    `update countersign.inbox i set body = '{}'
      where exists (select from unnest($1::text[]) t where strpos(i.body, t) > 0)`,
  ),
];

// In the order in which they are put, so that nobody waits in a circle.
const dropContacts = erasing(
  "contacts",
  `with gone as materialized (
      select account, address from countersign.contacts where address = any($1)
        or user_id in (select user_id from countersign.contacts where address = any($1))
      order by account, address for update
    )
    delete from countersign.contacts c using gone where c.account = gone.account and c.address = gone.address
    returning c.address, c.user_id as "userId"`,
);

/** Forgets; see `Erasure`. In the append's transaction, under the lock on everything, after the append's own rows are put. */
export async function eraseWithin(
  client: ClientBase,
  { writes }: Append,
  { customerId, customerRef }: Erasure,
): Promise<void> {
  const ids = writes.map(({ row }) => row.id);
  for (const statement of byWrite) await run(client, statement, [ids]);
  const found = await run<{ readonly address: string }>(client, addresses, [customerRef]);
  const gone = found.map(({ address }) => address);
  for (const statement of byCustomer) await run(client, statement, [customerRef]);
  type Known = { readonly address: string; readonly userId: string | null };
  const known = (await run<Known>(client, dropContacts, [gone])).flatMap(({ address, userId }) => [
    address,
    userId,
  ]);
  const texts = [...new Set([customerId, ...gone, ...known.filter((id) => id !== null)])];
  for (const statement of byText) await run(client, statement, [texts.map((text) => JSON.stringify(text))]);
}
