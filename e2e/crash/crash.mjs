/**
 * Kills the server without warning, again and again, at random moments of running cycles, starts it on the same file each
 * time, and then proves from the shop's books and the journals that nothing ran twice, nothing confirmed was lost and
 * every write got to an end. `--short` for a few rounds, `--rounds N` for as many as you like (default 100).
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { hasNextStep, journalFaults } from "./check.mjs";
import { makeLedger, readAll, readJournal, runCycle } from "./cycle.mjs";
import { makeServer } from "./server.mjs";
import { startShop } from "./shop.mjs";

const { values } = parseArgs({
  options: {
    short: { type: "boolean" },
    rounds: { type: "string" },
    customers: { type: "string", default: "6" },
  },
});
const rounds = Number(values.rounds ?? (values.short ? 12 : 100));
const customers = Number(values.customers);
const folder = mkdtempSync(join(tmpdir(), "countersign-crash-"));
const shop = await startShop();
const server = await makeServer({ file: join(folder, "crash.db"), shopUrl: shop.url });
const ledger = makeLedger();
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// How long a cycle takes here decides how late a kill may fall: measured once, so that kills hit every part of one.
await server.start();
const begin = performance.now();
await Promise.all(
  Array.from({ length: customers }, (_, index) => runCycle(server, ledger, `first-${index}`)),
);
const cycleMs = performance.now() - begin;

for (let round = 0; round < rounds; round += 1) {
  const cycles = Array.from({ length: customers }, (_, index) =>
    runCycle(server, ledger, `r${round}-${index}`),
  );
  await wait(Math.random() * cycleMs * 1.2);
  await server.kill();
  await Promise.all(cycles);
  await server.start();
  if ((round + 1) % 10 === 0) console.log(`  ${round + 1} kills`);
}

// A lease lasts the tool's 2 s and 30 s more, the first status check follows within 6 s; where a kill fell into a check,
// the hold of 32 s has to end first. After that all must be settled.
const patienceMs = 120_000;
const until = performance.now() + patienceMs;
let writes = await readAll(server);
const stuck = writes.filter((write) => !hasNextStep(write));
const unsettled = (write) => ["running", "unknown", "pending"].includes(write.state);
while (writes.some(unsettled) && performance.now() < until) {
  await wait(500);
  writes = await readAll(server);
}

const byId = new Map(writes.map((write) => [write.id, write]));
let passed = 0;
let failed = 0;
const check = (name, faults) => {
  if (faults.length === 0) passed += 1;
  else failed += 1;
  console.log(`${faults.length === 0 ? "ok  " : "FAIL"} ${name}`);
  for (const fault of faults.slice(0, 10)) console.log(`     ${fault}`);
};
const journals = [];
for (const write of writes) journals.push(await readJournal(server, write.id));

const perOrder = new Map();
for (const order of shop.applied.values()) perOrder.set(order, (perOrder.get(order) ?? 0) + 1);
check(
  "no order was changed twice",
  [...perOrder].filter(([, times]) => times > 1).map(([order]) => order),
);
check(
  "no write was sent twice",
  [...shop.arrivals].filter(([, times]) => times > 1).map(([key]) => key),
);
check(
  "every answered proposal is still there",
  [...ledger.proposed].filter((id) => !byId.has(id)),
);
check(
  "what a customer was told still holds",
  [...ledger.told]
    .filter(([id, state]) => state === "applied" && byId.get(id)?.state !== "applied")
    .map(([id]) => id),
);
check(
  "no conversation was ever without a next step",
  stuck.map((write) => `${write.id} is ${write.state}`),
);
check(
  "every confirmed write got to an end",
  writes.filter(unsettled).map((write) => `${write.id} is ${write.state}`),
);
check(
  "applied is told exactly where the shop applied",
  journals.flatMap(({ writeId, events }) => {
    const order = events[0]?.plain?.args.orderId;
    const told = byId.get(writeId)?.state === "applied";
    return told === perOrder.has(order)
      ? []
      : [`${writeId}: told ${byId.get(writeId)?.state}, shop ${perOrder.get(order) ?? 0}`];
  }),
);
check("every journal replays and is whole", journals.flatMap(journalFaults));
const exitCode = await server.stop();
check("the last server ended in good order", exitCode === 0 ? [] : [`exit code ${exitCode}`]);
await shop.close();

const states = {};
for (const { state } of writes) states[state] = (states[state] ?? 0) + 1;
const interrupted = journals.filter(({ events }) =>
  events.some(({ body }) => body.reason === "lease_ended"),
).length;
console.log(
  `${rounds} kills, ${writes.length} writes (${Object.entries(states)
    .map(([state, count]) => `${count} ${state}`)
    .join(", ")}), ` +
    `${interrupted} cut off while running, ${ledger.cut} cycles cut off, ${shop.applied.size} applied by the shop`,
);
const reports = fileURLToPath(new URL("../../.reports/", import.meta.url));
mkdirSync(reports, { recursive: true });
writeFileSync(join(reports, "crash.json"), JSON.stringify({ passed, failed }));
console.log(`${passed} passed, ${failed} failed`);
if (failed === 0) rmSync(folder, { recursive: true, force: true });
else console.log(`the database is kept in ${folder}`);
process.exitCode = failed === 0 ? 0 : 1;
