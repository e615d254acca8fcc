import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ConfigurationError } from "@countersign/core";
import { exampleConfig } from "./example-config.ts";

/** `countersign init --help`. */
const initHelp = `Usage: countersign init

Writes into this folder, and overwrites nothing:
  countersign.config.ts   a configuration with one example tool
  .env                    fresh random secrets, readable by you only
  .gitignore              lines that keep .env and the database out of git`;

const configNames = ["countersign.config.ts", "countersign.config.js", "countersign.config.mjs"];

function secretLines(): readonly (readonly [name: string, line: string])[] {
  const fresh = ["AGENT_KEY", "HOST_KEY", "OPERATOR_KEY", "SESSION_SECRET"].map(
    (name) => `COUNTERSIGN_${name}`,
  );
  return [
    ...fresh.map((name) => [name, `${name}=${randomBytes(32).toString("hex")}`] as const),
    ["SHOP_API_KEY", "SHOP_API_KEY=replace-with-the-key-of-your-api"] as const,
  ];
}

/** Adds the lines that `path` does not have yet; makes it with `mode` where it is missing. */
function addLines(path: string, lines: readonly string[], mode: number): void {
  if (lines.length === 0) return;
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const gap = text === "" || text.endsWith("\n") ? "" : "\n";
  if (text === "") writeFileSync(path, `${lines.join("\n")}\n`, { mode });
  else appendFileSync(path, `${gap}${lines.join("\n")}\n`);
}

function linesOf(path: string): readonly string[] {
  return existsSync(path)
    ? readFileSync(path, "utf8")
        .split(/\r?\n/)
        .map((line) => line.trim())
    : [];
}

/** Writes a first configuration into `folder`. Throws ConfigurationError, and writes nothing, when there is one. */
export function initialise(folder: string): void {
  const present = configNames.find((name) => existsSync(join(folder, name)));
  if (present !== undefined) {
    throw new ConfigurationError(
      `${present} is there already and was left as it is: delete it, or go on with \`countersign serve\``,
    );
  }
  const env = linesOf(join(folder, ".env"));
  const missing = secretLines().filter(
    ([name]) => !env.some((line) => line.replace(/^export\s+/, "").startsWith(`${name}=`)),
  );
  const ignored = linesOf(join(folder, ".gitignore"));
  addLines(
    join(folder, ".gitignore"),
    [".env", "*.db", "*.db-*"].filter((line) => !ignored.includes(line)),
    0o644,
  );
  addLines(
    join(folder, ".env"),
    missing.map(([, line]) => line),
    0o600,
  );
  writeFileSync(join(folder, "countersign.config.ts"), exampleConfig, { flag: "wx" });
}

/** Runs `countersign init`; resolves with the exit code. */
export async function initCommand(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { help: { type: "boolean", short: "h" } } });
  if (values.help) {
    console.log(initHelp);
    return 0;
  }
  initialise(process.cwd());
  console.log(`Wrote countersign.config.ts, .env and .gitignore.

Next:
  npm install @countersign/core @countersign/sql @countersign/cli better-sqlite3 zod
  npx countersign serve`);
  return 0;
}
