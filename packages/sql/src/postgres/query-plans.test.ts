import type { WriteFilter } from "@countersign/core";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { appendStatements } from "./append-statements.ts";
import { dueStatements } from "./due-work.ts";
import { startTestServer, type TestServer } from "./fixtures.ts";
import { promptStatements } from "./prompts.ts";
import { purgeStatements } from "./purge.ts";
import { listStatement } from "./read-writes.ts";

let server: TestServer;
let client: pg.Client;

beforeAll(async () => {
  server = await startTestServer();
  client = new pg.Client({ connectionString: await server.newDatabase("migrated") });
  await client.connect();
  // As every connection of a store is set up: planned once, when the tables are still empty.
  await client.query(
    "set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_bitmapscan = off",
  );
});
afterAll(async () => {
  await client.end();
  await server.stop();
});

/** How the server reaches the store's tables, and what it sorts, for a statement whose values it does not know. */
async function planOf(sql: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ readonly "QUERY PLAN": string }>(
    `explain (generic_plan, costs off) ${sql}`,
  );
  return rows
    .map((row) => row["QUERY PLAN"].replace(/^[ >-]+/, ""))
    .filter((line) => /^(Parallel |Bitmap )*(Seq|Index|Heap)|^(Incremental )?Sort$/.test(line))
    .map((line) => line.replace(/ (on|using) /g, " "));
}

const lists: Readonly<Record<string, Omit<WriteFilter, "limit">>> = {
  all: {},
  page: { cursor: Buffer.from('[1,"wr_1"]').toString("base64url") },
  conversation: { conversationId: "c-1" },
  stillTold: { stillTold: { conversationId: "c-1", since: 1 } },
  attention: { attention: true },
};

test("STORE-28 no list, and no look for what is due or over or for a prompt, reads or sorts the whole table", async () => {
  const plans: Record<string, readonly string[]> = {};
  for (const [name, filter] of Object.entries(lists))
    plans[name] = await planOf(listStatement({ ...filter, limit: 50 }).text);
  for (const { name, text } of [...dueStatements, ...purgeStatements, ...promptStatements])
    plans[name] = await planOf(text);
  expect(plans).toMatchInlineSnapshot(`
    {
      "all": [
        "Index Scan Backward writes_by_time writes w",
      ],
      "attention": [
        "Index Scan Backward writes_with_attention writes w",
      ],
      "conversation": [
        "Index Scan Backward writes_of_conversation writes w",
        "Index Cond: (conversation_id = $1)",
      ],
      "countersign_find_prompt": [
        "Index Scan prompts_token_key prompts",
        "Index Cond: (token = $1)",
      ],
      "countersign_find_prompt_by_message": [
        "Index Scan Backward prompts_by_message prompts",
        "Index Cond: ((account = $1) AND (provider_message_id = $2))",
      ],
      "countersign_list_prompts": [
        "Index Scan prompts_of_write prompts",
        "Index Cond: (write_id = $1)",
      ],
      "countersign_move_prompt": [
        "Index Scan prompts_token_key prompts",
        "Index Cond: (token = $1)",
      ],
      "countersign_next_due": [
        "Index Scan writes_due writes",
        "Index Scan deliveries_due deliveries",
      ],
      "countersign_note_prompt": [
        "Index Scan prompts_token_key prompts",
        "Index Cond: (token = $1)",
      ],
      "countersign_purge_has_more": [
        "Index Only Scan writes_by_time writes w",
        "Index Cond: ((created_at < $1) AND (ROW(created_at, id) > ROW($2, $3)))",
      ],
      "countersign_purge_inbox": [
        "Index Scan inbox_by_time inbox",
        "Index Cond: (received_at < $1)",
        "Index Scan inbox_pkey inbox i",
        "Index Cond: ((account = old.account) AND (message_id = old.message_id))",
      ],
      "countersign_purge_keys": [
        "Index Scan keys_by_end keys",
        "Index Cond: (keep_until <= $1)",
        "Index Scan keys_pkey keys k",
        "Index Cond: ((scope = ended.scope) AND (key = ended.key))",
      ],
      "countersign_purge_plain": [
        "Index Scan writes_by_time writes w",
        "Index Cond: ((created_at < $1) AND (ROW(created_at, id) > ROW($2, $3)))",
        "Index Scan journal_pkey journal j",
        "Index Cond: ((write_id = looked_1.id) AND (seq = looked_1.seq))",
        "Index Scan plain_pkey plain p",
        "Index Cond: (write_id = j.write_id)",
      ],
      "countersign_take_deliveries": [
        "Sort",
        "Index Scan deliveries_due deliveries d",
        "Index Cond: (due_at <= $1)",
        "Index Only Scan deliveries_of_write deliveries e",
        "Index Cond: ((write_id = d.write_id) AND (kind = d.kind) AND (id < d.id))",
        "Index Scan deliveries_pkey deliveries d_1",
        "Index Cond: (id = due.id)",
      ],
      "countersign_take_writes": [
        "Sort",
        "Index Scan writes_due writes",
        "Index Cond: ((due_at IS NOT NULL) AND (due_at <= $1))",
        "Index Scan writes_pkey writes w",
        "Index Cond: (id = due.id)",
      ],
      "page": [
        "Index Scan Backward writes_by_time writes w",
        "Index Cond: (ROW(created_at, id) < ROW($1, $2))",
      ],
      "stillTold": [
        "Index Scan Backward writes_of_conversation writes w",
        "Index Cond: (conversation_id = $1)",
      ],
    }
  `);
});

test("STORE-28 no append reads more than the rows it names, also if it was planned when the tables were empty", async () => {
  const plans = new Set<string>();
  for (const text of Object.values(appendStatements)) {
    for (const line of await planOf(text)) plans.add(line.replace(/\$\d+/g, "$n"));
  }
  expect([...plans].sort()).toMatchInlineSnapshot(`
    [
      "Index Cond: ((scope = $n) AND (key = $n))",
      "Index Cond: ((scope = ($n)[place_1.place]) AND (key = ($n)[place_1.place]))",
      "Index Cond: ((write_id = ($n)[place.place]) AND (seq = ($n)[place.place]))",
      "Index Cond: (id = $n)",
      "Index Cond: (id = ($n)[place_1.place])",
      "Index Cond: (id = (($n)[place_1.place])::text)",
      "Index Scan conversations_pkey conversations c",
      "Index Scan journal_pkey journal j",
      "Index Scan keys_pkey keys k",
      "Index Scan writes_pkey writes w",
    ]
  `);
});
