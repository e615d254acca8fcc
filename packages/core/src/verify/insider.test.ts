import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { canonical } from "../base/canonical.ts";
import type { ExportedEvent, ExportedJournal } from "../engine/views.ts";
import { exampleJournal, type Shape } from "./fixtures.ts";
import { verifyJournal } from "./verify-journal.ts";

const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");

/** Gives changed events fresh numbers, commits, digests and hashes, as somebody could who has the database. */
function reseal(journal: ExportedJournal, events: readonly ExportedEvent[]): ExportedJournal {
  let prev = "0".repeat(64);
  const sealed = events.map((event, index): ExportedEvent => {
    const { plain, hash: _, ...rest } = event;
    const { salt = "", ...values } = plain ?? {};
    const again = Object.entries(values).map(([name, value]) => [name, sha256(salt + canonical(value))]);
    const commits = plain === undefined ? event.commits : Object.fromEntries(again);
    const { tool, toolVersion, principal, targets } = event.body;
    const { args: argsCommit, card: cardCommit } = commits;
    const bound = { v: 1, tool, toolVersion, principal, targets, argsCommit, cardCommit };
    const body = principal === undefined ? event.body : { ...event.body, digest: sha256(canonical(bound)) };
    const hashed = { ...rest, seq: index + 1, body, commits, prev };
    prev = sha256(canonical(hashed));
    return { ...hashed, hash: prev, ...(plain && { plain }) };
  });
  return { ...journal, head: prev, events: sealed };
}

const without =
  (...types: readonly string[]) =>
  (events: readonly ExportedEvent[]) =>
    events.filter(({ type }) => !types.includes(type));

/** Changes the body of every event of a type. */
const rewritten = (type: string, body: object) => (events: readonly ExportedEvent[]) =>
  events.map((event) => (event.type === type ? { ...event, body: { ...event.body, ...body } } : event));

/** Adds a copy of the first event of a type at the end, with another body. */
const followedBy = (type: string, body: object) => (events: readonly ExportedEvent[]) => [
  ...events,
  ...events
    .filter((event) => event.type === type)
    .slice(0, 1)
    .map((event) => ({ ...event, body: { ...event.body, ...body } })),
];

/** Changes the plain values of event 1. */
const shown =
  (change: (plain: { args: object; card: Record<string, unknown> }) => object) =>
  (events: readonly ExportedEvent[]) =>
    events.map((event) =>
      event.seq === 1
        ? ({ ...event, plain: { ...event.plain, ...change(event.plain as never) } } as never)
        : event,
    );

type Case = [
  name: string,
  shape: Shape,
  change: (events: readonly ExportedEvent[]) => readonly ExportedEvent[],
  faults: readonly (readonly [seq: number, what: string, problem: string])[],
];

const anyHash = "f".repeat(64);

const cases: readonly Case[] = [
  [
    "the confirmation is missing",
    "applied",
    without("confirmed"),
    [[2, "type", 'is "started" although nobody confirmed version 1']],
  ],
  [
    "an edit after the confirmation is missing",
    "edited",
    (events) => [...events.slice(0, 2), ...events.slice(3)],
    [
      [3, "body.version", "is not 2, which comes next"],
      [4, "body.version", "is not 2, the version that stood then"],
      [5, "body.version", "is not 2, the version that stood then"],
    ],
  ],
  [
    "the confirmation is of another digest",
    "applied",
    rewritten("confirmed", { digest: anyHash }),
    [[2, "body.digest", "is not that of version 1, which stood then"]],
  ],
  [
    "the confirmation is of an older version",
    "edited",
    rewritten("confirmed", { version: 1 }),
    [[5, "body.version", "is not 3, the version that stood then"]],
  ],
  [
    "other arguments ran than were confirmed",
    "applied",
    rewritten("started", { argsCommit: anyHash }),
    [[3, "body.argsCommit", "is not that of version 1: other arguments ran"]],
  ],
  [
    "other arguments were shown than ran",
    "applied",
    shown(({ args }) => ({ args: { ...args, orderId: "A-6666" } })),
    [
      [
        1,
        "plain.card.fields[0].value",
        "is not the argument that would run: what was shown is something else",
      ],
      [2, "body.digest", "is not that of version 1, which stood then"],
      [3, "body.argsCommit", "is not that of version 1: other arguments ran"],
    ],
  ],
  [
    "an argument was not shown",
    "waiting",
    shown(({ args }) => ({ args: { ...args, refund: true } })),
    [[1, "plain.args", "holds an argument that the card does not name: something was hidden"]],
  ],
  [
    "the card is of another tool",
    "waiting",
    shown(({ card }) => ({ card: { ...card, tool: "find_order" } })),
    [[1, "plain.card.tool", "is not the tool of this version"]],
  ],
  [
    "what was looked at is not what the digest binds",
    "drifted",
    (events) => events.slice(0, 1).map((event) => ({ ...event, body: { ...event.body, targets: [] } })),
    [[1, "plain.plan.targets", "are not the targets that the digest binds"]],
  ],
  [
    "it ran twice",
    "applied",
    followedBy("started", { attempt: 2 }),
    [[5, "type", 'is "started", and the write was applied already, which is final']],
  ],
  [
    "the second run calls itself the first",
    "steppedUp",
    rewritten("started", { attempt: 1 }),
    [[6, "body.attempt", "is not 2, which comes next"]],
  ],
  [
    "a declined write was confirmed after all",
    "declined",
    (events) => [...events, { ...(events[1] as ExportedEvent), type: "confirmed" }],
    [[3, "type", 'is "confirmed", and the write was declined already, which is final']],
  ],
  [
    "a final outcome was changed",
    "contradicted",
    (events) =>
      events.map((event) => (event.type === "contradicted" ? { ...event, type: "resolved" } : event)),
    [[6, "type", 'is "resolved", and the write was not_applied already, which is final']],
  ],
  [
    "it was applied although it never ran",
    "hosted",
    rewritten("settled", { outcome: "applied" }),
    [[3, "body.outcome", 'is "applied" although nothing was running: only "not_applied" can follow']],
  ],
  [
    "it ended although nobody decided",
    "hosted",
    without("confirmed"),
    [[2, "type", 'is "settled" although nobody decided']],
  ],
  [
    "what a confirmation led to is missing",
    "applied",
    without("started", "settled"),
    [[2, "type", "cannot be the last: what it led to is recorded with it, and is missing"]],
  ],
  [
    "the customer's verification is missing",
    "steppedUp",
    without("verified"),
    [[5, "type", 'is "started", which cannot follow while the write is awaiting_verification']],
  ],
  [
    "the beginning is missing",
    "applied",
    without("proposed"),
    [[1, "type", 'is "confirmed": a journal begins with "proposed"']],
  ],
  [
    "an event is of a type that nobody knows",
    "applied",
    (events) =>
      events.map((event) => (event.type === "settled" ? { ...event, type: "for\u202egiven" } : event)),
    [[4, "type", 'is "for⟦U+202E⟧given", a type of event that is not known here']],
  ],
  [
    "the outcome is one that nobody knows",
    "applied",
    rewritten("settled", { outcome: "fine" }),
    [[4, "body.outcome", "is none of applied, not_applied, unknown, pending"]],
  ],
  [
    "the outcome is of another attempt",
    "applied",
    rewritten("settled", { attempt: 2 }),
    [[4, "body.attempt", "is not 1, the latest that was started"]],
  ],
  [
    "a contradiction is of a run that never was",
    "contradicted",
    rewritten("contradicted", { attempt: 2 }),
    [[6, "body.attempt", "is of no run that was started"]],
  ],
];

test("PROOF-5 a journal that was sealed again unchanged verifies, so that the cases below are about what they change", async () => {
  for (const shape of new Set(cases.map(([, used]) => used))) {
    const journal = await exampleJournal(shape);
    expect(reseal(journal, journal.events)).toEqual(journal);
  }
});

test.each(cases)(
  "PROOF-5 with every hash made again it is still told that %s",
  async (_name, shape, change, faults) => {
    const journal = await exampleJournal(shape);
    const forged = reseal(journal, change(journal.events));
    expect(await verifyJournal(forged)).toEqual({
      ok: false,
      faults: faults.map(([seq, what, problem]) => ({ seq, what, problem })),
    });
  },
);
