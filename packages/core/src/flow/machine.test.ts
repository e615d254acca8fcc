import { describe, expect, test } from "vitest";
import { IntegrityError } from "../base/errors.ts";
import {
  anaBy,
  bot,
  confirmOf,
  contentOf,
  findings,
  proposal,
  salt,
  settleOf,
  start,
  tell,
  ways,
  writeIn,
} from "./fixtures.ts";
import { type Command, rule } from "./machine.ts";
import type { Ruling } from "./ruling.ts";
import type { Write } from "./write.ts";

type State = Write["state"];

const at = start + 10;
const host = { kind: "host", ref: null } as const;
const operator = { kind: "operator", ref: "Ben" } as const;
const states = Object.keys(ways) as State[];

/** A ruling in one word: its events, "repeat", or "! why not". */
function inShort(ruling: Ruling): string {
  if (ruling.kind === "events") return ruling.events.map(({ type }) => type).join(" ");
  return ruling.kind === "repeat" ? "repeat" : `! ${ruling.refusal.refused}`;
}

const decided = "! already_decided";
const closed = {
  running: decided,
  awaiting_verification: decided,
  pending: decided,
  unknown: decided,
  applied: decided,
  not_applied: decided,
  declined: decided,
  expired: "! expired",
  withdrawn: "! withdrawn",
  superseded: "! superseded",
} as const;
const everywhere = Object.fromEntries(states.map((state) => [state, decided])) as { [S in State]: string };
const confirmedOnce = {
  running: "repeat",
  awaiting_verification: "repeat",
  pending: "repeat",
  unknown: "repeat",
  applied: "repeat",
  not_applied: "repeat",
};
const notResolvable = Object.fromEntries(states.map((state) => [state, "! not_resolvable"])) as {
  [S in State]: string;
};

const table: readonly [string, Command, { readonly [S in State]: string }][] = [
  [
    "edit",
    { type: "edit", at, by: anaBy, version: 1, content: contentOf("A-2"), changed: ["/orderId"] },
    { proposed: "edited", ...closed },
  ],
  [
    "edit of an old version",
    { type: "edit", at, by: anaBy, version: 0, content: contentOf("A-2"), changed: [] },
    { proposed: "! stale_version", ...closed },
  ],
  [
    "extend",
    { type: "extend", at, by: anaBy, version: 1, extend: { seconds: 60, times: 1 } },
    { proposed: "extended", ...closed },
  ],
  [
    "extend of an old version",
    { type: "extend", at, by: anaBy, version: 0, extend: { seconds: 60, times: 1 } },
    { proposed: "! stale_version", ...closed },
  ],
  [
    "extend where the tool does not allow it",
    { type: "extend", at, by: anaBy, version: 1, extend: undefined },
    { proposed: "! not_extendable", ...closed },
  ],
  ["confirm", confirmOf({ at }), { proposed: "confirmed started", ...closed, ...confirmedOnce }],
  ["confirm of another version", confirmOf({ at, version: 2 }), { proposed: "! stale_version", ...closed }],
  [
    "confirm of another digest",
    confirmOf({ at, digest: "0".repeat(64) }),
    { proposed: "! stale_version", ...closed },
  ],
  [
    "decline",
    { type: "decline", at, by: anaBy, surface: "web" },
    { proposed: "declined", ...closed, awaiting_verification: "declined", declined: "repeat" },
  ],
  [
    "withdraw",
    { type: "withdraw", at, by: bot, reason: undefined },
    { proposed: "withdrawn", ...closed, withdrawn: "repeat" },
  ],
  ["expire too early", { type: "expire", at }, everywhere],
  ["expire", { type: "expire", at: start + 900_000 }, { ...everywhere, proposed: "expired" }],
  [
    "supersede",
    { type: "supersede", at, by: host, reason: "signed_out" },
    { ...everywhere, proposed: "superseded", awaiting_verification: "superseded" },
  ],
  [
    "rebind",
    { type: "rebind", at, by: host, content: contentOf() },
    { ...everywhere, proposed: "rebound", awaiting_verification: "rebound" },
  ],
  [
    "verify",
    { type: "verify", at, by: host, level: "high", lead: { kind: "start", leaseUntil: at + 1 } },
    { ...everywhere, awaiting_verification: "verified started" },
  ],
  [
    "verify too late",
    {
      type: "verify",
      at: start + 600_002,
      by: host,
      level: "high",
      lead: { kind: "start", leaseUntil: at + 1 },
    },
    everywhere,
  ],
  ["end of the lease, too early", { type: "endLease", at, salt, nextCheckAt: null }, everywhere],
  [
    "end of the lease",
    { type: "endLease", at: start + 60_000, salt, nextCheckAt: null },
    { ...everywhere, running: "settled" },
  ],
  ["end of the step-up, too early", { type: "endStepUp", at: start + 600_001, salt }, everywhere],
  [
    "end of the step-up",
    { type: "endStepUp", at: start + 600_002, salt },
    { ...everywhere, awaiting_verification: "settled" },
  ],
  [
    "resolve",
    { type: "resolve", at, by: operator, outcome: "applied", note: "Seen.", salt },
    { ...notResolvable, pending: "resolved", unknown: "resolved" },
  ],
  [
    "check",
    { type: "check", at, nextCheckAt: null },
    { ...everywhere, pending: "checked", unknown: "checked" },
  ],
  [
    "settle as applied",
    settleOf(findings.applied),
    {
      ...everywhere,
      running: "settled",
      awaiting_verification: "contradicted",
      pending: "settled",
      unknown: "settled",
      applied: "repeat",
      not_applied: "contradicted",
    },
  ],
  [
    "settle as not applied",
    settleOf(findings.not_applied),
    {
      ...everywhere,
      running: "settled",
      awaiting_verification: "contradicted",
      pending: "settled",
      unknown: "settled",
      applied: "contradicted",
      not_applied: "repeat",
    },
  ],
  [
    "settle as pending",
    settleOf(findings.pending),
    {
      ...everywhere,
      running: "settled",
      awaiting_verification: "contradicted",
      pending: "settled",
      unknown: "settled",
      applied: "contradicted",
      not_applied: "contradicted",
    },
  ],
  [
    "settle as unknown",
    settleOf(findings.unknown),
    {
      ...everywhere,
      running: "settled",
      awaiting_verification: "repeat",
      pending: "repeat",
      unknown: "repeat",
      applied: "repeat",
      not_applied: "repeat",
    },
  ],
  [
    "settle as step-up",
    settleOf(findings.step_up_required),
    {
      ...everywhere,
      running: "step_up_required",
      awaiting_verification: "repeat",
      pending: "repeat",
      unknown: "repeat",
      applied: "repeat",
      not_applied: "repeat",
    },
  ],
  ["settle of an attempt that was never started", settleOf(findings.applied, { attempt: 2 }), everywhere],
];

describe.each(table)("FLOW-1 %s", (_name, command, expected) => {
  test("does what the table says in every state", () => {
    const found = Object.fromEntries(states.map((state) => [state, inShort(rule(writeIn(state), command))]));
    expect(found).toEqual(expected);
  });
});

test("FLOW-1 a refusal to resolve names the state it met", () => {
  const resolve: Command = { type: "resolve", at, by: operator, outcome: "applied", note: "Seen.", salt };
  expect(rule(writeIn("running"), resolve)).toEqual({
    kind: "refusal",
    refusal: { refused: "not_resolvable", state: "running" },
  });
});

test("FLOW-1 a write is proposed once, and everything else needs one", () => {
  expect(() => rule(writeIn("proposed"), proposal())).toThrow(
    new IntegrityError("write wr_1 was proposed before"),
  );
  expect(() => rule(undefined, confirmOf())).toThrow(new IntegrityError('"confirm" needs a write'));
});

test("RUN-5 a result of an earlier attempt settles nothing", () => {
  const verified: Command = {
    type: "verify",
    at,
    by: host,
    level: "high",
    lead: { kind: "start", leaseUntil: at + 60_000 },
  };
  const second = settleOf(findings.unknown, { attempt: 2 });
  const { write } = tell(...ways.awaiting_verification, verified, second);
  expect(inShort(rule(write, settleOf(findings.applied, { attempt: 1 })))).toBe("contradicted");
  expect(inShort(rule(write, settleOf(findings.applied, { attempt: 2 })))).toBe("settled");
});

test("RUN-16 no command leads out of a final state", () => {
  const final: readonly State[] = [
    "applied",
    "not_applied",
    "declined",
    "expired",
    "withdrawn",
    "superseded",
  ];
  for (const state of final) {
    const write = writeIn(state);
    for (const [, command] of table) {
      const ruling = rule(write, command);
      const types = ruling.kind === "events" ? ruling.events.map(({ type }) => type) : [];
      expect(types.filter((type) => type !== "contradicted")).toEqual([]);
    }
  }
});
