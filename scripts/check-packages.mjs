/** Packs every publishable package as it would be published and checks what came out. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bootstrap } from "./bootstrap.mjs";
import { exitWith, isMain, run } from "./run.mjs";
import { root, workspacePackages } from "./workspace.mjs";

/**
 * @param {import("./bootstrap.mjs").Pnpm} pnpm
 * @returns {Promise<{ passed: number, failed: number, skipped: number }>}
 */
export async function checkPackages({ command, env }) {
  /** @type {string[]} */
  const failures = [];
  let passed = 0;
  /**
   * @param {string} what
   * @param {readonly string[]} args
   */
  const check = async (what, args) => {
    if ((await run(command, args, { env })) === 0) passed += 1;
    else failures.push(what);
  };

  for (const { name, folder, manifest } of workspacePackages().filter(({ manifest }) => !manifest.private)) {
    const scratch = mkdtempSync(join(tmpdir(), "pack-"));
    try {
      console.log(`\n${name}`);
      await run(command, ["--dir", join(root, folder), "pack", "--pack-destination", scratch], { env });
      const tarball = existsSync(scratch)
        ? readdirSync(scratch).find((file) => file.endsWith(".tgz"))
        : undefined;
      if (tarball === undefined) {
        failures.push(`pack ${name}`);
        continue;
      }
      const path = join(scratch, tarball);
      await check(`publint ${name}`, ["exec", "publint", "run", path, "--strict"]);
      const attw = [
        "exec",
        "attw",
        path,
        "--profile",
        "esm-only",
        "--no-definitely-typed",
        "--format",
        "ascii",
      ];
      // Style sheets, and scripts that a page loads by a tag, have no types to resolve.
      const untyped = Object.keys(manifest.exports ?? {}).filter((entry) =>
        /\.css$|\.global\.js$/.test(entry),
      );
      await check(`attw ${name}`, [
        ...attw,
        ...(untyped.length > 0 ? ["--exclude-entrypoints", ...untyped] : []),
      ]);
    } finally {
      rmSync(scratch, { recursive: true });
    }
  }
  await check("knip", ["exec", "knip"]);
  await check("size-limit", ["exec", "size-limit"]);

  if (failures.length > 0) console.error(`\nFailed: ${failures.join(", ")}`);
  return { passed, failed: failures.length, skipped: 0 };
}

if (isMain(import.meta.url)) {
  await exitWith(async () => ((await checkPackages(await bootstrap())).failed === 0 ? 0 : 1));
}
