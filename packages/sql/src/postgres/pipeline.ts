import type { ClientBase, Connection, Submittable } from "pg";

/** A statement that the connection has prepared, and its values as PostgreSQL writes them. */
export type Call = { readonly statement: string; readonly values: readonly (string | null)[] };

/** Each row as the texts that the server sent. */
export type Rows = readonly (readonly (string | null)[])[];

/** Several prepared statements that go to the server in one message; without a transaction around them, they are one. */
class Pipeline implements Submittable {
  readonly #calls: readonly Call[];
  readonly #rows: (string | null)[][][];
  #answered = 0;
  /** Called once; `pg` puts its own time limit around it. */
  callback: (error: unknown, rows?: Rows[]) => void;

  constructor(calls: readonly Call[], callback: (error: unknown, rows?: Rows[]) => void) {
    this.#calls = calls;
    this.#rows = calls.map(() => []);
    this.callback = callback;
  }

  submit(connection: Connection): void {
    connection.stream.cork();
    for (const { statement, values } of this.#calls) {
      // The types know of the serialized form that an older version of pg wanted.
      (connection.bind as (config: object) => void)({ statement, values });
      (connection.execute as (config: object) => void)({});
    }
    connection.sync();
    connection.stream.uncork();
  }

  // What follows is called by pg, by these names.
  handleDataRow({ fields }: { readonly fields: (string | null)[] }): void {
    this.#rows[this.#answered]?.push(fields);
  }
  handleCommandComplete(): void {
    this.#answered += 1;
  }
  handleEmptyQuery(): void {
    this.#answered += 1;
  }
  handleRowDescription(): void {}
  handlePortalSuspended(): void {}
  handleError(error: unknown): void {
    this.callback(error);
  }
  handleReadyForQuery(): void {
    this.callback(null, this.#rows);
  }
}

/**
 * Sends prepared statements in one message and resolves with the rows of each, once all is done: outside of a
 * transaction that is when they are committed together. Rejects with the first failure; then none of them has changed anything.
 */
export function sendAll(client: ClientBase, calls: readonly Call[]): Promise<readonly Rows[]> {
  return new Promise((resolve, reject) => {
    client.query(
      new Pipeline(calls, (error, rows) => {
        if (error) reject(error);
        else resolve(rows ?? []);
      }),
    );
  });
}
