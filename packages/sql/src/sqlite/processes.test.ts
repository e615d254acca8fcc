import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Store, StoreChange } from "@countersign/core";
import { appendOf, manualClock, proposal } from "@countersign/core/testing";
import { build } from "tsdown";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Order } from "./second-process.ts";
import { sqliteStore } from "./store.ts";

// Beside the package's own modules, so that the program finds the native driver.
const program = fileURLToPath(new URL("../../node_modules/.second-process/", import.meta.url));
let directory = "";
const children: ChildProcess[] = [];
const stores: Store[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "countersign-"));
  await build({
    entry: [fileURLToPath(new URL("./second-process.ts", import.meta.url))],
    outDir: program,
    format: "esm",
    dts: false,
    config: false,
    logLevel: "silent",
    external: ["better-sqlite3"],
    noExternal: [/^@countersign/],
    inputOptions: { resolve: { conditionNames: ["@countersign/source", "import", "node"] } },
  });
}, 30_000);
afterEach(async () => {
  for (const child of children.splice(0)) child.kill();
  await Promise.all(stores.splice(0).map((store) => store.close()));
});
afterAll(() => {
  rmSync(directory, { recursive: true });
  rmSync(program, { recursive: true, force: true });
});

type Process = { tell(order: Order): Promise<unknown> };

async function startProcess(): Promise<Process> {
  const child = spawn(process.execPath, [join(program, "second-process.mjs")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async (): Promise<unknown> => {
    const line = await lines.next();
    return line.done === true ? "ended" : JSON.parse(line.value);
  };
  expect(await answer()).toBe("started");
  return {
    tell(order) {
      child.stdin.write(`${JSON.stringify(order)}\n`);
      return answer();
    },
  };
}

function openHere(...options: Parameters<typeof sqliteStore>): Store {
  const store = sqliteStore(...options);
  stores.push(store);
  return store;
}

test("STORE-19 eight processes that open a new file at the same moment all succeed", async () => {
  const processes = await Promise.all(Array.from({ length: 8 }, startProcess));
  const file = join(directory, "new.db");
  const answers = await Promise.all(processes.map((other) => other.tell({ type: "open", file })));
  expect(answers).toEqual(Array.from({ length: 8 }, () => "opened"));
  const results = await Promise.all(
    processes.map((other, n) => other.tell({ type: "propose", name: `p${n}`, conversations: 1 })),
  );
  const { openWriteId } = await openHere({ file }).readConversation("c-0");
  expect(results.flat()).toEqual([openWriteId]);
}, 20_000);

test("STORE-2 two processes that propose in the same 200 conversations get one open write in each", async () => {
  const processes = await Promise.all([startProcess(), startProcess()]);
  const file = join(directory, "race.db");
  for (const other of processes) await other.tell({ type: "open", file });
  const [a, b] = await Promise.all(
    processes.map((other, n) => other.tell({ type: "propose", name: `p${n}`, conversations: 200 })),
  );
  const store = openHere({ file });
  const { rows } = await store.listWrites({ limit: 200 });
  expect([a, b].flat().sort()).toEqual(rows.map((row) => row.id).sort());
  expect(new Set(rows.map((row) => row.conversationId)).size).toBe(200);
}, 20_000);

test("STORE-21 a listener hears of another process's commit at the next look, and once", async () => {
  const other = await startProcess();
  const file = join(directory, "watch.db");
  const clock = manualClock(0);
  const store = openHere({ file, clock });
  await store.ready();
  const heard: StoreChange[] = [];
  const stop = store.watch((change) => heard.push(change));
  await other.tell({ type: "open", file });
  await clock.advance(500);
  heard.length = 0;
  await other.tell({ type: "propose", name: "other", conversations: 3 });
  await clock.advance(499);
  expect(heard).toEqual([]);
  await clock.advance(1);
  expect(heard).toEqual([{ conversationId: null }]);
  await clock.advance(5_000);
  expect(heard).toEqual([{ conversationId: null }]);
  await store.append(appendOf({ writes: [proposal("wr_own", "c-own")] }));
  await clock.advance(5_000);
  expect(heard).toEqual([{ conversationId: null }, { conversationId: "c-own" }]);
  stop();
  expect(clock.planned()).toBe(0);
}, 20_000);

test("STORE-25 what a killed process was told is appended stays appended", async () => {
  const other = await startProcess();
  const file = join(directory, "killed.db");
  await other.tell({ type: "open", file });
  const answered = await other.tell({ type: "propose", name: "killed", conversations: 50 });
  for (const child of children.splice(0)) child.kill("SIGKILL");
  const { rows } = await openHere({ file }).listWrites({ limit: 200 });
  expect(rows.map((row) => row.id).sort()).toEqual([answered].flat().sort());
}, 20_000);
