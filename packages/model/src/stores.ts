import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore, type Store } from "@countersign/core";
import { postgresStore } from "@countersign/sql/postgres";
import { sqliteStore } from "@countersign/sql/sqlite";
import { type PostgresServer, startPostgres } from "@countersign/test-postgres";
import pg from "pg";

/** Gives each run a store, and takes it back; one that a run broke off on is not used again. */
export type Stores = {
  take(): Promise<Store>;
  giveBack(store: Store, isClean: boolean): Promise<void>;
  /** Lets go of everything. */
  close(): Promise<void>;
};

/** A new store in memory for each run. */
export function memoryStores(): Stores {
  return { take: async () => memoryStore(), giveBack: (store) => store.close(), close: async () => {} };
}

// So many runs share a database: opening one takes longer than a run, and a long one makes its lists slow.
const runsPerDatabase = 200;

// Power cuts are not what is tested here, so the files may lie where flushing costs nothing.
const memoryDisk = "/dev/shm";

/** A database file for a few hundred runs, one after the other; each leaves nothing behind that is due. */
export function sqliteStores(): Stores {
  const directory = mkdtempSync(join(existsSync(memoryDisk) ? memoryDisk : tmpdir(), "countersign-model-"));
  let files = 0;
  let runs = 0;
  let current: Store | undefined;
  const end = async (): Promise<void> => {
    await current?.close();
    current = undefined;
  };
  return {
    async take() {
      if (!current) {
        files += 1;
        runs = 0;
        current = sqliteStore({ file: join(directory, `${files}.db`) });
        await current.ready();
      }
      runs += 1;
      return current;
    },
    async giveBack(_store, isClean) {
      if (!isClean || runs >= runsPerDatabase) await end();
    },
    async close() {
      await end();
      rmSync(directory, { recursive: true });
    },
  };
}

/** A database of a server of its own for a few hundred runs, one after the other. */
export function postgresStores(): Stores {
  let starting: Promise<PostgresServer> | undefined;
  let databases = 0;
  let runs = 0;
  let current: Store | undefined;
  const end = async (): Promise<void> => {
    await current?.close();
    current = undefined;
  };
  async function newDatabase(server: PostgresServer): Promise<string> {
    databases += 1;
    const client = new pg.Client({ connectionString: server.connectionString });
    await client.connect();
    await client.query(`create database model_${databases} template template0`);
    await client.end();
    return server.database(`model_${databases}`);
  }
  return {
    async take() {
      if (!current) {
        starting ??= startPostgres({ flush: false });
        runs = 0;
        current = postgresStore({ connectionString: await newDatabase(await starting) });
        await current.ready();
      }
      runs += 1;
      return current;
    },
    async giveBack(_store, isClean) {
      if (!isClean || runs >= runsPerDatabase) await end();
    },
    async close() {
      await end();
      await (await starting)?.stop();
    },
  };
}
