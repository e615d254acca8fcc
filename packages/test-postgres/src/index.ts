export { type PostgresServer, startPostgres } from "./start.ts";
