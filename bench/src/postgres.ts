import { postgresStore } from "@countersign/sql/postgres";
import { startPostgres } from "@countersign/test-postgres";
import pg from "pg";
import { engine } from "./engine.ts";
import type { Contender } from "./measure.ts";
import { postgresFloor } from "./postgres-floor.ts";
import { report } from "./report.ts";

const roundCount = Number(process.argv[2] ?? 40);
/** Only this many conversations at a time. */
const only = process.argv[3];
const { compare, close } = report();
const server = await startPostgres({ flush: true });
const admin = new pg.Client({ connectionString: server.connectionString });
await admin.connect();

let databases = 0;
async function newDatabase(): Promise<string> {
  databases += 1;
  await admin.query(`create database bench_${databases}`);
  return server.database(`bench_${databases}`);
}

async function openEngine(): Promise<Contender> {
  const store = postgresStore({ connectionString: await newDatabase(), poolSize: 16 });
  await store.ready();
  return engine(store);
}

const title = "PostgreSQL, every commit flushed";
for (const [conversations, least] of [
  [1, { floor: 0.6 }],
  [16, { floor: 1 }],
  [64, { floor: 1.5 }],
] as const) {
  if (only !== undefined && Number(only) !== conversations) continue;
  const contenders = [await postgresFloor(await newDatabase(), "each"), await openEngine()];
  if (conversations > 1) contenders.push(await postgresFloor(await newDatabase(), "batched"));
  await compare(title, contenders, { conversations, rounds: roundCount }, least);
}
await admin.end();
await server.stop();
close();
