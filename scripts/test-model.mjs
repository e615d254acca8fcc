/** Runs the model test: `--long` for more than 100 000 sequences, `--runs n`, and `--seed n` to make a failure again. */
import process from "node:process";
import { parseArgs } from "node:util";
import { bootstrap } from "./bootstrap.mjs";
import { exitWith, run } from "./run.mjs";

await exitWith(async () => {
  const { values } = parseArgs({
    options: { long: { type: "boolean" }, runs: { type: "string" }, seed: { type: "string" } },
  });
  const { command, env } = await bootstrap();
  const wanted = values.long === true ? "long" : (values.runs ?? "");
  const settings = { MODEL_RUNS: wanted, ...(values.seed !== undefined && { MODEL_SEED: values.seed }) };
  const files = ["packages/model/src/invariants", "packages/model/src/fault-injector"];
  const args = [
    "exec",
    "vitest",
    "run",
    "--project",
    "node",
    ...(wanted === "" ? ["packages/model"] : files),
  ];
  return run(command, args, { env: { ...process.env, ...env, ...settings } });
});
