/** Sends mangled webhooks to a server: `--long` for more than 100 000 of them, `--runs n` for n times 20. */
import process from "node:process";
import { parseArgs } from "node:util";
import { bootstrap } from "./bootstrap.mjs";
import { exitWith, run } from "./run.mjs";

await exitWith(async () => {
  const { values } = parseArgs({ options: { long: { type: "boolean" }, runs: { type: "string" } } });
  const { command, env } = await bootstrap();
  const wanted = values.long === true ? "5200" : values.runs;
  const settings = wanted === undefined ? {} : { FUZZ_RUNS: wanted };
  const args = ["exec", "vitest", "run", "--project", "node", "packages/cli/src/webhook-fuzz.test.ts"];
  return run(command, args, { env: { ...process.env, ...env, ...settings } });
});
