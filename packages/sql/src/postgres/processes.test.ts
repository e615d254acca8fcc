import { setImmediate } from "node:timers/promises";
import type { AppendResult, Store, StoreChange } from "@countersign/core";
import {
  appendOf,
  conversationRow,
  deliveryRow,
  keyRow,
  nextStep,
  proposal,
} from "@countersign/core/testing";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "./fixtures.ts";
import { lockCall, locksOf } from "./locks.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterEach(() => server.closeStores());
afterAll(() => server.stop());

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);

async function openStores(
  count: number,
): Promise<{ readonly url: string; readonly stores: readonly Store[] }> {
  const url = await server.newDatabase("migrated");
  return { url, stores: await Promise.all(numbers(count).map(() => server.openStore(url))) };
}

/** Ends every connection of a store to its database, as a fault of the network or an operator would. */
async function cutAll(url: string, where = "true"): Promise<number> {
  const cut = await server.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and ${where}`,
    url,
  );
  return cut.length;
}

test("STORE-2 four stores with 24 connections that propose in the same 200 conversations get one open write in each", async () => {
  const { url, stores } = await openStores(4);
  // So that each has the connections that it would have after a while.
  await Promise.all(stores.flatMap((store) => numbers(6).map(() => store.nextDueAt(0))));
  const results = await Promise.all(
    stores.flatMap((store, s) =>
      numbers(200).map(async (n) => {
        const id = `wr_${s}_${n}`;
        return { id, result: await store.append(appendOf({ writes: [proposal(id, `c-${n}`)] })) };
      }),
    ),
  );
  const won = results.filter(({ result }) => result.kind === "appended").map(({ id }) => id);
  const found = await server.query("select id from countersign.writes where open", url);
  expect(found.map((row) => (row as { id: string }).id).sort()).toEqual([...won].sort());
  expect(won.length).toBe(200);
  const [connections] = await server.query(
    "select count(*)::int >= 24 as enough from pg_stat_activity where application_name = 'countersign'",
  );
  expect(connections).toEqual({ enough: true });
});

test("STORE-3 a proposal waits for a change of customer under way, also in a conversation without a row, and hears of it", async () => {
  const { url, stores } = await openStores(1);
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  // What another process does that states who the customer is, up to its commit.
  const { values } = lockCall(locksOf(appendOf({ conversations: [conversationRow("c-1")] })));
  await other.query("begin");
  await other.query("select pg_advisory_xact_lock(726190, $1)", [...values]);
  await other.query("insert into countersign.conversations (id, epoch) values ('c-1', 1)");
  let answered = false;
  const guards = [{ conversationId: "c-1", epoch: 0 }];
  const asked = stores[0]?.append(appendOf({ guards, writes: [proposal("wr_1", "c-1")] })).finally(() => {
    answered = true;
  });
  const waiting = async (): Promise<boolean> =>
    (await server.query("select from pg_locks where locktype = 'advisory' and not granted", url)).length > 0;
  while (!answered && !(await waiting())) await setImmediate();
  await other.query("commit");
  await other.end();
  expect(await asked).toEqual({ kind: "conflict", on: "epoch" });
});

test("STORE-13 workers of four stores that take at once share the due writes without overlap", async () => {
  const { stores } = await openStores(4);
  const ids = numbers(120).map((n) => `wr_${n}`);
  await Promise.all(
    ids.map((id) => stores[0]?.append(appendOf({ writes: [proposal(id, `c of ${id}`, { dueAt: 1 })] }))),
  );
  const taken: string[] = [];
  for (let round = 0; round < 20 && taken.length < ids.length; round += 1) {
    const found = await Promise.all(stores.map((store) => store.takeDue({ now: 1, limit: 9, leaseMs: 100 })));
    taken.push(...found.flat());
  }
  expect(taken.sort()).toEqual([...ids].sort());
});

test("STORE-37 connections that are cut during appends lose nothing and double nothing", async () => {
  const { url, stores } = await openStores(2);
  const told: { readonly id: string; readonly result: AppendResult | string }[] = [];
  let done = false;
  async function work(store: Store, name: string): Promise<void> {
    for (let n = 0; !done; n += 1) {
      const id = `wr_${name}_${n}`;
      const first = proposal(id, `c-${name}`);
      const append = appendOf({
        writes: [first],
        key: keyRow(id, { writeId: id }),
        deliveries: [deliveryRow(`d-${id}`)],
      });
      const result = await store.append(append).catch((error: Error) => error.name);
      told.push({ id, result });
      if (typeof result === "string" || result.kind === "conflict") continue;
      const settled = nextStep(first.row, { state: "applied", open: false });
      const second = await store.append(appendOf({ writes: [settled] })).catch((error: Error) => error.name);
      told.push({ id: `${id} settled`, result: second });
    }
  }
  const working = stores.flatMap((store, s) => numbers(12).map((n) => work(store, `${s}-${n}`)));
  let cut = 0;
  for (const _ of numbers(8)) {
    const until = told.length + 100;
    while (told.length < until) await setImmediate();
    cut += await cutAll(url);
  }
  done = true;
  await Promise.all(working);
  expect(cut).toBeGreaterThan(8);

  // All was appended, each once: nobody else was in these conversations, so there was nothing to conflict with.
  expect(told.filter(({ result }) => typeof result === "string" || result.kind !== "appended")).toEqual([]);
  const events = await server.query(
    "select write_id || case seq when 2 then ' settled' else '' end as id from countersign.journal",
    url,
  );
  expect(events.map((row) => (row as { id: string }).id).sort()).toEqual(told.map(({ id }) => id).sort());
  const [counts] = await server.query(
    `select (select count(*) from countersign.writes) = (select count(*) from countersign.keys) as keys,
      (select count(*) from countersign.writes) = (select count(*) from countersign.deliveries) as deliveries,
      (select count(*) from countersign.writes) = (select count(*) from countersign.plain) as plain,
      not exists (select from countersign.writes w where seq <> (
        select max(seq) from countersign.journal j where j.write_id = w.id)) as rows`,
    url,
  );
  expect(counts).toEqual({ keys: true, deliveries: true, plain: true, rows: true });
}, 30_000);

/** Resolves with the first change that fits. */
function heard(store: Store, fits: (change: StoreChange) => boolean): Promise<StoreChange> {
  return new Promise((resolve) => {
    const stop = store.watch((change) => {
      if (!fits(change)) return;
      stop();
      resolve(change);
    });
  });
}

test("STORE-21 a listener hears of another store's changes by their conversations' ids, and its own once", async () => {
  const { stores } = await openStores(2);
  const [one, other] = stores as [Store, Store];
  const changes: (string | null)[] = [];
  one.watch(({ conversationId }) => changes.push(conversationId));
  const last = heard(one, ({ conversationId }) => conversationId === "c-last");
  await one.append(appendOf({ writes: [proposal("wr_own", "c-own")] }));
  // Longer than one message may be.
  const long = numbers(300).map((n) => `c-${"ä\n".repeat(30)}-${n}`);
  await Promise.all(long.map((id, n) => other.append(appendOf({ writes: [proposal(`wr_${n}`, id)] }))));
  await other.append(appendOf({ writes: [proposal("wr_last", "c-last")] }));
  await last;
  expect([...changes].sort()).toEqual(["c-own", ...long, "c-last"].sort());
});

test("STORE-38 a listener whose connection was lost is told to look at everything, and then hears again", async () => {
  const { url, stores } = await openStores(2);
  const [one, other] = stores as [Store, Store];
  const everything = heard(one, ({ conversationId }) => conversationId === null);
  expect(await cutAll(url, "query like 'select pg_backend_pid()%'")).toBe(2);
  expect(await everything).toEqual({ conversationId: null });
  const again = heard(one, ({ conversationId }) => conversationId === "c-1" || conversationId === null);
  await other.append(appendOf({ writes: [proposal("wr_1", "c-1")] }));
  await again;
});

test("STORE-38 what another program says on the channel is a change that may be anywhere", async () => {
  const { url, stores } = await openStores(1);
  const everything = heard(stores[0] as Store, () => true);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("notify countersign, 'hello'");
  await client.end();
  expect(await everything).toEqual({ conversationId: null });
});
