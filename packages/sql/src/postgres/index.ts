export type { PostgresStoreOptions } from "./open.ts";
export { postgresStore } from "./store.ts";
