/** Installs, builds and runs the playground until it is stopped. */
import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import process from "node:process";
import { bootstrap } from "./bootstrap.mjs";
import { build } from "./build.mjs";
import { exitWith, Stop } from "./run.mjs";
import { readManifest, root } from "./workspace.mjs";

const playground = join(root, "apps", "playground");

await exitWith(async () => {
  const pnpm = await bootstrap();
  if ((await build(pnpm)) !== 0) {
    throw new Stop(
      "The packages could not be built.",
      "See the message above; `npm test -- --only typecheck` says more.",
    );
  }
  const script = readManifest(join(playground, "package.json")).scripts?.start;
  if (script === undefined) {
    throw new Stop("The playground has no start script.", 'Add "start" to apps/playground/package.json.');
  }
  const path = `${join(playground, "node_modules", ".bin")}${delimiter}${pnpm.env.PATH ?? ""}`;
  return runUntilStopped(script, { ...pnpm.env, PATH: path });
});

/**
 * Runs the script itself: pnpm would neither pass signals on nor end without an error of its own. The program gets a
 * process group, and the whole group is signalled.
 * @param {string} script
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>}
 */
function runUntilStopped(script, env) {
  const grouped = process.platform !== "win32";
  const stdio = /** @type {const} */ (["ignore", "inherit", "inherit"]);
  const child = spawn(script, { cwd: playground, env, shell: true, detached: grouped, stdio: [...stdio] });
  let stopped = false;
  /** @param {NodeJS.Signals} signal */
  const pass = (signal) => {
    stopped = true;
    if (child.pid === undefined) return;
    try {
      if (grouped) process.kill(-child.pid, signal);
      else child.kill(signal);
    } catch {
      // The group has ended already.
    }
  };
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(signal, pass);
  const watch = setInterval(
    whenOrphaned(() => pass("SIGTERM")),
    250,
  );
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => {
      clearInterval(watch);
      resolve(stopped ? 0 : (code ?? 1));
    });
  });
}

/**
 * npm starts scripts through a shell, which on some systems dies of a signal without passing it on: under npm, a lost
 * parent means that npm was stopped.
 * @param {() => void} stop
 */
function whenOrphaned(stop) {
  const parent = process.ppid;
  let told = process.env.npm_lifecycle_event === undefined;
  return () => {
    if (told || process.ppid === parent) return;
    told = true;
    stop();
  };
}
