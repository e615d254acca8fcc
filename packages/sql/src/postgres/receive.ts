import { type DeliveryRow, type InboxRow, IntegrityError } from "@countersign/core";
import type { Database } from "./database.ts";
import { isCode } from "./failures.ts";

// One statement, so that no crash comes between the message and what is to be done about it. Who hands over the same message
// at the same time waits for the first, and then finds it there.
const receiveMessage = {
  name: "countersign_receive",
  text: `with kept as (
      insert into countersign.inbox (account, message_id, received_at, body) values ($1, $2, $3, $4)
      on conflict do nothing returning account
    ),
    to_do as (
      insert into countersign.deliveries (id, kind, write_id, body, due_at, attempts)
      select $5::text, $6::text, $7::text, $8::text, $9::bigint, $10::integer from kept where $5::text is not null
    )
    select account from kept`,
};

/** Keeps an incoming message and its delivery unless the message is there. */
export async function receive(
  database: Database,
  message: InboxRow,
  delivery: DeliveryRow | null,
): Promise<boolean> {
  const { account, messageId, receivedAt, body } = message;
  const toDo =
    delivery === null
      ? [null, null, null, null, null, null]
      : [delivery.id, delivery.kind, delivery.writeId, delivery.body, delivery.dueAt, delivery.attempts];
  try {
    const values = [account, messageId, receivedAt, body, ...toDo];
    return (await database.query(receiveMessage, values)).length === 1;
  } catch (error) {
    if (delivery === null || !isCode(error, "23505")) throw error;
    throw new IntegrityError(`delivery ${delivery.id} exists already; give each its own id`, {
      cause: error,
    });
  }
}
