/** The workspace's own pnpm, in the version that package.json names. Run directly, it hands its arguments to pnpm. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import process from "node:process";
import { exitWith, isMain, run, Stop } from "./run.mjs";
import { cacheFolder, readManifest, root } from "./workspace.mjs";

const windows = process.platform === "win32";

/**
 * Brings pnpm on first use (about five seconds) and returns how to run it.
 * The environment has that pnpm first on its PATH, for scripts that call pnpm themselves.
 * @returns {Promise<{ command: string, env: NodeJS.ProcessEnv }>}
 */
export async function pnpm() {
  const version = pinnedVersion();
  const home = join(cacheFolder, `pnpm-${version}`);
  const folder = join(home, "node_modules", "pnpm");
  const command = join(folder, windows ? "pnpm.exe" : "pnpm");
  if (!answers(command, version)) {
    console.log(`Bringing pnpm ${version} …`);
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home, { recursive: true });
    const quiet = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
    await npm(["install", "--prefix", home, ...quiet, `pnpm@${version}`]);
    // Puts the native binary in place of a wrapper that would not pass signals on.
    if (existsSync(join(folder, "install.js"))) await run(process.execPath, ["install.js"], { cwd: folder });
    if (!answers(command, version)) {
      throw new Stop(
        `pnpm ${version} could not be brought with npm.`,
        "See npm's message above; check that npm reaches its registry, then run the command again.",
      );
    }
  }
  const path = `${dirname(command)}${delimiter}${process.env.PATH ?? ""}`;
  return { command, env: { ...process.env, PATH: path, ...headersOfThisNode() } };
}

function pinnedVersion() {
  const pin = readManifest(join(root, "package.json")).packageManager ?? "";
  const version = /^pnpm@(\d+\.\d+\.\d+)/.exec(pin)?.[1];
  if (version === undefined) {
    throw new Stop(
      'package.json names no pnpm in "packageManager".',
      'Put back "packageManager": "pnpm@x.y.z".',
    );
  }
  return version;
}

/**
 * @param {string} command
 * @param {string} version
 */
function answers(command, version) {
  if (!existsSync(command)) return false;
  const answer = spawnSync(command, ["--version"], { cwd: root, encoding: "utf8" });
  return answer.status === 0 && answer.stdout.trim() === version;
}

/** @param {readonly string[]} args */
async function npm(args) {
  const script = process.env.npm_execpath;
  const code =
    script !== undefined && basename(script) === "npm-cli.js"
      ? await run(process.execPath, [script, ...args])
      : await run("npm", args, { shell: windows });
  if (code !== 0) console.error(`npm ended with exit code ${code}.`);
}

/**
 * Native modules compile against the headers beside this Node where they exist: nothing is downloaded then.
 * Without them node-gyp looks after itself.
 * @returns {NodeJS.ProcessEnv}
 */
function headersOfThisNode() {
  if (process.env.npm_config_nodedir !== undefined) return {};
  const prefix = dirname(dirname(process.execPath));
  const header = join(prefix, "include", "node", "node_version.h");
  if (!existsSync(header)) return {};
  const text = readFileSync(header, "utf8");
  const numbers = ["MAJOR", "MINOR", "PATCH"].map(
    (part) => new RegExp(`#define NODE_${part}_VERSION (\\d+)`).exec(text)?.[1],
  );
  return numbers.join(".") === process.versions.node ? { npm_config_nodedir: prefix } : {};
}

if (isMain(import.meta.url)) {
  await exitWith(async () => {
    const { command, env } = await pnpm();
    return run(command, process.argv.slice(2), { cwd: process.cwd(), env });
  });
}
