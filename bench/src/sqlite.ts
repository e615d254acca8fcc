import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteStore } from "@countersign/sql/sqlite";
import { engine } from "./engine.ts";
import { floor } from "./floor.ts";
import { report } from "./report.ts";
import { countCommits } from "./wal.ts";

const roundCount = Number(process.argv[2] ?? 40);
const folder = mkdtempSync(join(tmpdir(), "countersign-bench-"));
const { line, fail, compare, close } = report();

async function commitsPerCycle(): Promise<void> {
  const cycles = 20;
  const file = join(folder, "commits.db");
  const contender = engine(sqliteStore({ file }));
  await contender.cycle(0);
  const before = countCommits(`${file}-wal`);
  for (let cycle = 0; cycle < cycles; cycle += 1) await contender.cycle(0);
  const each = (countCommits(`${file}-wal`) - before) / cycles;
  await contender.close();
  line(`Durable commits a cycle: ${each} (counted in the write-ahead log)   must be 3`);
  if (each !== 3) fail(`durable commits a cycle: ${each} is not 3`);
}

const title = "SQLite, every commit flushed";
await commitsPerCycle();
await compare(
  title,
  [floor(join(folder, "floor-1.db"), "each"), engine(sqliteStore({ file: join(folder, "engine-1.db") }))],
  { conversations: 1, rounds: roundCount },
  { floor: 0.6 },
);
await compare(
  title,
  [
    floor(join(folder, "floor-64.db"), "each"),
    floor(join(folder, "shared-64.db"), "shared"),
    engine(sqliteStore({ file: join(folder, "engine-64.db") })),
  ],
  { conversations: 64, rounds: roundCount },
  { floor: 3 },
);
rmSync(folder, { recursive: true, force: true });
close();
