import type { Link } from "./chain.ts";
import type { Note, ProvenDecision, ProvenRun, ProvenVersion } from "./proof.ts";
import { nameOf } from "./read-event.ts";

const finals = ["applied", "not_applied", "declined", "expired", "withdrawn", "superseded"];
const undetermined = ["unknown", "pending"];
const review = ["proposed"];
const waiting = ["proposed", "awaiting_verification"];
const alive = ["proposed", "confirmed", "running", "awaiting_verification", "verified", "pending", "unknown"];

/** The standings in which each event may happen. "confirmed" and "verified" last only within the append that they begin. */
const mayFollow: Readonly<Record<string, readonly string[]>> = {
  proposed: ["nothing"],
  presented: alive,
  undelivered: alive,
  edited: review,
  drifted: [...waiting, "verified"],
  rebound: waiting,
  extended: review,
  confirmed: review,
  declined: waiting,
  withdrawn: review,
  expired: review,
  superseded: waiting,
  started: ["proposed", "confirmed", "verified", "unknown"],
  step_up_required: ["running"],
  verified: ["awaiting_verification"],
  settled: ["proposed", "confirmed", "verified", "running", "awaiting_verification", ...undetermined],
  checked: undetermined,
  resolved: undetermined,
  contradicted: ["running", "awaiting_verification", ...undetermined, ...finals],
  erased: finals,
};

const outcomes = ["applied", "not_applied", ...undetermined];

/** A write as far as its events tell. */
export type Life = {
  state: string;
  confirmationRequired: boolean;
  decision: ProvenDecision | null;
  readonly versions: ProvenVersion[];
  readonly runs: ProvenRun[];
  contradictions: number;
};

/** One event that may stand where it does, and what the events before it told. */
type Told = {
  readonly life: Life;
  readonly link: Link;
  readonly note: Note;
  /** Commits to the arguments of each version so far, in order. */
  readonly argsCommits: (string | undefined)[];
};

function tellVersion({ life, link, note, argsCommits }: Told): void {
  const { seq, event } = link;
  const { version, digest, tool, toolVersion } = event.body;
  const expected = life.versions.length + 1;
  if (version !== expected) note(seq, "body.version", `is not ${expected}, which comes next`);
  if (event.type === "proposed") {
    const { confirmation } = event.body;
    if (confirmation !== "required" && confirmation !== "none")
      note(seq, "body.confirmation", 'is neither "required" nor "none"');
    life.confirmationRequired = confirmation !== "none";
  }
  const { args, card } = event.plain ?? {};
  life.versions.push({
    version: expected,
    seq,
    digest: String(digest),
    tool: String(tool),
    toolVersion: String(toolVersion),
    ...(args !== undefined && { args }),
    ...(card !== undefined && { card }),
  });
  argsCommits.push(event.commits.args);
  life.decision = null;
  life.state = "proposed";
}

/** Notes a `body.version` that is not the one that stands. */
function checkVersion({ life, link: { seq, event }, note }: Told): void {
  const { version } = event.body;
  const stands = life.versions.length;
  if (version !== stands) note(seq, "body.version", `is not ${stands}, the version that stood then`);
}

function tellDecision(told: Told): void {
  const { life, link, note } = told;
  const { seq, event } = link;
  const { digest, surface } = event.body;
  checkVersion(told);
  if (digest !== life.versions.at(-1)?.digest)
    note(seq, "body.digest", `is not that of version ${life.versions.length}, which stood then`);
  const version = life.versions.length;
  const kind = event.type as ProvenDecision["kind"];
  life.decision = { kind, seq, version, digest: String(digest), surface: String(surface), at: event.at };
  life.state = kind;
}

function tellStart(told: Told): void {
  const { life, link, note, argsCommits } = told;
  const { seq, event } = link;
  const { attempt, argsCommit } = event.body;
  checkVersion(told);
  if (life.confirmationRequired && life.decision?.kind !== "confirmed")
    note(seq, "type", `is "started" although nobody confirmed version ${life.versions.length}`);
  if (argsCommit !== argsCommits.at(-1))
    note(seq, "body.argsCommit", `is not that of version ${life.versions.length}: other arguments ran`);
  const next = life.runs.length + 1;
  if (attempt !== next) note(seq, "body.attempt", `is not ${next}, which comes next`);
  life.runs.push({ seq, attempt: next, version: life.versions.length });
  life.state = "running";
}

/** Notes an attempt that is not the latest one. */
function checkAttempt({ life, link: { seq, event }, note }: Told): void {
  const { attempt } = event.body;
  const latest = life.runs.length;
  if (attempt !== latest) note(seq, "body.attempt", `is not ${latest}, the latest that was started`);
}

function tellOutcome(told: Told): void {
  const { life, link, note } = told;
  const { seq, event } = link;
  const { outcome } = event.body;
  const known = event.type === "resolved" ? ["applied", "not_applied"] : outcomes;
  if (typeof outcome !== "string" || !known.includes(outcome)) {
    note(seq, "body.outcome", `is none of ${known.join(", ")}`);
    return;
  }
  const running = life.state === "running" || undetermined.includes(life.state);
  if (running || life.state === "awaiting_verification") checkAttempt(told);
  if (!running && outcome !== "not_applied")
    note(seq, "body.outcome", `is "${outcome}" although nothing was running: only "not_applied" can follow`);
  if (life.state === "proposed" && life.confirmationRequired)
    note(seq, "type", 'is "settled" although nobody decided');
  life.state = outcome;
}

function tellContradiction({ life, link: { seq, event }, note }: Told): void {
  const { attempt } = event.body;
  if (!Number.isSafeInteger(attempt) || (attempt as number) < 1 || (attempt as number) > life.runs.length)
    note(seq, "body.attempt", "is of no run that was started");
  life.contradictions += 1;
}

function tellEnd(told: Told): void {
  checkVersion(told);
  told.life.state = told.link.event.type;
}

const tellers: Readonly<Record<string, (told: Told) => void>> = {
  proposed: tellVersion,
  edited: tellVersion,
  drifted: tellVersion,
  rebound: tellVersion,
  extended: checkVersion,
  confirmed: tellDecision,
  declined: tellDecision,
  withdrawn: tellEnd,
  expired: tellEnd,
  superseded: tellEnd,
  started: tellStart,
  step_up_required(told) {
    checkAttempt(told);
    told.life.state = "awaiting_verification";
  },
  verified({ life }) {
    life.state = "verified";
  },
  settled: tellOutcome,
  resolved: tellOutcome,
  contradicted: tellContradiction,
};

/** Why an event may not stand where it does; undefined where it may. */
function misplaced(type: string, state: string): string | undefined {
  const states = Object.hasOwn(mayFollow, type) ? mayFollow[type] : undefined;
  if (states === undefined) return `is ${nameOf(type)}, a type of event that is not known here`;
  if (states.includes(state)) return undefined;
  if (state === "nothing") return `is "${type}": a journal begins with "proposed"`;
  if (finals.includes(state)) return `is "${type}", and the write was ${state} already, which is final`;
  return `is "${type}", which cannot follow while the write is ${state}`;
}

/** Notes a journal that ends within what is recorded in one step. */
function checkEnd(life: Life, last: Link | undefined, note: Note): void {
  const unasked = life.state === "proposed" && !life.confirmationRequired;
  if (last !== undefined && (life.state === "confirmed" || life.state === "verified" || unasked))
    note(last.seq, "type", "cannot be the last: what it led to is recorded with it, and is missing");
}

/**
 * Follows the events of a write, in order, and notes each one that cannot stand where it does: that nothing ran but what
 * was confirmed, with the arguments of the version that was confirmed, and that nothing final was changed. `upTo`: whether
 * these are all events of the journal, or those before a damaged one.
 */
export function followLife(links: readonly Link[], upTo: "end" | "damage", note: Note): Life {
  const life: Life = {
    state: "nothing",
    confirmationRequired: true,
    decision: null,
    versions: [],
    runs: [],
    contradictions: 0,
  };
  const argsCommits: (string | undefined)[] = [];
  for (const link of links) {
    const { seq, event } = link;
    const fault = misplaced(event.type, life.state);
    if (fault !== undefined) {
      note(seq, "type", fault);
      // After an event that cannot be there, nothing can be said of those that follow it.
      return life;
    }
    tellers[event.type]?.({ life, link, note, argsCommits });
  }
  if (upTo === "end") checkEnd(life, links.at(-1), note);
  return life;
}
