import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { root } from "./workspace.mjs";

/** Something only a person can put right. `next` says what to do about it. */
export class Stop extends Error {
  /**
   * @param {string} what
   * @param {string} next
   */
  constructor(what, next) {
    super(what);
    this.next = next;
  }
}

/**
 * Runs a program with the terminal's output and no input; resolves to its exit code (127 when it cannot be started).
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, shell?: boolean }} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, { cwd = root, env = process.env, shell = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, shell, stdio: ["ignore", "inherit", "inherit"] });
    child.once("error", (error) => {
      console.error(`${command} could not be started: ${error.message}`);
      resolve(127);
    });
    child.once("exit", (code, signal) => resolve(code ?? (signal === null ? 1 : 130)));
  });
}

/**
 * Runs a script's main function; a `Stop` becomes two plain lines and exit code 1.
 * @param {() => Promise<number>} main resolves to the exit code
 */
export async function exitWith(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    console.error(`\n${error.message}\nWhat to do: ${error.next}`);
    process.exitCode = 1;
  }
}

/**
 * True when the module is the program that Node was started with.
 * @param {string} moduleUrl `import.meta.url`
 */
export function isMain(moduleUrl) {
  const started = process.argv[1];
  return started !== undefined && pathToFileURL(realpathSync(started)).href === moduleUrl;
}
