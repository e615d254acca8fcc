import type { Store } from "@countersign/core";

/** One step of a database's schema. */
export type SchemaStep = { readonly version: number; readonly name: string };

/** Where a database stands, compared with this code. */
export type SchemaState = {
  /** The file, or host and database; never a password. */
  readonly database: string;
  /** The last step that the database has had; 0 for a new one. */
  readonly version: number;
  /** The last step that this code knows. Smaller than `version`: the database belongs to a newer release. */
  readonly known: number;
  /** What {@link StoreSchema.migrate} would do, in order. */
  readonly pending: readonly SchemaStep[];
};

/** A store's schema, apart from its use: asking for it neither opens the store nor makes its tables. */
export type StoreSchema = {
  readonly kind: "sqlite" | "postgres";
  /** The path as it was configured; null where there is no file. */
  readonly file: string | null;
  /** Looks, and changes nothing. */
  read(): Promise<SchemaState>;
  /**
   * Brings the database up to date, however many processes do so at once, and answers with what this call did itself. Rejects
   * with a `ConfigurationError` what is newer than this code, or not the store's.
   */
  migrate(): Promise<readonly SchemaStep[]>;
};

/** A store in a database that has a schema. */
export type SqlStore = Store & { readonly schema: StoreSchema };

/** Where a database with this many steps stands. */
export function schemaState(database: string, version: number, steps: readonly SchemaStep[]): SchemaState {
  const pending = steps.slice(version).map((step) => ({ version: step.version, name: step.name }));
  return { database, version, known: steps.length, pending };
}
