import {
  type Append,
  type Clock,
  ConfigurationError,
  checkAppend,
  IntegrityError,
  systemClock,
} from "@countersign/core";
import { listeners } from "../listeners.ts";
import { type SchemaStep, type SqlStore, schemaState } from "../schema.ts";
import { prepareAppend } from "./append.ts";
import { type Channel, channel } from "./channel.ts";
import { chatCalls } from "./chats.ts";
import { type Database, openConnections } from "./database.ts";
import {
  finishDelivery,
  holdWrite,
  nextDueAt,
  releaseWrite,
  retryDelivery,
  takeDeliveries,
  takeDue,
} from "./due-work.ts";
import { explain } from "./failures.ts";
import {
  answerKey,
  claimKey,
  customerRefOf,
  findCustomerId,
  findCustomerRef,
  findKey,
  releaseKey,
} from "./keys.ts";
import { migrate, readSchemaVersion, schemaVersion } from "./migrate.ts";
import { migrations } from "./migrations/index.ts";
import { checkOptions, loadDriver, type Opened, openPool, type PostgresStoreOptions } from "./open.ts";
import { purgeInbox, purgeKeys, purgePlain } from "./purge.ts";
import { findConversationByAddress, prepareListWrites, readConversation, readWrite } from "./read-writes.ts";

type Connection = {
  readonly opened: Opened;
  readonly database: Database;
  readonly channel: Channel;
  readonly appends: ReturnType<typeof prepareAppend>;
  readonly listWrites: ReturnType<typeof prepareListWrites>;
};

function changedConversations({ conversations, writes, erase }: Append): ReadonlySet<string | null> {
  return new Set([
    ...conversations.map(({ id }) => id),
    ...writes.map(({ row }) => row.conversationId),
    // A customer who is forgotten leaves conversations that the append does not name.
    ...(erase === undefined ? [] : [null]),
  ]);
}

/** Host, port and database, as far as they are stated: what errors call it. */
function nameOf({ pool }: Opened): string {
  const { host, port, database, connectionString } = pool.options;
  if (connectionString !== undefined) {
    try {
      const { hostname, port: at, pathname } = new URL(connectionString);
      return `${hostname}${at === "" ? "" : `:${at}`}${pathname}`;
    } catch {
      return "of the connection string";
    }
  }
  return [host, port, database].filter((part) => part !== undefined).join(" ") || "of the environment";
}

/**
 * A store in a PostgreSQL database (14 or newer), for any number of processes and machines. It keeps to a schema of its own,
 * `countersign`, which it makes and brings up to date when it is opened: several processes may start at once.
 *
 * What was answered is on the server's disk; appends that come at the same time share a transaction. The connection is made
 * by the first call; while there is none, calls reject with an `UnavailableError`, and each later one tries anew. What is wrong for
 * good, such as a password, is a `ConfigurationError` of every call, best seen by `ready()`.
 *
 * `clock` times attempts to connect and what other processes are told. Default: the machine's clock.
 */
export function postgresStore(options: PostgresStoreOptions & { readonly clock?: Clock }): SqlStore {
  const settings = checkOptions(options);
  const clock = options.clock ?? systemClock;
  const listening = listeners();
  let made: Connection | undefined;
  let connection: Connection | undefined;
  let opening: Promise<Connection> | undefined;
  let closing: Promise<void> | undefined;

  function make(opened: Opened): Connection {
    const database = openConnections(opened, nameOf(opened), settings.statementTimeoutMs);
    const toOthers = channel(opened.direct, clock, listening.tell);
    const appends = prepareAppend(database, clock, (append) => {
      const ids = changedConversations(append);
      for (const conversationId of ids) listening.tell({ conversationId });
      if (ids.size > 0) toOthers.tell(ids);
    });
    return { opened, database, channel: toOthers, appends, listWrites: prepareListWrites(database) };
  }

  async function prepare(): Promise<Connection> {
    const driver = await loadDriver();
    made ??= make(openPool(driver, settings));
    return made;
  }

  async function migrateNow({ opened, database: { name } }: Connection): Promise<readonly SchemaStep[]> {
    const client = await opened.pool.connect();
    let failure: Error | undefined;
    try {
      return await migrate(client, name);
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      client.release(failure);
    }
  }

  async function open(): Promise<Connection> {
    const prepared = await prepare();
    try {
      await migrateNow(prepared);
      await prepared.channel.open();
    } catch (error) {
      throw explain(error, prepared.database.name);
    }
    connection = prepared;
    return prepared;
  }

  function connected(): Connection | Promise<Connection> {
    if (closing !== undefined) {
      throw new IntegrityError("this postgresStore is closed; ask before close()");
    }
    if (connection !== undefined) return connection;
    if (opening === undefined) {
      opening = open();
      // Every call hears of a failure, and the next one tries again.
      opening.catch(() => {
        opening = undefined;
      });
    }
    return opening;
  }
  async function database(): Promise<Database> {
    return (await connected()).database;
  }

  return {
    async append(append) {
      checkAppend(append);
      return (await connected()).appends.append(append);
    },
    async readWrite(writeId) {
      return readWrite(await database(), writeId);
    },
    async listWrites(filter) {
      return (await connected()).listWrites(filter);
    },
    async readConversation(conversationId) {
      return readConversation(await database(), conversationId);
    },
    async findConversationByAddress(ofChannel, address) {
      return findConversationByAddress(await database(), ofChannel, address);
    },
    async customerRefOf(customerId, newRef) {
      return customerRefOf(await database(), customerId, newRef);
    },
    async findCustomerRef(customerId) {
      return findCustomerRef(await database(), customerId);
    },
    async findCustomerId(customerRef) {
      return findCustomerId(await database(), customerRef);
    },
    async claimKey(row, now) {
      return claimKey(await database(), row, now);
    },
    async answerKey(scope, key, answer, keepUntil) {
      return answerKey(await database(), scope, key, answer, keepUntil);
    },
    async releaseKey(scope, key) {
      return releaseKey(await database(), scope, key);
    },
    async findKey(scope, key, now) {
      return findKey(await database(), scope, key, now);
    },
    async purgeKeys(purge) {
      return purgeKeys(await database(), purge);
    },
    async purgePlain(purge) {
      return purgePlain(await database(), purge);
    },
    async holdWrite(hold) {
      return holdWrite(await database(), hold);
    },
    async releaseWrite(writeId, heldUntil) {
      return releaseWrite(await database(), writeId, heldUntil);
    },
    async takeDue(take) {
      return takeDue(await database(), take);
    },
    async nextDueAt(now) {
      return nextDueAt(await database(), now);
    },
    async takeDeliveries(take) {
      return takeDeliveries(await database(), take);
    },
    async finishDelivery(id) {
      return finishDelivery(await database(), id);
    },
    async retryDelivery(id, dueAt, body) {
      return retryDelivery(await database(), id, dueAt, body);
    },
    ...chatCalls(database),
    async purgeInbox(purge) {
      return purgeInbox(await database(), purge);
    },
    watch(listener) {
      // Every call hears of a failure, and this is none.
      if (closing === undefined) void Promise.resolve(connected()).catch(() => undefined);
      return listening.add(listener);
    },
    schema: {
      kind: "postgres",
      file: null,
      async read() {
        const { database: ofStore } = await prepare();
        return schemaState(ofStore.name, await ofStore.ask(readSchemaVersion), migrations);
      },
      async migrate() {
        const prepared = await prepare();
        try {
          return await migrateNow(prepared);
        } catch (error) {
          throw explain(error, prepared.database.name);
        }
      },
    },
    async ready() {
      const { database: ofStore } = await connected();
      const version = await ofStore.ask(readSchemaVersion);
      if (version !== schemaVersion) {
        throw new ConfigurationError(
          `the database ${ofStore.name} went from schema ${schemaVersion} to ${version} while it was open; ` +
            "restart this process with the version of @countersign/sql that changed it",
        );
      }
    },
    close() {
      closing ??= (async () => {
        await opening?.catch(() => undefined);
        await made?.appends.finish();
        listening.clear();
        await made?.channel.close();
        if (made?.opened.own) await made.opened.pool.end();
      })();
      return closing;
    },
  };
}
