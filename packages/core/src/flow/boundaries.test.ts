import { expect, test } from "vitest";
import { dueAt, needsAttention, rowOf } from "./due.ts";
import {
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
  writeIn,
} from "./fixtures.ts";
import { levelSuffices, meetsStepUp } from "./identity.ts";
import { type Command, rule } from "./machine.ts";
import { maxStepUps, stepUpWaitMs } from "./outcome.ts";
import { isFinal, isOpen, type Write } from "./write.ts";

const last = start + lifeMs - 1;
const over = start + lifeMs;

const beforeExpiry: readonly [string, (at: number) => Command][] = [
  ["confirm", (at) => confirmOf({ at })],
  ["decline", (at) => ({ type: "decline", at, by: anaBy, surface: "web" })],
  [
    "edit",
    (at) => ({ type: "edit", at, by: anaBy, version: 1, content: contentOf("A-2"), changed: ["/orderId"] }),
  ],
  ["extend", (at) => ({ type: "extend", at, by: anaBy, version: 1, extend: { seconds: 60, times: 1 } })],
  ["withdraw", (at) => ({ type: "withdraw", at, by: bot, reason: undefined })],
];

test.each(beforeExpiry)(
  "FLOW-6 %s counts in the last millisecond and not at the expiry",
  (_name, command) => {
    const write = writeIn("proposed");
    expect(rule(write, command(last)).kind).toBe("events");
    expect(rule(write, command(over))).toEqual({ kind: "refusal", refusal: { refused: "expired" } });
  },
);

test("FLOW-6 a proposal expires at its expiry and not a millisecond before", () => {
  const write = writeIn("proposed");
  expect(rule(write, { type: "expire", at: last }).kind).toBe("refusal");
  expect(rule(write, { type: "expire", at: over }).kind).toBe("events");
});

test("FLOW-14 a confirm that counted is repeated long after the expiry", () => {
  expect(rule(writeIn("applied"), confirmOf({ at: over + 1 }))).toEqual({ kind: "repeat" });
});

test("RUN-6 a lease ends at its end and not a millisecond before", () => {
  const write = writeIn("running");
  const endLease = (at: number): Command => ({ type: "endLease", at, salt, nextCheckAt: null });
  expect(rule(write, endLease(write.leaseUntil - 1)).kind).toBe("refusal");
  expect(rule(write, endLease(write.leaseUntil)).kind).toBe("events");
});

test("RUN-14 a step-up can be met for ten minutes and is over at their end", () => {
  const write = writeIn("awaiting_verification");
  const verify = (at: number): Command => ({
    type: "verify",
    at,
    by: anaBy,
    level: "high",
    lead: { kind: "start", leaseUntil: at + 1 },
  });
  const end = (at: number): Command => ({ type: "endStepUp", at, salt });
  expect(write.until).toBe(start + 2 + stepUpWaitMs);
  expect([verify(write.until - 1), end(write.until - 1)].map((command) => rule(write, command).kind)).toEqual(
    ["events", "refusal"],
  );
  expect([verify(write.until), end(write.until)].map((command) => rule(write, command).kind)).toEqual([
    "refusal",
    "events",
  ]);
});

test("RUN-14 a customer is asked twice at most; then nothing was changed", () => {
  const again = (attempt: number): readonly Command[] => [
    {
      type: "verify",
      at: start + 3,
      by: anaBy,
      level: "high",
      lead: { kind: "start", leaseUntil: start + 60_000 },
    },
    settleOf(findings.step_up_required, { attempt, at: start + 3 }),
  ];
  const rounds = ways.awaiting_verification;
  expect(tell(...rounds, ...again(2)).write).toMatchObject({
    state: "awaiting_verification",
    attempt: 2,
    stepUps: maxStepUps,
  });
  expect(tell(...rounds, ...again(2), ...again(3)).write).toMatchObject({
    state: "not_applied",
    attempt: 3,
    message: null,
  });
});

test("ID-1 a write that waited for a sign-in beyond its expiry leaves the new customer time to look", () => {
  const rebindAt = over + 10_000;
  const late = tell(proposal(), confirmOf({ at: last }), settleOf(findings.step_up_required, { at: last }), {
    type: "rebind",
    at: rebindAt,
    by: { kind: "host", ref: null },
    content: contentOf(),
  }).write;
  expect({ state: late.state, expiresAt: late.expiresAt }).toEqual({
    state: "proposed",
    expiresAt: rebindAt + stepUpWaitMs,
  });
});

test("ID-1 a proposal that changes hands keeps its expiry", () => {
  const { write } = tell(proposal(), {
    type: "rebind",
    at: last,
    by: { kind: "host", ref: null },
    content: contentOf(),
  });
  expect(write).toMatchObject({ version: 2, expiresAt: over });
});

test("FLOW-21 more time comes on top of what is left, and ends with the tool's number", () => {
  const extend = (at: number, seconds: number): Command => ({
    type: "extend",
    at,
    by: anaBy,
    version: 1,
    extend: { seconds, times: 2 },
  });
  expect(tell(proposal(), extend(last, 60)).write.expiresAt).toBe(over + 60_000);
  expect(tell(proposal(), extend(start, 60)).write.expiresAt).toBe(over + 60_000);
  const twice = tell(proposal(), extend(start, 60), extend(start, 60)).write;
  expect(rule(twice, extend(start, 60))).toEqual({ kind: "refusal", refusal: { refused: "not_extendable" } });
});

test("FLOW-5 which states are open, final, due and in need of a person", () => {
  const facts = (write: Write): unknown => [
    isOpen(write),
    isFinal(write),
    dueAt(write) !== null,
    needsAttention(write),
  ];
  const states = Object.keys(ways) as Write["state"][];
  expect(Object.fromEntries(states.map((state) => [state, facts(writeIn(state))]))).toEqual({
    proposed: [true, false, true, false],
    running: [true, false, true, false],
    awaiting_verification: [true, false, true, false],
    pending: [false, false, true, false],
    unknown: [true, false, true, false],
    applied: [false, true, false, false],
    not_applied: [false, true, false, false],
    declined: [false, true, false, false],
    expired: [false, true, false, false],
    withdrawn: [false, true, false, false],
    superseded: [false, true, false, false],
  });
});

test("FLOW-5 a pending write blocks where its tool says so", () => {
  const { write } = tell(proposal({ whilePending: "block" }), confirmOf(), settleOf(findings.pending));
  expect(rowOf(write)).toMatchObject({ state: "pending", open: true });
});

test("RUN-9 a person is called for when no check is planned, a value was withheld, or evidence contradicts", () => {
  const unchecked = tell(proposal(), confirmOf(), settleOf(findings.unknown, { nextCheckAt: null })).write;
  const withheld = tell(
    proposal(),
    confirmOf(),
    settleOf({ outcome: "applied", plain: {}, valueWithheld: true }),
  ).write;
  const contradicted = tell(...ways.not_applied, settleOf(findings.applied, { reason: "late_result" })).write;
  expect([unchecked, withheld, contradicted].map((write) => [write.state, needsAttention(write)])).toEqual([
    ["unknown", true],
    ["applied", true],
    ["not_applied", true],
  ]);
});

test.each([
  ["low", "low", true],
  ["low", "standard", false],
  ["standard", "low", true],
  ["standard", "high", false],
  ["high", "high", true],
] as const)("ID-8 a sign-in of level %s for a need of %s: %s", (have, need, suffices) => {
  expect(levelSuffices(have, need)).toBe(suffices);
});

const askedAt = start;
const now = start + 100_000;

test.each([
  [
    "too weak, however fresh",
    { level: "high", maxAuthAgeSeconds: null },
    { level: "standard", authenticatedAt: now },
    false,
  ],
  [
    "sure enough and made after the question",
    { level: "high", maxAuthAgeSeconds: 0 },
    { level: "high", authenticatedAt: askedAt },
    true,
  ],
  [
    "made before a question for age zero",
    { level: null, maxAuthAgeSeconds: 0 },
    { level: "low", authenticatedAt: askedAt - 1 },
    false,
  ],
  [
    "fresh to the second",
    { level: null, maxAuthAgeSeconds: 300 },
    { level: "low", authenticatedAt: now - 300_000 },
    true,
  ],
  [
    "a millisecond too old",
    { level: null, maxAuthAgeSeconds: 300 },
    { level: "high", authenticatedAt: now - 300_001 },
    false,
  ],
  [
    "neither level nor age asked, standard",
    { level: null, maxAuthAgeSeconds: null },
    { level: "standard", authenticatedAt: now },
    false,
  ],
  [
    "neither level nor age asked, high",
    { level: null, maxAuthAgeSeconds: null },
    { level: "high", authenticatedAt: now },
    true,
  ],
] as const)("ID-8 a sign-in that is %s", (_name, asked, signIn, met) => {
  expect(meetsStepUp({ ...asked, askedAt }, signIn, now)).toBe(met);
});
