import type { ClientBase, CustomTypesConfig, PoolClient, QueryResultRow } from "pg";
import { appendStatements } from "./append-statements.ts";
import { explain, isAnswer } from "./failures.ts";
import { keyStatements } from "./keys.ts";
import { lockStatements } from "./locks.ts";
import type { Opened } from "./open.ts";
import { type Call, type Rows, sendAll } from "./pipeline.ts";

/** A statement with a name, under which each connection prepares it once. */
export type Statement = { readonly name: string; readonly text: string };

/** The connections that calls run on. */
export type Database = {
  /** Names the database in errors, without a password. */
  readonly name: string;
  /**
   * Runs `work` on a connection that nobody else has meanwhile. Rejects with what went wrong as it came; a connection that
   * may be broken by it is not used again.
   */
  use<T>(work: (client: PoolClient) => Promise<T>): Promise<T>;
  /** Like `use`; rejects with what to do. */
  ask<T>(work: (client: PoolClient) => Promise<T>): Promise<T>;
  /** Runs one statement; rejects with what to do. */
  query<Row extends QueryResultRow>(
    statement: Statement,
    values: readonly unknown[],
  ): Promise<readonly Row[]>;
};

function toNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError("a stored number is too large to be read exactly");
  return value;
}

/** By the numbers of `pg_type`: bool, int8 (times in milliseconds, far below 2^53), int4; all else is text. */
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => text === "t",
  20: toNumber,
  23: toNumber,
};

/** Whatever the program has set up for its own use of `pg`. */
const types: CustomTypesConfig = {
  getTypeParser: (oid: number) => parsers[oid] ?? String,
};

/** Runs one statement on a connection. */
export async function run<Row extends QueryResultRow>(
  client: ClientBase,
  { name, text }: Statement,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  const { rows } = await client.query<Row>({ name, text, values: [...values], types });
  return rows;
}

const statements: Readonly<Record<string, string>> = {
  ...lockStatements,
  ...appendStatements,
  ...keyStatements,
};
const prepared = new WeakMap<ClientBase, Set<string>>();

async function prepare(client: ClientBase, calls: readonly Call[]): Promise<void> {
  let known = prepared.get(client);
  if (known === undefined) {
    known = new Set();
    prepared.set(client, known);
  }
  for (const { statement } of calls) {
    if (known.has(statement)) continue;
    await client.query(`prepare ${statement} as ${statements[statement]}`);
    known.add(statement);
  }
}

/** Sends statements together, as {@link sendAll}; each connection prepares one when it first needs it. */
export async function callAll(client: ClientBase, calls: readonly Call[]): Promise<readonly Rows[]> {
  const known = prepared.get(client);
  if (known === undefined || !calls.every(({ statement }) => known.has(statement)))
    await prepare(client, calls);
  return sendAll(client, calls);
}

/**
 * What a connection is told before it is used. The plans of an empty table must not outlive its growth: so each statement
 * is planned once and for indexes. Nothing is answered before it is on the disk.
 */
function sessionSetup(statementTimeoutMs: number): string {
  return `set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_bitmapscan = off;
    set statement_timeout = ${statementTimeoutMs}; set lock_timeout = ${statementTimeoutMs};
    set idle_in_transaction_session_timeout = ${statementTimeoutMs};
    select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`;
}

/** The connections of a pool, each set up when it is first used. */
export function openConnections({ pool }: Opened, name: string, statementTimeoutMs: number): Database {
  const ready = new WeakSet<PoolClient>();
  const setup = sessionSetup(statementTimeoutMs);

  async function use<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    // A connection that breaks says so twice: to the query that waits for it, and as an event that ends the process.
    const ignore = (): void => undefined;
    client.on("error", ignore);
    let broken: Error | undefined;
    try {
      if (!ready.has(client)) {
        await client.query(setup);
        ready.add(client);
      }
      return await work(client);
    } catch (error) {
      // What is not prepared must not be taken for it; and who knows what half a setup left behind.
      if (!isAnswer(error) || !ready.has(client))
        broken = error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      client.off("error", ignore);
      client.release(broken);
    }
  }

  async function ask<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    try {
      return await use(work);
    } catch (error) {
      throw explain(error, name);
    }
  }

  return {
    name,
    use,
    ask,
    query: (statement, values) => ask((client) => run(client, statement, values)),
  };
}
