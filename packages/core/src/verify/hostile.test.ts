import fc from "fast-check";
import { expect, test } from "vitest";
import { canonical } from "../base/canonical.ts";
import { exampleJournal } from "./fixtures.ts";
import { verifyJournal } from "./verify-journal.ts";

function nested(levels: number): unknown {
  return JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);
}

const hash = "a".repeat(64);
const around = { writeId: "wr_1", head: hash };

test.each<[string, unknown, (readonly [seq: number | null, what: string, problem: string])[]]>([
  ["nothing", undefined, [[null, "journal", "is no object"]]],
  ["null", null, [[null, "journal", "is no object"]]],
  ["a list", [], [[null, "journal", "is no object"]]],
  ["a text", "journal", [[null, "journal", "is no object"]]],
  [
    "an empty object",
    {},
    [
      [null, "writeId", "is no text"],
      [null, "head", "is no SHA-256 in lower-case hexadecimal"],
      [null, "events", "is no list"],
    ],
  ],
  [
    "no events",
    { ...around, events: [] },
    [[null, "events", "is empty: a journal begins with the proposal"]],
  ],
  [
    "a list that only claims to be long",
    { ...around, events: new Array(1e9) },
    [[null, "events", "has holes, or members that are not in the list"]],
  ],
  ["events that are none", { ...around, events: [null] }, [[1, "event", "is no object"]]],
  [
    "a getter that throws",
    {
      ...around,
      get events() {
        throw new RangeError("a secret");
      },
    },
    [[null, "journal", "cannot be read: looking at it threw RangeError"]],
  ],
  [
    "an object that is all traps",
    new Proxy(
      {},
      {
        getPrototypeOf() {
          throw new TypeError("a trap");
        },
      },
    ),
    [[null, "journal", "cannot be read: looking at it threw TypeError"]],
  ],
])("PROOF-6 %s is answered with a fault", async (_name, journal, faults) => {
  expect(await verifyJournal(journal)).toEqual({
    ok: false,
    faults: faults.map(([seq, what, problem]) => ({ seq, what, problem })),
  });
});

test.each<[string, string, unknown, string]>([
  ["nesting without end", "body", nested(5000), "a cycle, or more than 1000 levels"],
  [
    "a member that would reach a prototype",
    "body",
    JSON.parse('{"__proto__":{"version":1}}'),
    "a member named __proto__",
  ],
  ["a number that JSON cannot hold", "at", JSON.parse("1e999"), "NaN and infinities"],
  ["half a character", "plain", { salt: "\ud800" }, "a lone surrogate"],
  ["a class of its own", "by", new Map(), "an object that is not plain"],
  ["a function", "commits", () => 1, "a value of type function"],
])("PROOF-6 %s is named at its event and member", async (_name, member, value, refused) => {
  const journal = await exampleJournal("applied");
  const events = journal.events.map((event) => (event.seq === 2 ? { ...event, [member]: value } : event));
  expect(await verifyJournal({ ...journal, events })).toEqual({
    ok: false,
    faults: [{ seq: 2, what: member, problem: `has no canonical form: canonical JSON refuses ${refused}` }],
  });
});

/** True when a value is by chance what stands under that name already. */
function isSame(value: unknown, members: readonly [string, unknown][], name: string): boolean {
  try {
    return canonical(value) === canonical(members.find(([own]) => own === name)?.[1]);
  } catch {
    return false;
  }
}

test("PROOF-6 whatever stands in place of a member, the answer is a proof or faults", async () => {
  const journal = await exampleJournal("edited");
  const members = Object.keys(journal.events[0] ?? {});
  const anyEvent = fc.record({
    seq: fc.nat({ max: 6 }),
    member: fc.constantFrom(...members),
    value: fc.anything(),
  });
  await fc.assert(
    fc.asyncProperty(anyEvent, async ({ seq, member, value }) => {
      const events = journal.events.map((event, at) => (at === seq ? { ...event, [member]: value } : event));
      const proof = await verifyJournal({ ...journal, events });
      const erased = member === "plain" && value === undefined;
      expect(proof.ok).toBe(erased || isSame(value, Object.entries(journal.events[seq] ?? {}), member));
    }),
    { numRuns: 300 },
  );
  await fc.assert(
    fc.asyncProperty(fc.anything(), async (value) => {
      expect((await verifyJournal(value)).ok).toBe(false);
    }),
    { numRuns: 300 },
  );
});

test("PROOF-6 what is changed while it is being verified is verified as it was handed in", async () => {
  const journal = await exampleJournal("applied");
  const before = structuredClone(journal);
  const proving = verifyJournal(journal);
  for (const event of journal.events) Object.assign(event, { hash, plain: {} });
  expect(await proving).toEqual(await verifyJournal(before));
});
