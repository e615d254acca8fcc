import { parseArgs } from "node:util";
import { ConfigurationError } from "@countersign/core";
import { type CopyResult, copyToPostgres } from "@countersign/sql/copy";
import { done, type Failure, failed, failureOf } from "./answer.ts";
import { loadConfig } from "./load-config.ts";
import { schemaOf } from "./migrate-command.ts";
import { UsageError } from "./usage-error.ts";

/** `countersign copy --help`. */
const copyHelp = `Usage: countersign copy --from FILE --to CONNECTION [options]

Copies everything from an SQLite database into an empty PostgreSQL database: as a whole, or not at all. Stop every process
that uses the SQLite file first. The file stays as it is.

Options:
  --from FILE       the SQLite file, or a configuration (.ts, .js, .mjs) with sqliteStore
  --to CONNECTION   such as postgresql://countersign@db.example/shop; the password is better given as PGPASSWORD,
                    since other users of this machine can read command lines
  --json            one line of JSON
  --help

Exit codes: 0 copied, 1 failed, 2 not understood, 4 a database does not fit (not empty, other schema), 6 the file is in
use, or the database cannot be reached for now.`;

async function fileOf(from: string): Promise<string> {
  if (!/\.(ts|js|mjs)$/.test(from)) return from;
  const { path, config } = await loadConfig(process.cwd(), from);
  const { file } = schemaOf(config.store, path);
  await config.store.close();
  if (file !== null) return file;
  throw new ConfigurationError(`${path}: its store is no SQLite file; name one with --from`);
}

function refusalOf(file: string, result: Exclude<CopyResult, { kind: "copied" }>): Failure {
  switch (result.kind) {
    case "in_use":
      return {
        code: "IN_USE",
        message: `another process has ${file} open, so that it may change while it is copied; nothing was copied`,
        hint: "Stop every countersign process that uses it, and run the same command again.",
      };
    case "other_schema":
      return {
        code: result.version > result.known ? "NEWER_SCHEMA" : "INVALID",
        message:
          result.version === 0
            ? `${file} holds no tables of a store; nothing was copied`
            : `${file} is at schema ${result.version}, and this release copies schema ${result.known}; nothing was copied`,
        hint:
          result.version === 0
            ? "Give the path of the file that sqliteStore names."
            : result.version > result.known
              ? "Use the release of Countersign that wrote it, or a newer one."
              : "Run countersign migrate with the configuration that uses it, and then this command again.",
      };
    case "newer_target":
      return {
        code: "NEWER_SCHEMA",
        message: `the database ${result.database} is at schema ${result.version}, and this release knows up to ${result.known}; nothing was copied`,
        hint: "Use the release of Countersign that the other processes use, or a newer one.",
      };
    case "not_empty":
      return {
        code: "NOT_EMPTY",
        message: `the database ${result.database} holds rows already (in countersign.${result.table}); nothing was copied`,
        hint: "Name an empty database, or drop the schema countersign where nobody needs what it holds.",
      };
  }
}

/** Runs `countersign copy`; resolves with the exit code. */
export async function copyCommand(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      from: { type: "string" },
      to: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    console.log(copyHelp);
    return 0;
  }
  const { from, to, json } = values;
  if (from === undefined || to === undefined) throw new UsageError("both --from and --to are needed");
  if (!/^postgres(ql)?:\/\//.test(to))
    throw new UsageError("--to is where the database is, such as postgresql://countersign@db.example/shop");
  try {
    const file = await fileOf(from);
    const result = await copyToPostgres({ file, connectionString: to });
    if (result.kind !== "copied") return failed(json, "copy", refusalOf(file, result));
    const { database, rows } = result;
    const lines = Object.entries(rows).map(([table, count]) => `  ${String(count).padStart(10)}  ${table}`);
    return done(json, { database, file, rows }, `Copied ${file} to ${database}:\n${lines.join("\n")}`);
  } catch (error) {
    const failure = failureOf(error);
    if (failure === undefined) throw error;
    return failed(json, "copy", failure);
  }
}
