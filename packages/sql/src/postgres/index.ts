export type { SchemaState, SchemaStep, SqlStore, StoreSchema } from "../schema.ts";
export type { PostgresStoreOptions } from "./open.ts";
export { postgresStore } from "./store.ts";
