import assert from "node:assert/strict";
import { appendOf, inboxRow, keyRow, proposal } from "../rows.ts";
import { appendAll, appended, type StoreCase } from "./case.ts";

export const keys: readonly StoreCase[] = [
  {
    name: "STORE-9 a claimed key answers with its row until it is no longer kept, and not a millisecond longer",
    async run({ open }) {
      const store = await open();
      const first = keyRow("k", { customerRef: "cu_1", keepUntil: 5_000 });
      const second = keyRow("k", { fingerprint: "e".repeat(64), keepUntil: 9_000 });
      assert.equal(await store.findKey("bot", "k", 0), undefined);
      assert.equal(await store.claimKey(first, 1_000), "claimed");
      assert.deepEqual(await store.claimKey(second, 4_999), first);
      assert.deepEqual(await store.findKey("bot", "k", 4_999), first);
      assert.equal(await store.findKey("bot", "k", 5_000), undefined);
      assert.equal(await store.claimKey(second, 5_000), "claimed");
      assert.deepEqual(await store.findKey("bot", "k", 8_999), second);
    },
  },
  {
    name: "STORE-9 an append claims a client's key until it is no longer kept, and not a millisecond longer",
    async run({ open }) {
      const store = await open();
      const first = keyRow("k", { writeId: "wr_1", keepUntil: 5_000 });
      const second = keyRow("k", { writeId: "wr_2", keepUntil: 9_000 });
      await appendAll(store, [appendOf({ writes: [proposal("wr_1", "c-1")], key: first })]);
      assert.deepEqual(await store.findKey("bot", "k", 4_999), first);
      const late = (now: number) => appendOf({ writes: [proposal("wr_2", "c-2")], key: second, now });
      assert.deepEqual(await store.append(late(4_999)), { kind: "conflict", on: "key" });
      assert.deepEqual(await store.append(late(5_000)), appended);
      assert.deepEqual(await store.findKey("bot", "k", 5_000), second);
    },
  },
  {
    name: "STORE-9 an answer is kept for as long as it says",
    async run({ open }) {
      const store = await open();
      await store.claimKey(keyRow("k", { keepUntil: 2_000 }), 1_000);
      await store.answerKey("bot", "k", '{"kind":"noop"}', 7_000);
      const answered = keyRow("k", { answer: '{"kind":"noop"}', keepUntil: 7_000 });
      assert.deepEqual(await store.claimKey(keyRow("k"), 6_999), answered);
      assert.equal(await store.findKey("bot", "k", 7_000), undefined);
      await store.answerKey("bot", "unclaimed", "{}", 7_000);
      assert.equal(await store.findKey("bot", "unclaimed", 0), undefined);
    },
  },
  {
    name: "STORE-10 a released key can be claimed again; one with an answer or a write stays",
    async run({ open }) {
      const store = await open();
      const named = keyRow("named", { writeId: "wr_1" });
      await store.claimKey(keyRow("free"), 1_000);
      await store.claimKey(keyRow("answered"), 1_000);
      await store.answerKey("bot", "answered", "{}", 5_000);
      await appendAll(store, [appendOf({ writes: [proposal("wr_1", "c-1")], key: named })]);
      for (const key of ["free", "answered", "named", "unclaimed"]) await store.releaseKey("bot", key);
      assert.equal(await store.claimKey(keyRow("free"), 1_000), "claimed");
      assert.deepEqual(await store.claimKey(keyRow("answered"), 1_000), keyRow("answered", { answer: "{}" }));
      assert.deepEqual(await store.claimKey(keyRow("named"), 1_000), named);
    },
  },
  {
    name: "STORE-10 the same key in another scope is another key",
    async run({ open }) {
      const store = await open();
      assert.equal(await store.claimKey(keyRow("k"), 1_000), "claimed");
      assert.equal(await store.claimKey(keyRow("k", { scope: "other" }), 1_000), "claimed");
      await store.releaseKey("other", "k");
      assert.deepEqual(await store.findKey("bot", "k", 1_000), keyRow("k"));
      assert.equal(await store.findKey("other", "k", 1_000), undefined);
    },
  },
  {
    name: "STORE-10 of 50 claims of one key at once exactly one wins and the others hear of it",
    async run({ open }) {
      const store = await open();
      const rows = Array.from({ length: 50 }, (_, n) =>
        keyRow("k", { fingerprint: String(n).padStart(64, "0") }),
      );
      const answers = await Promise.all(rows.map((row) => store.claimKey(row, 1_000)));
      const winner = rows[answers.indexOf("claimed")];
      assert.deepEqual(
        answers,
        rows.map((row) => (row === winner ? "claimed" : winner)),
      );
    },
  },
  {
    name: "STORE-11 an incoming message is kept once per account and id",
    async run({ open }) {
      const store = await open();
      const kept = await Promise.all(Array.from({ length: 20 }, () => store.receive(inboxRow("m-1"), null)));
      assert.deepEqual(kept.filter(Boolean), [true]);
      assert.equal(
        await store.receive(inboxRow("m-1", { body: '{"text":"no"}', receivedAt: 9 }), null),
        false,
      );
      assert.equal(await store.receive(inboxRow("m-2"), null), true);
      assert.equal(await store.receive(inboxRow("m-1", { account: "other shop" }), null), true);
    },
  },
];
