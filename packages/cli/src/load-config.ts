import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ServerConfig } from "@countersign/core";
import { ConfigurationError } from "@countersign/core";
import { createJiti } from "jiti";
import { checkConfig } from "./check-config.ts";

const names = ["countersign.config.ts", "countersign.config.js", "countersign.config.mjs"];

function findConfig(folder: string, named: string | undefined): string {
  const candidates = (named === undefined ? names : [named]).map((name) => resolve(folder, name));
  const found = candidates.find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new ConfigurationError(
    named === undefined
      ? `there is no ${names[0]} (or .js, .mjs) in ${folder}: run \`countersign init\` to write one, or name one with --config`
      : `there is no file ${candidates[0]}: check what --config names`,
  );
}

async function importFile(path: string): Promise<unknown> {
  if (!path.endsWith(".ts"))
    return ((await import(pathToFileURL(path).href)) as { default?: unknown }).default;
  // The packages of this server are imported natively, so that the configuration gets the copy that runs here.
  const jiti = createJiti(pathToFileURL(path).href, {
    fsCache: false,
    nativeModules: [
      "@countersign/core",
      "@countersign/sql",
      "@countersign/http",
      "@countersign/channels",
      "better-sqlite3",
      "zod",
    ],
  });
  return await jiti.import(path, { default: true });
}

/** Another copy of the core may have thrown it, so the class says nothing. */
function isConfigurationError(error: unknown): error is Error {
  return error instanceof Error && error.name === "ConfigurationError";
}

/**
 * Loads and checks the configuration in `folder`, or the one that `named` names. A `.env` file next to it is read
 * first; variables that are set already win.
 */
export async function loadConfig(
  folder: string,
  named?: string,
): Promise<{ readonly path: string; readonly config: ServerConfig }> {
  const path = findConfig(folder, named);
  const envFile = resolve(dirname(path), ".env");
  if (existsSync(envFile)) process.loadEnvFile(envFile);
  let exported: unknown;
  try {
    exported = await importFile(path);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (isConfigurationError(error)) throw new ConfigurationError(`${path}: ${message}`, { cause: error });
    throw new ConfigurationError(`${path} cannot be loaded: ${message}`, { cause: error });
  }
  return { path, config: checkConfig(exported, path) };
}
