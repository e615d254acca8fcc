import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engine } from "./engine.ts";
import { floor } from "./floor.ts";
import { type Contender, median, quantile, ratios, rounds, type Slice } from "./measure.ts";
import { countCommits } from "./wal.ts";

const sliceMs = 200;
const roundCount = Number(process.argv[2] ?? 40);
const folder = mkdtempSync(join(tmpdir(), "countersign-bench-"));

/** What must hold: ratios with the slack a noisy machine needs, and exact counts. */
const failures: string[] = [];

function line(text: string): void {
  process.stdout.write(`${text}\n`);
}

function describe(name: string, slices: readonly Slice[]): string {
  const cycles = median(slices.map((slice) => slice.cyclesPerSecond));
  const cpu = median(slices.map((slice) => slice.cpuMsPerCycle));
  return `  ${name.padEnd(24)} ${cycles.toFixed(0).padStart(7)} cycles/s   ${cpu.toFixed(3)} ms CPU a cycle`;
}

function compare(
  results: ReadonlyMap<string, readonly Slice[]>,
  other: string,
  least: number | undefined,
): void {
  const all = ratios(results, "engine", other);
  const middle = median(all);
  const spread = `${quantile(all, 0.1).toFixed(2)} to ${quantile(all, 0.9).toFixed(2)}`;
  const must = least === undefined ? "" : `   must be at least ${least}`;
  line(`  engine / ${other.padEnd(22)} ${middle.toFixed(2)}   (most rounds ${spread})${must}`);
  if (least !== undefined && middle < least)
    failures.push(`engine / ${other}: ${middle.toFixed(2)} is below ${least}`);
}

async function at(
  conversations: number,
  contenders: readonly Contender[],
  least: Readonly<Record<string, number>>,
): Promise<void> {
  line(
    `\n${conversations} conversation${conversations === 1 ? "" : "s"} at a time, SQLite, every commit flushed`,
  );
  const results = await rounds(contenders, { conversations, rounds: roundCount, sliceMs });
  for (const [name, slices] of results) line(describe(name, slices));
  for (const { name } of contenders) if (name !== "engine") compare(results, name, least[name]);
  for (const contender of contenders) await contender.close();
}

async function commitsPerCycle(): Promise<void> {
  const cycles = 20;
  const file = join(folder, "commits.db");
  const contender = engine(file);
  await contender.cycle(0);
  const before = countCommits(`${file}-wal`);
  for (let cycle = 0; cycle < cycles; cycle += 1) await contender.cycle(0);
  const each = (countCommits(`${file}-wal`) - before) / cycles;
  await contender.close();
  line(`Durable commits a cycle: ${each} (counted in the write-ahead log)   must be 3`);
  if (each !== 3) failures.push(`durable commits a cycle: ${each} is not 3`);
}

await commitsPerCycle();
await at(1, [floor(join(folder, "floor-1.db"), "each"), engine(join(folder, "engine-1.db"))], { floor: 0.6 });
await at(
  64,
  [
    floor(join(folder, "floor-64.db"), "each"),
    floor(join(folder, "shared-64.db"), "shared"),
    engine(join(folder, "engine-64.db")),
  ],
  { floor: 3 },
);
rmSync(folder, { recursive: true, force: true });
for (const failure of failures) line(`FAILED ${failure}`);
process.exitCode = failures.length > 0 ? 1 : 0;
