export { type CopyOptions, type CopyResult, copyToPostgres } from "./copy.ts";
