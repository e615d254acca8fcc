import type { DeliveryRow, InboxRow } from "@countersign/core";
import type { Database } from "better-sqlite3";
import { prepareDelivery } from "./append.ts";

/** Keeps an incoming message and its delivery unless the message is there; after anything thrown the caller must roll back. */
export function prepareReceive(db: Database): (message: InboxRow, delivery: DeliveryRow | null) => boolean {
  const insert = db.prepare(
    "insert into inbox (account, message_id, received_at, body) values (?, ?, ?, ?) on conflict do nothing",
  );
  const putDelivery = prepareDelivery(db);
  return ({ account, messageId, receivedAt, body }, delivery) => {
    if (insert.run(account, messageId, receivedAt, body).changes === 0) return false;
    if (delivery !== null) putDelivery(delivery);
    return true;
  };
}
