import type { Store } from "@countersign/core";
import { type PostgresServer, startPostgres } from "@countersign/test-postgres";
import pg from "pg";
import { postgresStore } from "./store.ts";

/** A server with databases to throw away. */
export type TestServer = PostgresServer & {
  /** The connection string of an empty database: one with the store's schema, or a new one with nothing. */
  newDatabase(kind: "migrated" | "bare"): Promise<string>;
  /** Deletes all that a store keeps in a database. */
  empty(connectionString: string): Promise<void>;
  /** Opens a store, ready, that {@link TestServer.closeStores} closes. */
  openStore(connectionString: string): Promise<Store>;
  /** Databases with the schema are emptied and given out again. */
  closeStores(): Promise<void>;
  /** Runs a statement as the server's owner. */
  query(
    sql: string,
    connectionString?: string,
    values?: readonly (string | null)[],
  ): Promise<readonly unknown[]>;
};

const tables = [
  "channel_content",
  "contacts",
  "conversations",
  "customers",
  "deliveries",
  "inbox",
  "journal",
  "keys",
  "plain",
  "prompts",
  "writes",
];

/** Starts a server. Stop it when the file is done. */
export async function startTestServer(): Promise<TestServer> {
  const server = await startPostgres({ flush: false });
  let databases = 0;
  const stores: Store[] = [];

  async function query(
    sql: string,
    connectionString: string = server.connectionString,
    values: readonly (string | null)[] = [],
  ): Promise<readonly unknown[]> {
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      return (await (values.length === 0 ? client.query(sql) : client.query(sql, [...values]))).rows;
    } finally {
      await client.end();
    }
  }

  // A database takes a while to make: those with the schema are used again.
  const free: string[] = [];
  const used: string[] = [];

  async function create(): Promise<string> {
    databases += 1;
    await query(`create database test_${databases} template template0`);
    return server.database(`test_${databases}`);
  }

  async function empty(connectionString: string): Promise<void> {
    await query(tables.map((table) => `delete from countersign.${table}`).join(";"), connectionString);
  }

  async function migrated(): Promise<string> {
    const connectionString = await create();
    const store = postgresStore({ connectionString });
    await store.ready();
    await store.close();
    return connectionString;
  }

  return {
    ...server,
    query,
    empty,
    async newDatabase(kind) {
      if (kind === "bare") return create();
      const connectionString = free.pop() ?? (await migrated());
      used.push(connectionString);
      return connectionString;
    },
    async openStore(connectionString) {
      const store = postgresStore({ connectionString });
      stores.push(store);
      await store.ready();
      return store;
    },
    async closeStores() {
      await Promise.all(stores.splice(0).map((store) => store.close()));
      for (const connectionString of used.splice(0)) {
        await empty(connectionString);
        free.push(connectionString);
      }
    },
  };
}
