import { parseArgs } from "node:util";
import { ConfigurationError, type Store } from "@countersign/core";
import type { SchemaState, SchemaStep, StoreSchema } from "@countersign/sql/sqlite";
import { done, failed, failureOf } from "./answer.ts";
import { loadConfig } from "./load-config.ts";

/** `countersign migrate --help`. */
const migrateHelp = `Usage: countersign migrate [options]

Brings the database of the configuration up to date. Any number of processes may do so at once. \`countersign serve\` does
the same when it starts; run this first where it should be a step of its own.

Options:
  --check         change nothing; say what would be done
  --config FILE   default: countersign.config.ts, .js or .mjs in this folder
  --json          one line of JSON
  --help

Exit codes: 0 up to date, 1 something is to be done (--check) or it failed, 4 the database belongs to a newer release,
6 the database cannot be reached for now.`;

/** The schema of a configured store. Throws ConfigurationError for a store that has none. */
export function schemaOf(store: Store, path: string): StoreSchema {
  if ("schema" in store) return (store as Store & { readonly schema: StoreSchema }).schema;
  throw new ConfigurationError(
    `${path}: its store has no database to migrate; configure sqliteStore or postgresStore`,
  );
}

function named(steps: readonly SchemaStep[]): string {
  return steps.map(({ version, name }) => `${version} (${name})`).join(", ");
}

function checked(json: boolean, state: SchemaState): number {
  const { database, version, pending } = state;
  if (pending.length === 0)
    return done(json, state, `The database ${database} is up to date, at schema ${version}.`);
  return failed(json, "migrate", {
    code: "PENDING",
    message: `the database ${database} is at schema ${version} and lacks ${named(pending)}`,
    hint: "Run countersign migrate, or start a server of this release.",
    details: state,
  });
}

async function migrate(json: boolean, check: boolean, schema: StoreSchema): Promise<number> {
  const state = await schema.read();
  const { database, version, known } = state;
  if (version > known) {
    return failed(json, "migrate", {
      code: "NEWER_SCHEMA",
      message: `the database ${database} is at schema ${version}, and this release knows up to ${known}; nothing was changed`,
      hint: "Use the release of Countersign that the other processes use, or a newer one.",
      details: state,
    });
  }
  if (check) return checked(json, state);
  const applied = await schema.migrate();
  const after = await schema.read();
  const text =
    applied.length === 0
      ? `The database ${database} is up to date, at schema ${after.version}.`
      : `Brought the database ${database} to schema ${after.version}: ${named(applied)}.`;
  return done(json, { ...after, applied }, text);
}

/** Runs `countersign migrate`; resolves with the exit code. */
export async function migrateCommand(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      check: { type: "boolean", default: false },
      config: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    console.log(migrateHelp);
    return 0;
  }
  try {
    const { path, config } = await loadConfig(process.cwd(), values.config);
    try {
      return await migrate(values.json, values.check, schemaOf(config.store, path));
    } finally {
      await config.store.close();
    }
  } catch (error) {
    const failure = failureOf(error);
    if (failure === undefined) throw error;
    return failed(values.json, "migrate", failure);
  }
}
