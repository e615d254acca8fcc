import { z } from "zod";
import type { ShopDatabase } from "./database.ts";

/** One order. Money is in minor units. */
export type Order = {
  readonly number: string;
  readonly customerId: string;
  readonly status: "open" | "shipped" | "cancelled";
  readonly items: readonly string[];
  readonly totalMinor: number;
  readonly currency: string;
  readonly refundedMinor: number;
  readonly street: string;
  readonly city: string;
  readonly postalCode: string;
  readonly notes: readonly string[];
  readonly bookings: readonly string[];
  /** Grows with every change of what the order is, costs or where it goes. */
  readonly version: number;
};

type OrderRow = {
  readonly number: string;
  readonly customer_id: string;
  readonly status: Order["status"];
  readonly items: string;
  readonly total_minor: number;
  readonly currency: string;
  readonly refunded: number;
  readonly street: string;
  readonly city: string;
  readonly postal_code: string;
  readonly version: number;
};

const select = `select orders.*, (select coalesce(sum(amount_minor), 0) from refunds where order_number = number) as refunded from orders`;

function orderOf(db: ShopDatabase, row: OrderRow): Order {
  const column = (sql: string): readonly string[] =>
    db.prepare<[string], string>(sql).pluck().all(row.number);
  return {
    number: row.number,
    customerId: row.customer_id,
    status: row.status,
    items: z.array(z.string()).parse(JSON.parse(row.items)),
    totalMinor: row.total_minor,
    currency: row.currency,
    refundedMinor: row.refunded,
    street: row.street,
    city: row.city,
    postalCode: row.postal_code,
    version: row.version,
    notes: column("select text from notes where order_number = ? order by id"),
    bookings: column("select date from bookings where order_number = ? order by id"),
  };
}

/** The order with this number, or undefined. With a customer it has to be theirs. */
export function findOrder(db: ShopDatabase, number: string, customerId?: string): Order | undefined {
  const row = db.prepare<[string], OrderRow>(`${select} where number = ?`).get(number);
  if (row === undefined || (customerId !== undefined && row.customer_id !== customerId)) return undefined;
  return orderOf(db, row);
}

/** Every order of a customer, by number. */
export function listOrders(db: ShopDatabase, customerId: string): readonly Order[] {
  const rows = db
    .prepare<[string], OrderRow>(`${select} where customer_id = ? order by number`)
    .all(customerId);
  return rows.map((row) => orderOf(db, row));
}

/** Raises an order's price by a euro, as somebody at the shop might while the customer is still looking at a card. */
export function repriceOrder(db: ShopDatabase, number: string): Order | undefined {
  db.prepare("update orders set total_minor = total_minor + 100, version = version + 1 where number = ?").run(
    number,
  );
  return findOrder(db, number);
}

/** Adds an open order with the next free number. */
export function placeOrder(db: ShopDatabase, customerId: string): Order {
  return db.transaction(() => {
    const last = db
      .prepare<[], number>(
        "select coalesce(max(cast(substr(number, 3) as integer)), 0) from orders where number like 'C-%'",
      )
      .pluck()
      .get();
    const number = `C-${Math.max(3000, last ?? 0) + 1}`;
    db.prepare(
      "insert into orders values (?, ?, 'open', ?, 2400, 'EUR', 'Calle Mayor 12', 'Madrid', '28013', 1)",
    ).run(number, customerId, JSON.stringify(["Tea glass, set of 4"]));
    return findOrder(db, number) as Order;
  })();
}
