import { z } from "zod";
import type { ShopDatabase } from "./database.ts";
import { findOrder } from "./orders.ts";

/** Why the shop will not make a change. */
export type ChangeRefusal = {
  readonly refused: string;
  readonly status: 404 | 409 | 412;
  readonly code: string;
};

/** What a change led to, as it stands in the answer. */
export type ChangeResult = { readonly [name: string]: string | number | { readonly [name: string]: string } };

type Owner = { customerId: string };

/** What each kind of change says, beside the order it is about. */
export type ChangeBodies = {
  cancel: Owner & { reason: string; channel: string; internalNote?: string | undefined };
  address: Owner & { street: string; city: string; postalCode: string };
  refund: Owner & { amountMinor: number; currency: "EUR" };
  note: Owner & { text: string };
  booking: Owner & { date: string };
  offer: Owner & { percent: number };
};

/** What kind of change a write asks for. */
export type ChangeKind = keyof ChangeBodies;

/** One change, checked. */
export type Change = {
  [Kind in ChangeKind]: { readonly kind: Kind; readonly body: ChangeBodies[Kind] };
}[ChangeKind];

const customerId = z.string().min(1);
const text = z.string().min(1);

/** The bodies of the shop's writes, by kind. */
export const changeBodies: { readonly [Kind in ChangeKind]: z.ZodType<ChangeBodies[Kind]> } = {
  cancel: z.strictObject({ customerId, reason: text, channel: text, internalNote: z.string().optional() }),
  address: z.strictObject({ customerId, street: text, city: text, postalCode: text }),
  refund: z.strictObject({ customerId, amountMinor: z.number().int().min(1), currency: z.literal("EUR") }),
  note: z.strictObject({ customerId, text: text.max(500) }),
  booking: z.strictObject({ customerId, date: z.iso.date() }),
  offer: z.strictObject({ customerId, percent: z.number().int().min(1).max(50) }),
};

/**
 * Makes the change, or says why not. Belongs inside a transaction. `ifMatch`: only while the order's version is this one.
 */
export function makeChange(
  db: ShopDatabase,
  number: string,
  change: Change,
  ifMatch: string | undefined,
): ChangeResult | ChangeRefusal {
  const order = findOrder(db, number, change.body.customerId);
  if (order === undefined)
    return { refused: `There is no order ${number} of yours.`, status: 404, code: "order_not_found" };
  if (ifMatch !== undefined && ifMatch !== String(order.version))
    return { refused: `Order ${number} was changed meanwhile.`, status: 412, code: "order_changed" };
  switch (change.kind) {
    case "cancel":
      if (order.status !== "open") {
        return {
          refused: `Order ${number} is already ${order.status}.`,
          status: 409,
          code: `order_${order.status}`,
        };
      }
      db.prepare("update orders set status = 'cancelled', version = version + 1 where number = ?").run(
        number,
      );
      return {
        orderNumber: number,
        status: "cancelled",
        refundMinor: order.totalMinor,
        currency: order.currency,
      };
    case "address": {
      if (order.status !== "open") {
        return {
          refused: `Order ${number} is already ${order.status}.`,
          status: 409,
          code: `order_${order.status}`,
        };
      }
      const { street, city, postalCode } = change.body;
      db.prepare(
        "update orders set street = ?, city = ?, postal_code = ?, version = version + 1 where number = ?",
      ).run(street, city, postalCode, number);
      const before = { street: order.street, city: order.city, postalCode: order.postalCode };
      return { orderNumber: number, street, city, postalCode, before };
    }
    case "refund": {
      const { amountMinor, currency } = change.body;
      if (order.refundedMinor + amountMinor > order.totalMinor) {
        return {
          refused: `Order ${number} was already refunded.`,
          status: 409,
          code: "nothing_left_to_refund",
        };
      }
      db.prepare("insert into refunds (order_number, amount_minor, currency) values (?, ?, ?)").run(
        number,
        amountMinor,
        currency,
      );
      return { orderNumber: number, amountMinor, currency };
    }
    case "note":
      db.prepare("insert into notes (order_number, text) values (?, ?)").run(number, change.body.text);
      return { orderNumber: number };
    case "booking":
      db.prepare("insert into bookings (order_number, date) values (?, ?)").run(number, change.body.date);
      return { orderNumber: number, date: change.body.date };
    case "offer": {
      const totalMinor = Math.round((order.totalMinor * (100 - change.body.percent)) / 100);
      db.prepare("update orders set total_minor = ?, version = version + 1 where number = ?").run(
        totalMinor,
        number,
      );
      return { orderNumber: number, totalMinor, currency: order.currency };
    }
  }
}
