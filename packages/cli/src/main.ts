import { readFileSync } from "node:fs";
import { channelsCommand } from "./channels-command.ts";
import { copyCommand } from "./copy-command.ts";
import { initCommand } from "./init-command.ts";
import { migrateCommand } from "./migrate-command.ts";
import { serveCommand } from "./serve-command.ts";
import { nearest } from "./suggest.ts";
import { verifyCommand } from "./verify-command.ts";

const help = `Usage: countersign COMMAND [options]

Commands:
  channels check whether the chat accounts are set up at their platforms
  copy     copy an SQLite database into an empty PostgreSQL database
  init     write a configuration with one example tool into this folder
  migrate  bring the database of the configuration up to date
  serve    serve the configuration of this folder
  verify   verify an exported journal, without a server

Options:
  --help, --version

\`countersign COMMAND --help\` says more.`;

const commands: { readonly [name: string]: (args: readonly string[]) => Promise<number> } = {
  channels: channelsCommand,
  copy: copyCommand,
  init: initCommand,
  migrate: migrateCommand,
  serve: serveCommand,
  verify: verifyCommand,
};

function version(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

function isUsageError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    error.name === "UsageError" || String((error as NodeJS.ErrnoException).code).startsWith("ERR_PARSE_ARGS")
  );
}

function unknownCommand(name: string): number {
  const near = nearest(name, Object.keys(commands));
  console.error(
    `countersign: there is no command "${name}".${near ? ` Did you mean "${near}"?` : ""} See countersign --help.`,
  );
  return 2;
}

/** Runs the command line and resolves with its exit code: 0 done, 1 failed, 2 not understood. */
export async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    console.log(help);
    return name === undefined ? 2 : 0;
  }
  if (name === "--version" || name === "-v") {
    console.log(version());
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) return unknownCommand(name);
  try {
    return await command(rest);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (isUsageError(error)) {
      console.error(`countersign ${name}: ${error.message}\nSee countersign ${name} --help.`);
      return 2;
    }
    console.error(`countersign ${name}: ${error.message}`);
    return 1;
  }
}
