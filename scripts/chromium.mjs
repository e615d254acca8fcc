import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { run, Stop } from "./run.mjs";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/**
 * The path of a Chromium: CHROMIUM_PATH, else one on this machine, else Debian's, installed when that is allowed here.
 * @returns {Promise<string>}
 */
export async function chromium() {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen !== undefined && chosen !== "") {
    if (isProgram(chosen)) return chosen;
    throw new Stop("CHROMIUM_PATH names no program.", "Set it to a Chromium or Chrome, or unset it.");
  }
  const found = onThisMachine();
  if (found !== undefined) return found;
  if (existsSync("/etc/debian_version") && process.getuid?.() === 0) {
    await installFromDebian();
    const installed = onThisMachine();
    if (installed !== undefined) return installed;
  }
  throw new Stop(
    "The browser tests need a Chromium, and none was found.",
    "Install Chromium or Chrome (on Debian, as root: apt-get install chromium), " +
      "or set CHROMIUM_PATH to one, then run `npm test -- --only e2e`.",
  );
}

function onThisMachine() {
  const folders = ["/usr/bin", ...(process.env.PATH ?? "").split(delimiter)].filter(
    (folder) => folder !== "",
  );
  const mac = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
  return [...names.flatMap((name) => folders.map((folder) => join(folder, name))), mac].find(isProgram);
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function installFromDebian() {
  console.log("Installing chromium …");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  // Another apt may be at work: wait for it instead of failing.
  const patient = ["-o", "DPkg::Lock::Timeout=600"];
  await run("apt-get", [...patient, "-qq", "update"], { env });
  await run("apt-get", [...patient, "-qq", "install", "-y", "--no-install-recommends", "chromium"], { env });
}
