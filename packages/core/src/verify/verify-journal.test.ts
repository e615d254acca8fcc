import { expect, test } from "vitest";
import type { ExportedJournal } from "../engine/views.ts";
import { erase, erasedJournal, exampleJournal, type Shape, shapes } from "./fixtures.ts";
import type { ProofFault } from "./proof.ts";
import { verifyJournal } from "./verify-journal.ts";

/** The faults of what must not verify. */
async function faultsOf(journal: unknown, head?: string): Promise<readonly ProofFault[]> {
  const proof = await verifyJournal(journal, head === undefined ? {} : { head });
  return proof.ok ? [] : proof.faults;
}

const hashAt = (journal: ExportedJournal, seq: number): string => journal.events[seq - 1]?.hash ?? "";

test.each(shapes)(
  "PROOF-1 a journal that an engine made verifies, with and without its plain values: %s",
  async (shape) => {
    const journal = await exampleJournal(shape);
    expect(await verifyJournal(journal)).toMatchObject({ ok: true, erased: [], head: journal.head });
    const erased = journal.events.filter(({ plain }) => plain !== undefined).map(({ seq }) => seq);
    expect(await verifyJournal(erase(journal))).toMatchObject({ ok: true, erased, head: journal.head });
  },
);

test("PROOF-1 the journals that are verified here hold every type of event", async () => {
  const journals = [...(await Promise.all(shapes.map(exampleJournal))), await erasedJournal()];
  const types = journals.flatMap(({ events }) => events.map(({ type }) => type));
  expect([...new Set(types)].sort()).toEqual([
    "checked",
    "confirmed",
    "contradicted",
    "declined",
    "drifted",
    "edited",
    "erased",
    "expired",
    "extended",
    "proposed",
    "rebound",
    "resolved",
    "settled",
    "started",
    "step_up_required",
    "superseded",
    "verified",
    "withdrawn",
  ]);
});

test("PROOF-1 the journal of a customer who was erased verifies, and tells what it cannot show any more", async () => {
  const journal = await erasedJournal();
  expect(journal.events.map(({ type }) => type).join(" ")).toBe(
    "proposed confirmed started settled checked resolved erased contradicted",
  );
  expect(await verifyJournal(journal)).toMatchObject({
    ok: true,
    state: "not_applied",
    erased: [1, 6],
    contradictions: 1,
    head: journal.head,
  });
});

test.each<[Shape, string]>([
  ["drifted", "proposed drifted confirmed started settled"],
  [
    "driftedWhileVerifying",
    "proposed confirmed started step_up_required verified drifted confirmed started settled",
  ],
  ["previewRefused", "proposed confirmed settled"],
  ["ranAgain", "proposed confirmed started settled started settled"],
])("PROOF-1 the example that is %s went the way it is meant to", async (shape, types) => {
  const { events } = await exampleJournal(shape);
  expect(events.map(({ type }) => type).join(" ")).toBe(types);
});

test("PROOF-1 the proof says what was shown, what was confirmed, what ran and how it ended", async () => {
  const journal = await exampleJournal("edited");
  const [first, , second, third, confirmed] = journal.events;
  const version = (event: typeof first) => ({
    version: event?.body.version,
    seq: event?.seq,
    digest: event?.body.digest,
    tool: "cancel_order",
    toolVersion: event?.body.toolVersion,
    args: event?.plain?.args,
    card: event?.plain?.card,
  });
  expect(await verifyJournal(journal)).toEqual({
    ok: true,
    writeId: journal.writeId,
    head: journal.head,
    events: 7,
    state: "applied",
    versions: [first, second, third].map(version),
    decision: {
      kind: "confirmed",
      seq: 5,
      version: 3,
      digest: third?.body.digest,
      surface: "web",
      at: confirmed?.at,
    },
    confirmationRequired: true,
    runs: [{ seq: 6, attempt: 1, version: 3 }],
    contradictions: 0,
    erased: [],
    anchor: null,
  });
  expect(third?.plain?.args).toEqual({ orderId: "A-1042", reason: "other", note: "Zu spät – “sorry” 😀" });
});

test("PROOF-1 a new version makes the decision before it void, and every start is told", async () => {
  const proof = await verifyJournal(await exampleJournal("reboundWhileVerifying"));
  expect(proof).toMatchObject({
    state: "applied",
    decision: { kind: "confirmed", version: 2, seq: 6 },
    runs: [
      { seq: 3, attempt: 1, version: 1 },
      { seq: 7, attempt: 2, version: 2 },
    ],
  });
  expect(await verifyJournal(await exampleJournal("contradicted"))).toMatchObject({
    state: "not_applied",
    contradictions: 1,
  });
});

test("PROOF-1 one version may be erased and another one not", async () => {
  const journal = await exampleJournal("edited");
  const events = journal.events.map(({ plain, ...event }) =>
    event.seq === 3 || plain === undefined ? event : { ...event, plain },
  );
  expect(await verifyJournal({ ...journal, events })).toMatchObject({ ok: true, erased: [3] });
});

test("PROOF-2 a cut tail is noticed with a head that was kept outside, and with that only", async () => {
  const journal = await exampleJournal("edited");
  const cut = { ...journal, events: journal.events.slice(0, 4), head: hashAt(journal, 4) };
  expect(await verifyJournal(cut)).toMatchObject({ ok: true, state: "proposed", anchor: null });
  expect(await faultsOf(cut, journal.head)).toEqual([
    {
      seq: null,
      what: "head",
      problem: `the journal ends at event 4 with hash ${hashAt(journal, 4)}; the given head is not in it: its tail is missing, or it is another journal`,
    },
  ]);
});

test("PROOF-2 a head that was kept is found at the last event, or at an earlier one that more followed", async () => {
  const journal = await exampleJournal("contradicted");
  const anchor = async (head: string) => {
    const proof = await verifyJournal(journal, { head });
    return proof.ok ? proof.anchor : proof.faults;
  };
  expect(await anchor(journal.head)).toEqual({ seq: 6, since: 0 });
  expect(await anchor(hashAt(journal, 4))).toEqual({ seq: 4, since: 2 });
  expect(await anchor("0".repeat(63))).toEqual([
    { seq: null, what: "head", problem: "that was given is no SHA-256 in lower-case hexadecimal" },
  ]);
});

test("PROOF-2 a journal that is cut while its own head stays is noticed without any other", async () => {
  const journal = await exampleJournal("edited");
  expect(await faultsOf({ ...journal, events: journal.events.slice(0, 4) })).toEqual([
    {
      seq: null,
      what: "head",
      problem: "is not the hash of the last event, number 4: the tail is missing, or the head was changed",
    },
  ]);
  expect(await faultsOf({ ...journal, head: hashAt(journal, 2) })).toEqual([
    {
      seq: null,
      what: "head",
      problem:
        "is the hash of event 2, and not of the last one: what follows was added, or the head was changed",
    },
  ]);
});

const between = "is not the hash of the event before it: one was removed, inserted or moved here";
const numbered = (own: number, due: number): string =>
  `is ${own} where ${due} has to stand: an event is missing, moved or there twice`;

test.each<[string, (events: ExportedJournal["events"]) => ExportedJournal["events"], ProofFault[]]>([
  [
    "an event that was taken out",
    (events) => events.filter(({ seq }) => seq !== 3),
    [
      { seq: 3, what: "prev", problem: between },
      { seq: 3, what: "seq", problem: numbered(4, 3) },
    ],
  ],
  [
    "a beginning that was taken away",
    (events) => events.slice(1),
    [
      {
        seq: 1,
        what: "prev",
        problem:
          "is not the hash of the event before it, which for the first event are 64 zeros: its beginning is missing",
      },
      { seq: 1, what: "seq", problem: numbered(2, 1) },
    ],
  ],
  [
    "an event that is there twice",
    (events) => events.flatMap((event) => (event.seq === 3 ? [event, event] : [event])),
    [
      { seq: 4, what: "prev", problem: between },
      { seq: 4, what: "seq", problem: numbered(3, 4) },
    ],
  ],
])("PROOF-3 %s is named", async (_name, change, faults) => {
  const journal = await exampleJournal("edited");
  expect(await faultsOf({ ...journal, events: change(journal.events) })).toEqual(faults);
});

test.each<[string, object, ProofFault]>([
  [
    "hash",
    { hash: "a".repeat(64) },
    { seq: 3, what: "hash", problem: "was changed: the event's own members and what follows say HASH" },
  ],
  [
    "prev",
    { prev: "a".repeat(64) },
    {
      seq: 3,
      what: "prev",
      problem: "was changed: with what has to stand there the event has its hash again",
    },
  ],
  [
    "seq",
    { seq: 9 },
    {
      seq: 3,
      what: "seq",
      problem: "was changed: with what has to stand there the event has its hash again",
    },
  ],
  [
    "writeId",
    { writeId: "wr_other" },
    {
      seq: 3,
      what: "writeId",
      problem: "was changed: with what has to stand there the event has its hash again",
    },
  ],
  ["v", { v: 2 }, { seq: 3, what: "v", problem: "is not 1, the only version of events that is known here" }],
  ["at", { at: 1.5 }, { seq: 3, what: "at", problem: "is no whole number of milliseconds" }],
  ["type", { type: null }, { seq: 3, what: "type", problem: "is no text" }],
  [
    "a new member",
    { shown: true },
    { seq: 3, what: '"shown"', problem: "is no member of an event; no hash covers it" },
  ],
])("PROOF-3 a change of one member is named by that member: %s", async (_name, change, fault) => {
  const journal = await exampleJournal("edited");
  const events = journal.events.map((event) => (event.seq === 3 ? { ...event, ...change } : event));
  const problem = fault.problem.replace("HASH", hashAt(journal, 3));
  const [first] = await faultsOf({ ...journal, events });
  expect(first).toEqual({ ...fault, problem });
});
