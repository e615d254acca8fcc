import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore, type Store } from "@countersign/core";
import { sqliteStore } from "@countersign/sql/sqlite";

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

// So many runs share a file: opening one takes longer than a run, and a long file makes its lists slow.
const runsPerFile = 200;

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
      if (!isClean || runs >= runsPerFile) await end();
    },
    async close() {
      await end();
      rmSync(directory, { recursive: true });
    },
  };
}
