import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonical } from "../base/canonical.ts";
import { IntegrityError } from "../base/errors.ts";
import type { JournalRow } from "../ports/store.ts";
import { apply, replay } from "./apply.ts";
import { bindOutcome } from "./content.ts";
import {
  ana,
  anaBy,
  bot,
  confirmOf,
  contentOf,
  findings,
  lifeMs,
  proposal,
  salt,
  settleOf,
  start,
  tell,
  ways,
} from "./fixtures.ts";
import { firstPrev, openEvents, sealEvents } from "./journal.ts";
import { type Command, rule } from "./machine.ts";
import type { Write } from "./write.ts";

const at = start + 5;
const host = { kind: "host", ref: null } as const;
const edited: Command = {
  type: "edit",
  at,
  by: anaBy,
  version: 1,
  content: contentOf("A-2"),
  changed: ["/orderId"],
};
const confirmEdited = confirmOf({ at, version: 2, digest: contentOf("A-2").digest });
const verify: Command = {
  type: "verify",
  at,
  by: host,
  level: "high",
  lead: { kind: "start", leaseUntil: start + 60_000 },
};
const check: Command = { type: "check", at, nextCheckAt: at + 5000 };
const resolve: Command = {
  type: "resolve",
  at,
  by: { kind: "operator", ref: "Ben" },
  outcome: "not_applied",
  note: "Seen.",
  salt,
};
const none = { confirmation: "none", lead: { kind: "start", leaseUntil: start + 60_000 } } as const;

const paths: readonly [string, readonly Command[]][] = [
  ...Object.entries(ways),
  ["edited and applied", [proposal(), edited, confirmEdited, settleOf(findings.applied)]],
  [
    "extended",
    [proposal(), { type: "extend", at, by: anaBy, version: 1, extend: { seconds: 3600, times: 1 } }],
  ],
  [
    "rebound",
    [
      proposal({ content: contentOf("A-1", { ...ana, epoch: 0, customerRef: null }) }),
      { type: "rebind", at, by: host, content: contentOf("A-1") },
    ],
  ],
  [
    "rebound while a sign-in was awaited",
    [...ways.awaiting_verification, { type: "rebind", at, by: host, content: contentOf("A-1") }],
  ],
  [
    "verified and applied",
    [...ways.awaiting_verification, verify, settleOf(findings.applied, { attempt: 2 })],
  ],
  [
    "declined instead of verifying",
    [...ways.awaiting_verification, { type: "decline", at, by: anaBy, surface: "web" }],
  ],
  ["never verified", [...ways.awaiting_verification, { type: "endStepUp", at: start + lifeMs, salt }]],
  ["lease ended", [...ways.running, { type: "endLease", at: start + 60_000, salt, nextCheckAt: at }]],
  ["checked and resolved", [...ways.unknown, check, check, resolve]],
  [
    "unknown, then pending, then applied",
    [
      ...ways.unknown,
      check,
      settleOf(findings.pending, { reason: "status_check" }),
      settleOf(findings.applied, { reason: "status_check" }),
    ],
  ],
  ["contradicted", [...ways.unknown, resolve, settleOf(findings.applied, { reason: "late_result" })]],
  ["run without confirmation", [proposal(none), settleOf(findings.applied)]],
  [
    "withdrawn with a reason",
    [proposal(), { type: "withdraw", at, by: bot, reason: bindOutcome(salt, { note: "Wrong order." }) }],
  ],
];

/** Seals a whole story once more, as rows to store. */
function rowsOf(commands: readonly Command[]): ReturnType<typeof sealEvents> {
  const all: { rows: JournalRow[]; plains: ReturnType<typeof sealEvents>["plains"] } = {
    rows: [],
    plains: [],
  };
  let write: Write | undefined;
  for (const command of commands) {
    const ruling = rule(write, command);
    if (ruling.kind !== "events") throw new Error(command.type);
    const sealed = sealEvents(
      { writeId: "wr_1", seq: write?.seq ?? 0, head: write?.head ?? firstPrev },
      ruling.events,
      "at" in command ? command.at : 0,
    );
    write = sealed.events.reduce<Write | undefined>(apply, write);
    all.rows.push(...sealed.rows);
    all.plains.push(...sealed.plains);
  }
  return { rows: all.rows as [JournalRow, ...JournalRow[]], plains: all.plains, events: [] };
}

test.each(paths)("JOURNAL-4 replaying the stored journal gives the folded write: %s", (_name, commands) => {
  const { rows, plains } = rowsOf(commands);
  expect(replay(openEvents({ events: rows, plains }))).toEqual(tell(...commands).write);
});

test.each(paths)("JOURNAL-4 a write whose plain values were erased still replays: %s", (_name, commands) => {
  const { rows } = rowsOf(commands);
  const { state, seq, head, digest } = tell(...commands).write;
  const erased = replay(openEvents({ events: rows, plains: [] }));
  expect(erased).toMatchObject({
    state,
    seq,
    head,
    digest,
    args: undefined,
    card: undefined,
    idempotencyKey: undefined,
  });
});

/** The published recipe, written a second time. */
function hashByRecipe({ hash: _, by, body, commits, ...rest }: JournalRow): string {
  const event = { ...rest, by: JSON.parse(by), body: JSON.parse(body), commits: JSON.parse(commits) };
  return createHash("sha256").update(canonical(event)).digest("hex");
}

/** The seq of the first event that does not hold, or null. */
function firstBreak(rows: readonly JournalRow[]): number | null {
  let prev = "0".repeat(64);
  for (const [index, row] of rows.entries()) {
    if (row.seq !== index + 1 || row.prev !== prev || row.hash !== hashByRecipe(row)) return index + 1;
    prev = row.hash;
  }
  return null;
}

test.each(paths)("JOURNAL-2 the chain is the published recipe: %s", (_name, commands) => {
  expect(firstBreak(rowsOf(commands).rows)).toBeNull();
});

test("JOURNAL-3 one changed character anywhere is noticed", () => {
  const { rows } = rowsOf([proposal(), edited, confirmEdited, settleOf(findings.applied)]);
  const members = ["writeId", "type", "by", "body", "commits", "prev", "hash"] as const;
  fc.assert(
    fc.property(fc.nat(rows.length - 1), fc.constantFrom(...members), fc.nat(), (index, member, place) => {
      const row = rows[index] as JournalRow;
      const text = row[member];
      const spot = place % text.length;
      const flipped = `${text.slice(0, spot)}${String.fromCharCode(text.charCodeAt(spot) ^ 1)}${text.slice(spot + 1)}`;
      const damaged = rows.map((each, i) => (i === index ? { ...row, [member]: flipped } : each));
      let found: number | null;
      try {
        found = firstBreak(damaged);
      } catch {
        // Not even JSON any more.
        found = index + 1;
      }
      expect(found).not.toBeNull();
    }),
    { numRuns: 300 },
  );
});

test("JOURNAL-3 a missing, swapped or repeated event is noticed", () => {
  const { rows } = rowsOf([proposal(), edited, confirmEdited, settleOf(findings.applied)]);
  const [one, two, three, ...rest] = rows as unknown as [JournalRow, JournalRow, JournalRow];
  expect(
    [
      [two, three, ...rest],
      [one, three, ...rest],
      [one, three, two, ...rest],
      [one, two, two, three, ...rest],
    ].map(firstBreak),
  ).toEqual([1, 2, 2, 3]);
});

test("JOURNAL-7 events that cannot follow are refused", () => {
  const { events } = tell(...ways.applied);
  const [proposed, confirmed] = events;
  if (!proposed || !confirmed) throw new Error("no events");
  expect(() => replay([])).toThrow(new IntegrityError("an empty journal is no write"));
  expect(() => replay([confirmed])).toThrow(new IntegrityError("write wr_1: event 2 follows 0"));
  expect(() => replay([{ ...confirmed, seq: 1 }])).toThrow(
    new IntegrityError('write wr_1: the journal begins with "confirmed"'),
  );
  expect(() => replay([proposed, { ...proposed, seq: 2 }])).toThrow(
    new IntegrityError('write wr_1: a second "proposed" at seq 2'),
  );
  expect(() => replay([proposed, { ...confirmed, seq: 3 }])).toThrow(
    new IntegrityError("write wr_1: event 3 follows 1"),
  );
});

test("JOURNAL-2 the digest binds principal, arguments, card, tool and version of the tool, and no time", () => {
  const base = contentOf();
  const others = [
    contentOf("A-2"),
    contentOf("A-1042", { ...ana, epoch: 2 }),
    contentOf("A-1042", { ...ana, customerRef: "cu_ben" }),
  ];
  expect(new Set([base, ...others].map(({ digest }) => digest)).size).toBe(4);
  const { tool, toolVersion, principal, targets, plain } = base;
  const bound = {
    v: 1,
    tool,
    toolVersion,
    principal,
    targets,
    argsCommit: plain.args.commit,
    cardCommit: plain.card.commit,
  };
  expect(base.digest).toBe(createHash("sha256").update(canonical(bound)).digest("hex"));
  expect(contentOf().digest).toBe(base.digest);
});

test("JOURNAL-2 a message with half a character is recorded in a form that can be hashed", () => {
  expect(bindOutcome(salt, { message: "Sorry \ud83d", note: "\udc00 seen" }).outcome?.value).toEqual({
    message: "Sorry \ufffd",
    note: "\ufffd seen",
  });
});
