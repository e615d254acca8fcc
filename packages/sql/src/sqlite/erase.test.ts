import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createEngine,
  defineTool,
  type Engine,
  isRefusal,
  type Store,
  type ToolSchema,
} from "@countersign/core";
import {
  appendOf,
  contactRow,
  conversationRow,
  inboxRow,
  manualClock,
  nextStep,
  promptRow,
  proposal,
} from "@countersign/core/testing";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sqliteStore } from "./store.ts";

let directory = "";
const stores: Store[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "countersign-"));
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  rmSync(directory, { recursive: true });
});

function openStore(busyTimeoutMs = 5000): Store {
  const store = sqliteStore({ file: join(directory, "shop.db"), busyTimeoutMs });
  stores.push(store);
  return store;
}

/** Which of these texts stand anywhere in the database's files, its log included. */
function legible(texts: readonly string[]): readonly string[] {
  const files = readdirSync(directory).map((name) => readFileSync(join(directory, name)));
  return texts.filter((text) => files.some((file) => file.includes(text)));
}

type Note = { readonly note: string };

function isNote(value: unknown): value is Note {
  return typeof value === "object" && value !== null && "note" in value && typeof value.note === "string";
}

const shape = { type: "object", properties: { note: { type: "string" } }, required: ["note"] };
const noteSchema: ToolSchema<Note> = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value) => (isNote(value) ? { value } : { issues: [{ message: "is no note" }] }),
    jsonSchema: { input: () => shape, output: () => shape },
  },
};

const addNote = defineTool({
  name: "add_note",
  title: "Add note",
  description: "Adds a note.",
  effect: "write",
  recovery: "operator",
  input: noteSchema,
  output: noteSchema,
  handler: ({ note }) => ({ note: `kept ${note}` }),
});
const readNote = defineTool({
  name: "read_note",
  title: "Read note",
  description: "Reads a note.",
  effect: "read",
  input: noteSchema,
  output: noteSchema,
  handler: ({ note }) => ({ note: `read ${note}` }),
});

const clock = manualClock(Date.UTC(2026, 10, 30));

function makeEngine(store: Store): Engine {
  const limits = { proposalsPerMinute: 0, repeatAfterDeclineSeconds: 0 };
  return createEngine({ tools: [addNote, readNote], store, clock, limits });
}

/** One write of a customer, confirmed or declined; its texts are `${customer}-…-${n}`, of any length. */
async function story(engine: Engine, customer: string, n: number): Promise<void> {
  const conversationId = `c-${n % 7}-of-${customer.length}-${customer.at(-1)}`;
  await engine.host.customerVerified({
    conversationId,
    customerId: `${customer}-id`,
    level: "low",
    authenticatedAt: clock.now(),
  });
  const session = await engine.host.startSession({ conversationId });
  const padding = "·".repeat((n * n * 37) % 9000);
  const note = `${customer}-note-${n} ${padding}`;
  const call = { agent: "bot", conversationId, arguments: { note } };
  await engine.agent.call({ ...call, tool: "read_note", idempotencyKey: `r-${n}` });
  await engine.agent.call({ ...call, tool: "add_note", idempotencyKey: `w-${n}` });
  const page = await engine.customer.card(session);
  if (isRefusal(page) || !page.card) throw new Error("there is no card");
  const { writeId, version, digest } = page.card;
  const answer =
    n % 3 === 0
      ? await engine.customer.decline({ session, writeId, version })
      : await engine.customer.confirm({ session, writeId, version, digest });
  if (isRefusal(answer)) throw new Error(answer.refused);
}

test("OPS-4 nothing of an erased customer can be read in the database's files, whatever stands around it", async () => {
  const store = openStore();
  const engine = makeEngine(store);
  const customers = ["canary-of-ana", "canary-of-ben", "canary-of-cleo"];
  for (let n = 0; n < 40; n += 1) for (const customer of customers) await story(engine, customer, n);
  expect(legible(customers)).toEqual(customers);
  const erase = (customer: string) =>
    engine.operator.erase({ customerId: `${customer}-id`, operator: "Ben" });
  expect(await erase("canary-of-ben")).toEqual({ writes: 40 });
  expect(legible(customers)).toEqual(["canary-of-ana", "canary-of-cleo"]);
  for (let n = 40; n < 60; n += 1) await story(engine, "canary-of-cleo", n);
  expect(await erase("canary-of-ana")).toEqual({ writes: 40 });
  expect(legible(customers)).toEqual(["canary-of-cleo"]);
  expect(await erase("canary-of-cleo")).toEqual({ writes: 60 });
  expect(legible([...customers, "canary-of"])).toEqual([]);
}, 60_000);

test("OPS-4 nothing of a chat with an erased customer can be read in the database's files", async () => {
  const store = openStore();
  await store.customerRefOf("canary-id", "cu_1");
  const address = "canary-555";
  const first = proposal("wr_1", "c-1", { state: "applied", open: false, customerRef: "cu_1" });
  const row = conversationRow("c-1", { customerRef: "cu_1", channel: "shop", address });
  await store.append(appendOf({ conversations: [row], writes: [first] }));
  await store.receive(inboxRow("m-1", { body: `{"from":"${address}"}` }), null);
  await store.putPrompt(promptRow("t-1", { address, aliases: [address] }));
  await store.notePrompt("t-1", { providerMessageId: "m-2", aliases: ["canary-u".repeat(700)] });
  await store.putContacts([
    contactRow(address, { userId: "canary-u" }),
    contactRow("canary-u", { userId: "canary-u" }),
  ]);
  expect(legible(["canary-555", "canary-u"])).toEqual(["canary-555", "canary-u"]);
  const erase = { customerId: "canary-id", customerRef: "cu_1" };
  expect(await store.append(appendOf({ writes: [nextStep(first.row)], erase }))).toEqual({
    kind: "appended",
  });
  expect(legible(["canary"])).toEqual([]);
});

test("OPS-4 what another process wrote goes as well, and it hears that the customer is gone", async () => {
  const mine = makeEngine(openStore());
  const other = makeEngine(openStore());
  for (let n = 0; n < 10; n += 1) await story(n % 2 === 0 ? mine : other, "canary-of-ana", n);
  expect(await mine.operator.erase({ customerId: "canary-of-ana-id", operator: "Ben" })).toEqual({
    writes: 10,
  });
  expect(legible(["canary-of"])).toEqual([]);
  expect(await other.operator.erase({ customerId: "canary-of-ana-id", operator: "Ben" })).toEqual({
    refused: "not_found",
  });
  await story(other, "canary-of-ana", 11);
  expect(await mine.operator.erase({ customerId: "canary-of-ana-id", operator: "Ben" })).toEqual({
    writes: 1,
  });
  expect(legible(["canary-of"])).toEqual([]);
});

test("OPS-4 an erasure counts while another process reads, and whoever runs the place hears what is left to do", async () => {
  const engine = makeEngine(openStore(50));
  await story(engine, "canary-of-ana", 1);
  const reader = new Database(join(directory, "shop.db"));
  reader.exec("begin");
  reader.prepare("select count(*) from writes").get();
  const warned = once(process, "warning");
  expect(await engine.operator.erase({ customerId: "canary-of-ana-id", operator: "Ben" })).toEqual({
    writes: 1,
  });
  const [warning]: unknown[] = await warned;
  expect(String(warning)).toMatch(/erased .* another process was reading its log.* run VACUUM/);
  reader.close();
  await story(engine, "canary-of-ben", 1);
  expect(await engine.operator.erase({ customerId: "canary-of-ben-id", operator: "Ben" })).toEqual({
    writes: 1,
  });
  expect(legible(["canary-of"])).toEqual([]);
});
