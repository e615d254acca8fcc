import {
  type Append,
  type Clock,
  ConfigurationError,
  checkAppend,
  IntegrityError,
  systemClock,
} from "@countersign/core";
import type { Database } from "better-sqlite3";
import type { SqlStore } from "../schema.ts";
import { prepareAppend } from "./append.ts";
import { type Chats, chatCalls, prepareChats } from "./chats.ts";
import { type DueWork, prepareDueWork } from "./due-work.ts";
import { type GroupCommit, groupCommit } from "./group-commit.ts";
import { type Customers, type Keys, prepareCustomers, prepareKeys } from "./keys.ts";
import { readSchemaVersion, schemaVersion } from "./migrate.ts";
import { openDatabase } from "./open.ts";
import { type Purge, preparePurge } from "./purge.ts";
import {
  prepareFindByAddress,
  prepareListWrites,
  prepareReadConversation,
  prepareReadWrite,
} from "./read-writes.ts";
import { fileSchema } from "./schema.ts";
import { scrub } from "./scrub.ts";
import { watchers } from "./watchers.ts";

/** Where the file is and how to wait for it. */
export type SqliteStoreOptions = {
  /** Path of the database file, made when there is none; its directory must exist, on a local disk. */
  readonly file: string;
  /** How long a call waits, and the process with it, while another process writes. Default: 5000. */
  readonly busyTimeoutMs?: number;
  /** Times the look for other processes' changes, every 500 ms while somebody watches. Default: the machine's clock. */
  readonly clock?: Clock;
};

type Connection = {
  readonly db: Database;
  readonly commits: GroupCommit;
  readonly append: ReturnType<typeof prepareAppend>;
  readonly readWrite: ReturnType<typeof prepareReadWrite>;
  readonly listWrites: ReturnType<typeof prepareListWrites>;
  readonly readConversation: ReturnType<typeof prepareReadConversation>;
  readonly findByAddress: ReturnType<typeof prepareFindByAddress>;
  readonly customers: Customers;
  readonly chats: Chats;
  readonly keys: Keys;
  readonly due: DueWork;
  readonly purge: Purge;
};

async function connect(file: string, busyTimeoutMs: number): Promise<Connection> {
  const { db } = await openDatabase(file, busyTimeoutMs);
  return {
    db,
    commits: groupCommit(db, file),
    append: prepareAppend(db),
    readWrite: prepareReadWrite(db),
    listWrites: prepareListWrites(db),
    readConversation: prepareReadConversation(db),
    findByAddress: prepareFindByAddress(db),
    customers: prepareCustomers(db),
    chats: prepareChats(db),
    keys: prepareKeys(db),
    due: prepareDueWork(db),
    purge: preparePurge(db),
  };
}

function* changedConversations(append: Append): Iterable<string | null> {
  for (const row of append.conversations) yield row.id;
  for (const write of append.writes) yield write.row.conversationId;
  // A customer who is forgotten leaves conversations that the append does not name.
  if (append.erase !== undefined) yield null;
}

/**
 * A store in one SQLite file, for one machine: several processes may open the same file at once.
 *
 * What was answered is on the disk, each commit flushed; calls that come at the same time share a flush. The file is
 * opened, and made or brought up to date, by the first call, best by `ready()`.
 */
export function sqliteStore({
  file,
  busyTimeoutMs = 5000,
  clock = systemClock,
}: SqliteStoreOptions): SqlStore {
  if (typeof file !== "string" || file === "") {
    throw new ConfigurationError(
      'sqliteStore({ file }): give the path of the database file, such as "countersign.db"',
    );
  }
  const watching = watchers(clock);
  let connection: Connection | undefined;
  let opened: Promise<Connection> | undefined;
  let closing: Promise<void> | undefined;

  function open(): Promise<Connection> {
    opened ??= connect(file, busyTimeoutMs).then((made) => {
      connection = made;
      watching.connect(made.db);
      return made;
    });
    return opened;
  }

  function connected(): Connection | Promise<Connection> {
    if (closing !== undefined) {
      return Promise.reject(new IntegrityError(`the store of ${file} is closed; ask before close()`));
    }
    return connection ?? open();
  }

  return {
    async append(append) {
      checkAppend(append);
      const { db, commits, append: put } = await connected();
      const result = await commits.ask(
        () => put(append),
        (committed) => {
          if (committed.kind === "appended") watching.tell(changedConversations(append));
        },
      );
      if (append.erase !== undefined && result.kind === "appended") scrub(db, file);
      return result;
    },
    async readWrite(writeId) {
      return (await connected()).readWrite(writeId);
    },
    async listWrites(filter) {
      return (await connected()).listWrites(filter);
    },
    async readConversation(conversationId) {
      return (await connected()).readConversation(conversationId);
    },
    async findConversationByAddress(channel, address) {
      return (await connected()).findByAddress(channel, address);
    },
    async customerRefOf(customerId, newRef) {
      const { commits, customers } = await connected();
      return customers.findRef(customerId) ?? commits.ask(() => customers.refOf(customerId, newRef));
    },
    async findCustomerRef(customerId) {
      return (await connected()).customers.findRef(customerId);
    },
    async findCustomerId(customerRef) {
      return (await connected()).customers.findId(customerRef);
    },
    async claimKey(row, now) {
      const { commits, keys } = await connected();
      return commits.ask(() => keys.claim(row, now));
    },
    async answerKey(scope, key, answer, keepUntil) {
      const { commits, keys } = await connected();
      return commits.ask(() => keys.answer(scope, key, answer, keepUntil));
    },
    async releaseKey(scope, key) {
      const { commits, keys } = await connected();
      return commits.ask(() => keys.release(scope, key));
    },
    async findKey(scope, key, now) {
      return (await connected()).keys.find(scope, key, now);
    },
    async purgeKeys(purge) {
      const { commits, purge: purging } = await connected();
      return purging.hasEndedKeys(purge.now) ? commits.ask(() => purging.keys(purge)) : 0;
    },
    async purgePlain(purge) {
      const { commits, purge: purging } = await connected();
      return commits.ask(() => purging.plain(purge));
    },
    async holdWrite(hold) {
      const { commits, due } = await connected();
      return commits.ask(() => due.holdWrite(hold));
    },
    async releaseWrite(writeId, heldUntil) {
      const { commits, due } = await connected();
      return commits.ask(() => due.releaseWrite(writeId, heldUntil));
    },
    async takeDue(take) {
      const { commits, due } = await connected();
      return due.hasDueWrites(take.now) ? commits.ask(() => due.takeWrites(take)) : [];
    },
    async nextDueAt(now) {
      return (await connected()).due.nextDueAt(now);
    },
    async takeDeliveries(take) {
      const { commits, due } = await connected();
      return due.hasDueDeliveries(take.now) ? commits.ask(() => due.takeDeliveries(take)) : [];
    },
    async finishDelivery(id) {
      const { commits, due } = await connected();
      return commits.ask(() => due.finishDelivery(id));
    },
    async retryDelivery(id, dueAt, body) {
      const { commits, due } = await connected();
      return commits.ask(() => due.retryDelivery(id, dueAt, body));
    },
    ...chatCalls(connected),
    async purgeInbox(purge) {
      const { commits, purge: purging } = await connected();
      return purging.hasOldMessages(purge) ? commits.ask(() => purging.inbox(purge)) : 0;
    },
    watch(listener) {
      // Every call hears of a failure, and this is none.
      if (closing === undefined) open().catch(() => undefined);
      return watching.add(listener);
    },
    schema: fileSchema(file, busyTimeoutMs),
    async ready() {
      const { db } = await connected();
      const version = readSchemaVersion(db);
      if (version !== schemaVersion) {
        throw new ConfigurationError(
          `the database ${file} went from schema ${schemaVersion} to ${version} while it was open; ` +
            "restart this process with the version of @countersign/sql that changed it",
        );
      }
    },
    close() {
      closing ??= Promise.resolve(opened).then(
        (made) => {
          made?.commits.finish();
          watching.stop();
          made?.db.close();
        },
        () => watching.stop(),
      );
      return closing;
    },
  };
}
