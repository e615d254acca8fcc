import { ConfigurationError } from "@countersign/core";
import type Pg from "pg";
import type { Pool } from "pg";

/** Where the database is, and how long to wait for it. */
export type PostgresStoreOptions = (
  | {
      /**
       * Such as `postgresql://countersign@db.example/shop`. What it leaves out comes from the environment (PGHOST,
       * PGPASSWORD and so on), as with every program that uses `pg`.
       */
      readonly connectionString: string;
      readonly pool?: undefined;
    }
  | {
      /**
       * A pool of `pg` of your own, for this store alone: its connections get settings and prepared statements that suit
       * nobody else. It is left open when the store closes. Give it an `error` listener and a `connectionTimeoutMillis`.
       */
      readonly pool: Pool;
      readonly connectionString?: undefined;
    }
) & {
  /**
   * Where to listen for other processes' changes, when the rest goes through a connection pooler that hands sessions
   * around. It must be the same database. Default: as the rest. A pooler must keep a session's prepared statements.
   */
  readonly directConnectionString?: string;
  /** The most connections for calls, 1 to 100; one more listens for changes. Default: 10. Not with a pool of your own. */
  readonly poolSize?: number;
  /** How long a call waits for a connection, in milliseconds. Default: 5000. Not with a pool of your own. */
  readonly connectTimeoutMs?: number;
  /** How long the server works on one statement, and waits for others' locks, in milliseconds. Default: 10 000. */
  readonly statementTimeoutMs?: number;
};

/** The pool for calls and how to connect once more, for one that listens. */
export type Opened = {
  readonly pool: Pool;
  /** Whether the pool ends with the store. */
  readonly own: boolean;
  /** A new connection outside of the pool, not yet connected. */
  direct(): Pg.Client;
};

/**
 * Loads pg when a store is opened, not when this module is: it is an optional peer dependency, so an installation can lack
 * it, and then the reader should hear what to install.
 */
export async function loadDriver(): Promise<typeof Pg> {
  try {
    return (await import("pg")).default;
  } catch (cause) {
    throw new ConfigurationError(
      "postgresStore needs the package pg, which is not installed next to @countersign/sql; " +
        "run `npm install pg` in the folder of the program that uses it",
      { cause },
    );
  }
}

function wholeNumber(name: string, value: number, most: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new ConfigurationError(
    `postgresStore({ ${name} }) is ${value}; give a whole number from 1 to ${most}`,
  );
}

/** The options with their defaults. */
export type Settings = {
  readonly target: { readonly connectionString: string } | { readonly pool: Pool };
  readonly directConnectionString: string | undefined;
  readonly poolSize: number;
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs: number;
};

/** Refuses options that cannot be meant. */
export function checkOptions(options: PostgresStoreOptions): Settings {
  const { connectionString, pool } = options;
  if ((pool === undefined) === (connectionString === undefined) || connectionString === "") {
    throw new ConfigurationError(
      "postgresStore({ connectionString }): give where the database is, such as " +
        '"postgresql://countersign@db.example/shop", or a pool of pg, and not both',
    );
  }
  const hour = 3_600_000;
  return {
    target: pool === undefined ? { connectionString } : { pool },
    directConnectionString: options.directConnectionString,
    poolSize: wholeNumber("poolSize", options.poolSize ?? 10, 100),
    connectTimeoutMs: wholeNumber("connectTimeoutMs", options.connectTimeoutMs ?? 5_000, hour),
    statementTimeoutMs: wholeNumber("statementTimeoutMs", options.statementTimeoutMs ?? 10_000, hour),
  };
}

/** Whether pg understands a connection string; its own error would hold the password. */
function isReadable(pg: typeof Pg, connectionString: string): boolean {
  try {
    new pg.Client({ connectionString });
    return true;
  } catch {
    return false;
  }
}

/** Makes the pool, without connecting. */
export function openPool(pg: typeof Pg, settings: Settings): Opened {
  const { target, directConnectionString, connectTimeoutMs } = settings;
  const common = {
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    application_name: "countersign",
    // The server ends a statement first; this is for a server that does not answer at all.
    query_timeout: settings.statementTimeoutMs + 5_000,
  };
  const own = "connectionString" in target;
  for (const text of [own ? target.connectionString : undefined, directConnectionString]) {
    if (text !== undefined && !isReadable(pg, text)) {
      throw new ConfigurationError(
        "a connection string of postgresStore cannot be read; write it as postgresql://user@host:port/database, " +
          "with what is special in a password as %-codes",
      );
    }
  }
  const pool = own
    ? new pg.Pool({ ...common, connectionString: target.connectionString, max: settings.poolSize })
    : target.pool;
  // A connection that breaks while nobody uses it has left the pool already; the next call makes another.
  if (own) pool.on("error", () => undefined);
  const likePool = own ? { ...common, connectionString: target.connectionString } : target.pool.options;
  const direct =
    directConnectionString === undefined ? likePool : { ...common, connectionString: directConnectionString };
  return { pool, own, direct: () => new pg.Client(direct) };
}
