/** Makes a fresh clone ready: the right Node, pnpm, and everything the lockfile names. Run directly, it does just that. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pnpm } from "./pnpm.mjs";
import { fingerprint, remember, remembered } from "./remember.mjs";
import { exitWith, isMain, run, Stop } from "./run.mjs";
import { root, workspacePackages } from "./workspace.mjs";

/** @typedef {Awaited<ReturnType<typeof pnpm>>} Pnpm */

/**
 * Quick when nothing changed since the last install.
 * @returns {Promise<Pnpm>}
 */
export async function bootstrap() {
  requireNode();
  const found = await pnpm();
  await install(found);
  return found;
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 12)) return;
  throw new Stop(
    `This is Node ${process.versions.node}; 20.12 or newer is needed.`,
    "Install Node 20 and try again.",
  );
}

/** @param {Pnpm} found */
async function install({ command, env }) {
  const manifests = workspacePackages().map(({ folder }) => `${folder}/package.json`);
  const inputs = ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", "patches", ...manifests];
  const machine = [process.platform, process.arch, process.versions.modules];
  const wanted = fingerprint(root, inputs, machine);
  const present = existsSync(join(root, "node_modules", ".modules.yaml"));
  if (present && remembered("install").all === wanted) return;

  const code = await run(command, ["install", "--frozen-lockfile"], { env });
  if (code !== 0) {
    throw new Stop(
      "The dependencies could not be installed.",
      "See pnpm's message above. If package.json and pnpm-lock.yaml disagree, run `npm run pnpm -- install`. " +
        compilerAdvice,
    );
  }
  requireSqlite();
  remember("install", { all: wanted });
}

const compilerAdvice =
  "If better-sqlite3 failed to compile, install a C++ toolchain (on Debian: apt-get install g++ make python3), " +
  "then run `npm run pnpm -- rebuild better-sqlite3`.";

/** An optional dependency that fails to build is left out without an error: find out now, not in a test. */
function requireSqlite() {
  const script = "new (require('better-sqlite3'))(':memory:').close()";
  const answer = spawnSync(process.execPath, ["-e", script], {
    cwd: join(root, "packages", "sql"),
    encoding: "utf8",
  });
  if (answer.status !== 0)
    throw new Stop("better-sqlite3 was installed but does not open a database.", compilerAdvice);
}

if (isMain(import.meta.url)) {
  await exitWith(async () => {
    await bootstrap();
    return 0;
  });
}
