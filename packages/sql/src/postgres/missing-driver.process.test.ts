import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const ownFolder = fileURLToPath(new URL("../..", import.meta.url));
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-missing-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** An installation of the built package in which nobody finds pg. */
function install(): void {
  if (!existsSync(join(ownFolder, "dist"))) throw new Error("build the packages first, with `npm run build`");
  const scope = join(folder, "node_modules", "@countersign");
  mkdirSync(join(scope, "sql"), { recursive: true });
  cpSync(join(ownFolder, "dist"), join(scope, "sql", "dist"), { recursive: true });
  cpSync(join(ownFolder, "package.json"), join(scope, "sql", "package.json"));
  symlinkSync(join(ownFolder, "..", "core"), join(scope, "core"));
}

test("STORE-48 without pg a store for PostgreSQL says what to install and where, and loading its module does no harm", async () => {
  install();
  const program = `import { postgresStore } from "@countersign/sql/postgres";
    const store = postgresStore({ connectionString: "postgresql://ana:hunter2@db.example/shop" });
    for (const ask of [() => store.ready(), () => store.schema.read(), () => store.nextDueAt(0)])
      await ask().catch((error) => console.log(error.name + ": " + error.message));
    await store.close();`;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "--eval", program],
    { cwd: folder },
  );
  const said =
    "ConfigurationError: postgresStore needs the package pg, which is not installed next to @countersign/sql; " +
    "run `npm install pg` in the folder of the program that uses it\n";
  expect({ stdout, stderr }).toEqual({ stdout: said.repeat(3), stderr: "" });
});
