import Database from "better-sqlite3";

/** The shop's open database. */
export type ShopDatabase = Database.Database;

const tables = `
create table orders (
  number text primary key, customer_id text not null, status text not null, items text not null,
  total_minor integer not null, currency text not null, street text not null, city text not null, postal_code text not null,
  version integer not null default 1
);
create table refunds (id integer primary key, order_number text not null, amount_minor integer not null, currency text not null);
create table notes (id integer primary key, order_number text not null, text text not null);
create table bookings (id integer primary key, order_number text not null, date text not null);
create table operations (
  key text primary key, id text not null unique, kind text not null, order_number text not null, customer_id text not null,
  scope text not null, fingerprint text not null, request text not null, status text not null,
  http_status integer not null, answer text not null, result text
);
create table applications (seq integer primary key autoincrement, key text not null, kind text not null, order_id text not null, at integer not null);
create trigger applications_stay before update on applications begin select raise(abort, 'applications are append-only'); end;
create trigger applications_last before delete on applications begin select raise(abort, 'applications are append-only'); end;
create table behaviours (scope text primary key, mode text not null, slow_ms integer not null, operations text not null);
`;

const names = ["orders", "refunds", "notes", "bookings", "operations", "applications", "behaviours"];

const seeded = [
  ["A-1042", "cus_ana", "open", ["Tea glass, set of 4"], 2400, "Calle Mayor 12", "Madrid", "28013"],
  [
    "A-1043",
    "cus_ana",
    "open",
    ["Linen napkin, grey", "Olive bowl"],
    4150,
    "Calle Mayor 12",
    "Madrid",
    "28013",
  ],
  ["A-1044", "cus_ana", "shipped", ["Serving tray"], 3890, "Calle Mayor 12", "Madrid", "28013"],
  ["B-2001", "cus_ben", "open", ["Reading lamp"], 5900, "Rua Augusta 7", "Lisbon", "1100-048"],
  ["B-2002", "cus_ben", "cancelled", ["Door mat"], 1950, "Rua Augusta 7", "Lisbon", "1100-048"],
] as const;

/** Empties the shop and puts the first orders back. */
export function resetShop(db: ShopDatabase): void {
  db.transaction(() => {
    for (const name of names) db.exec(`drop table if exists ${name}`);
    db.exec(tables);
    const insert = db.prepare("insert into orders values (?, ?, ?, ?, ?, 'EUR', ?, ?, ?, 1)");
    for (const [number, customer, status, items, total, street, city, code] of seeded) {
      insert.run(number, customer, status, JSON.stringify(items), total, street, city, code);
    }
  })();
}

/** Opens the shop's file and creates its tables and first orders where there are none. */
export function openShopDatabase(file: string): ShopDatabase {
  const db = new Database(file);
  db.pragma("journal_mode = WAL");
  const known = db.prepare("select 1 from sqlite_master where name = 'orders'").get();
  if (known === undefined) resetShop(db);
  return db;
}
