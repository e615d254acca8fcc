import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { WireJournal } from "./countersign-api.ts";
import { journalIntact } from "./journal-proof.ts";

const zeros = "0".repeat(64);

// The canonical text is written out by hand: a test that used the code under test to make it would prove nothing.
function chain(): WireJournal {
  const first = `{"at":1,"body":{"a":1,"b":"é"},"by":{"kind":"agent","ref":"bot"},"commits":{},"prev":"${zeros}","seq":1,"type":"proposed","v":1,"writeId":"wr_1"}`;
  const one = createHash("sha256").update(first).digest("hex");
  const second = `{"at":2,"body":{},"by":{"kind":"customer","ref":null},"commits":{},"prev":"${one}","seq":2,"type":"declined","v":1,"writeId":"wr_1"}`;
  const two = createHash("sha256").update(second).digest("hex");
  const same = { writeId: "wr_1", v: 1, commits: {} };
  return {
    writeId: "wr_1",
    head: two,
    events: [
      {
        ...same,
        seq: 1,
        at: 1,
        type: "proposed",
        by: { ref: "bot", kind: "agent" },
        body: { b: "é", a: 1 },
        prev: zeros,
        hash: one,
      },
      {
        ...same,
        seq: 2,
        at: 2,
        type: "declined",
        by: { kind: "customer", ref: null },
        body: {},
        prev: one,
        hash: two,
      },
    ],
  };
}

test("PLAY-5 a journal as it was written is intact", () => {
  expect(journalIntact(chain())).toBe(true);
});

test("PLAY-5 a changed event, a missing one and a cut tail are seen", () => {
  const { events, head } = chain();
  const changed = events.map((event) => (event.seq === 1 ? { ...event, at: 3 } : event));
  expect([
    journalIntact({ writeId: "wr_1", head, events: changed }),
    journalIntact({ writeId: "wr_1", head, events: events.slice(1) }),
    journalIntact({ writeId: "wr_1", head, events: events.slice(0, 1) }),
  ]).toEqual([false, false, false]);
});
