import type { Append, Erasure } from "@countersign/core";
import type { Database } from "better-sqlite3";

/** Forgetting a customer, within the transaction of the append that does. */
export type Erasing = {
  /** True when the customer is another by now, or has a write that the append does not know of. */
  misses(append: Append, erase: Erasure): boolean;
  /** Forgets; see `Erasure`. After the append's own rows are put. */
  run(append: Append, erase: Erasure): void;
};

// Without indexes of its own: a customer is forgotten rarely, and an index would be written at every proposal.
export function prepareErase(db: Database): Erasing {
  const refOf = db.prepare<[string], string>("select ref from customers where customer_id = ?").pluck();
  const writesOf = db.prepare<[string], string>("select id from writes where customer_ref = ?").pluck();

  const dropPlain = db.prepare("delete from plain where id in (select id from journal where write_id = ?)");
  const dropCustomer = db.prepare("delete from customers where customer_id = ?");

  const emptyKey = db.prepare(
    "update keys set fingerprint = '', answer = null, customer_ref = null where write_id = ?",
  );
  const dropKeys = db.prepare("delete from keys where customer_ref = ?");

  const addresses = db
    .prepare<[string, string], string>(
      `select address from conversations where address is not null and (customer_ref = ? or (customer_ref is null and
        id in (select conversation_id from writes where customer_ref = ?)))`,
    )
    .pluck();
  const leaveEmpty = db.prepare(
    `update conversations set channel = null, address = null where customer_ref is null and
      id in (select conversation_id from writes where customer_ref = ?)`,
  );
  const leave = db.prepare(
    `update conversations set epoch = epoch + 1, customer_ref = null, level = null, authenticated_at = null,
      channel = null, address = null, locale = null, time_zone = null where customer_ref = ?`,
  );

  const dropDeliveriesOf = db.prepare("delete from deliveries where write_id = ?");
  const dropPrompts = db.prepare("delete from prompts where write_id = ?");
  const dropDeliveries = db.prepare("delete from deliveries where instr(body, ?) > 0");
  const emptyInbox = db.prepare("update inbox set body = '{}' where instr(body, ?) > 0");

  const dropContacts = db.prepare<[string], { readonly address: string; readonly userId: string | null }>(
    `with gone as (select value as address from json_each(?))
      delete from contacts where address in (select address from gone)
        or user_id in (select user_id from contacts where address in (select address from gone))
      returning address, user_id as userId`,
  );

  return {
    misses({ writes }, { customerId, customerRef }) {
      if (refOf.get(customerId) !== customerRef) return true;
      const known = new Set(writes.map(({ row }) => row.id));
      return writesOf.all(customerRef).some((id) => !known.has(id));
    },
    run({ writes }, { customerId, customerRef }) {
      for (const { row } of writes) {
        dropPlain.run(row.id);
        emptyKey.run(row.id);
        dropDeliveriesOf.run(row.id);
        dropPrompts.run(row.id);
      }
      dropKeys.run(customerRef);
      const gone = addresses.all(customerRef, customerRef);
      const known = dropContacts
        .all(JSON.stringify(gone))
        .flatMap(({ address, userId }) => [address, userId]);
      const ids = new Set([customerId, ...gone, ...known.filter((id) => id !== null)]);
      const texts = [...ids].map((id) => JSON.stringify(id));
      leaveEmpty.run(customerRef);
      leave.run(customerRef);
      for (const text of texts) {
        dropDeliveries.run(text);
        emptyInbox.run(text);
      }
      dropCustomer.run(customerId);
    },
  };
}
