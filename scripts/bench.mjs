/** Builds what the benchmark measures and runs it; arguments go to it (the number of rounds). */
import process from "node:process";
import { bootstrap } from "./bootstrap.mjs";
import { build } from "./build.mjs";
import { exitWith, run, Stop } from "./run.mjs";

await exitWith(async () => {
  const pnpm = await bootstrap();
  if ((await build(pnpm)) !== 0) {
    throw new Stop("The packages could not be built.", "See the message above.");
  }
  const { command, env } = pnpm;
  return run(command, ["--filter", "@countersign/bench", "bench", ...process.argv.slice(2)], { env });
});
