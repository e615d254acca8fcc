import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { prepareDueWork } from "./due-work.ts";
import { openDatabase } from "./open.ts";
import { preparePrompts } from "./prompts.ts";
import { preparePurge } from "./purge.ts";
import { prepareListWrites } from "./read-writes.ts";

let directory = "";
let db: Database.Database;
/** The statements that were run, with their values. */
const statements: string[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "countersign-"));
  const file = join(directory, "1.db");
  (await openDatabase(file, 1000)).db.close();
  db = new Database(file, { verbose: (sql) => statements.push(String(sql)) });
});
afterAll(() => {
  db.close();
  rmSync(directory, { recursive: true });
});

/** How SQLite goes about what `run` asks. */
function plansOf(run: () => unknown): readonly unknown[] {
  statements.length = 0;
  run();
  return [...statements].map((sql) => db.prepare(`explain query plan ${sql}`).all().map(detailOf));
}

function detailOf(step: unknown): unknown {
  return typeof step === "object" && step !== null && "detail" in step ? step.detail : step;
}

test("STORE-28 no list, and no look for what is due or over or for a prompt, reads or sorts the whole table", () => {
  const list = prepareListWrites(db);
  const due = prepareDueWork(db);
  const purge = preparePurge(db);
  const prompts = preparePrompts(db);
  const cursor = Buffer.from('[1,"wr_1"]').toString("base64url");
  expect({
    all: plansOf(() => list({ limit: 50 })),
    page: plansOf(() => list({ limit: 50, cursor })),
    conversation: plansOf(() => list({ limit: 50, conversationId: "c-1" })),
    stillTold: plansOf(() => list({ limit: 50, stillTold: { conversationId: "c-1", since: 1 } })),
    attention: plansOf(() => list({ limit: 50, attention: true })),
    due: plansOf(() => due.hasDueWrites(1)),
    next: plansOf(() => due.nextDueAt(1)),
    deliveries: plansOf(() => due.hasDueDeliveries(1)),
    oldKeys: plansOf(() => purge.hasEndedKeys(1)),
    purgedKeys: plansOf(() => purge.keys({ now: 1, limit: 9 })),
    oldMessages: plansOf(() => purge.hasOldMessages({ receivedBefore: 1, limit: 9 })),
    purgedMessages: plansOf(() => purge.inbox({ receivedBefore: 1, limit: 9 })),
    oldPlain: plansOf(() => purge.plain({ endedBefore: 1, limit: 9, cursor })),
    prompt: plansOf(() => prompts.find("t-1")),
    promptOfMessage: plansOf(() => prompts.findByMessage("shop", "m-1")),
    promptsOfWrite: plansOf(() => prompts.list("wr_1")),
  }).toMatchInlineSnapshot(`
    {
      "all": [
        [
          "SCAN writes USING INDEX writes_by_time",
        ],
      ],
      "attention": [
        [
          "SCAN writes USING INDEX writes_with_attention",
        ],
      ],
      "conversation": [
        [
          "SEARCH writes USING INDEX writes_of_conversation (conversation_id=?)",
        ],
      ],
      "deliveries": [
        [
          "SEARCH deliveries USING INDEX deliveries_due (due_at<?)",
          "CORRELATED SCALAR SUBQUERY 1",
          "SEARCH earlier USING COVERING INDEX deliveries_of_write (write_id=? AND kind=? AND id<?)",
        ],
      ],
      "due": [
        [
          "SEARCH writes USING INDEX writes_due (due_at>? AND due_at<?)",
        ],
      ],
      "next": [
        [
          "SEARCH writes USING INDEX writes_due (due_at>?)",
        ],
        [
          "SCAN deliveries USING INDEX deliveries_due",
        ],
      ],
      "oldKeys": [
        [
          "SEARCH keys USING COVERING INDEX keys_by_end (keep_until<?)",
        ],
      ],
      "oldMessages": [
        [
          "CO-ROUTINE (subquery-1)",
          "SCAN inbox",
          "SCAN (subquery-1)",
        ],
      ],
      "oldPlain": [
        [
          "SEARCH w USING INDEX writes_by_time ((created_at,id)>(?,?) AND created_at<?)",
          "CORRELATED SCALAR SUBQUERY 1",
          "SEARCH journal USING INDEX sqlite_autoindex_journal_1 (write_id=? AND seq=?)",
        ],
      ],
      "page": [
        [
          "SEARCH writes USING INDEX writes_by_time ((created_at,id)<(?,?))",
        ],
      ],
      "prompt": [
        [
          "SEARCH prompts USING INDEX sqlite_autoindex_prompts_1 (token=?)",
        ],
      ],
      "promptOfMessage": [
        [
          "SEARCH prompts USING INDEX prompts_by_message (account=? AND provider_message_id=?)",
        ],
      ],
      "promptsOfWrite": [
        [
          "SEARCH prompts USING INDEX prompts_of_write (write_id=?)",
        ],
      ],
      "purgedKeys": [
        [
          "SEARCH keys USING INTEGER PRIMARY KEY (rowid=?)",
          "LIST SUBQUERY 1",
          "SEARCH keys USING COVERING INDEX keys_by_end (keep_until<?)",
        ],
      ],
      "purgedMessages": [
        [
          "SEARCH inbox USING INTEGER PRIMARY KEY (rowid=?)",
          "LIST SUBQUERY 1",
          "SCAN inbox",
        ],
      ],
      "stillTold": [
        [
          "SEARCH writes USING INDEX writes_of_conversation (conversation_id=?)",
        ],
      ],
    }
  `);
});

test("STORE-28 the look for old incoming messages ends after as many as may be deleted at once", () => {
  const purge = preparePurge(db);
  const put = db.prepare(
    "insert into inbox (account, message_id, received_at, body) values ('shop', ?, ?, '{}')",
  );
  for (const [index, receivedAt] of [5, 5, 5, 1].entries()) put.run(`m-${index}`, receivedAt);
  const looks = [3, 4].map((limit) => purge.hasOldMessages({ receivedBefore: 2, limit }));
  const dropped = [3, 4].map((limit) => purge.inbox({ receivedBefore: 2, limit }));
  expect({ looks, dropped }).toEqual({ looks: [false, true], dropped: [0, 1] });
});
