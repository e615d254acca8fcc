export type { SchemaState, SchemaStep, SqlStore, StoreSchema } from "../schema.ts";
export { type SqliteStoreOptions, sqliteStore } from "./store.ts";
