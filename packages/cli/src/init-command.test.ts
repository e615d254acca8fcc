import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { exampleConfig } from "./example-config.ts";
import { initialise } from "./init-command.ts";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "countersign-init-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
const read = (folder: string, name: string): string => readFileSync(join(folder, name), "utf8");

test("CLI-6 an empty folder gets a configuration, fresh secrets for its owner only, and lines for git", () => {
  const folder = makeFolder();
  initialise(folder);
  expect(read(folder, "countersign.config.ts")).toBe(exampleConfig);
  expect(read(folder, ".gitignore")).toBe(".env\n*.db\n*.db-*\n");
  expect(statSync(join(folder, ".env")).mode & 0o777).toBe(0o600);
  const lines = read(folder, ".env").trimEnd().split("\n");
  expect(lines.map((line) => line.split("=")[0])).toEqual([
    "COUNTERSIGN_AGENT_KEY",
    "COUNTERSIGN_HOST_KEY",
    "COUNTERSIGN_OPERATOR_KEY",
    "COUNTERSIGN_SESSION_SECRET",
    "SHOP_API_KEY",
  ]);
  const values = lines.slice(0, 4).map((line) => line.split("=")[1] as string);
  expect(new Set(values).size).toBe(4);
  for (const value of values) expect(value).toMatch(/^[0-9a-f]{64}$/);
});

test("CLI-7 a configuration that is there is never overwritten, and nothing else is written either", () => {
  for (const name of ["countersign.config.ts", "countersign.config.js", "countersign.config.mjs"]) {
    const folder = makeFolder();
    writeFileSync(join(folder, name), "mine");
    expect(() => initialise(folder)).toThrowError(
      expect.objectContaining({
        name: "ConfigurationError",
        message: expect.stringContaining(`${name} is there already`),
      }),
    );
    expect([read(folder, name), existsSync(join(folder, ".env"))]).toEqual(["mine", false]);
  }
});

test("CLI-7 lines that are in .env and .gitignore stay as they are; what is missing is added below", () => {
  const folder = makeFolder();
  writeFileSync(join(folder, ".env"), "COUNTERSIGN_AGENT_KEY=mine\nexport SHOP_API_KEY=mine-too");
  writeFileSync(join(folder, ".gitignore"), "dist\n.env\n");
  initialise(folder);
  expect(read(folder, ".gitignore")).toBe("dist\n.env\n*.db\n*.db-*\n");
  const env = read(folder, ".env");
  expect(
    env.startsWith("COUNTERSIGN_AGENT_KEY=mine\nexport SHOP_API_KEY=mine-too\nCOUNTERSIGN_HOST_KEY="),
  ).toBe(true);
  expect([...env.matchAll(/COUNTERSIGN_AGENT_KEY|SHOP_API_KEY/g)]).toHaveLength(2);
});
