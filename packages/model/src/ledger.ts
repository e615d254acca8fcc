import type { Append, ConversationRow, JournalRow, Json, JsonObject, PlainRow } from "@countersign/core";
import type { Blame } from "./invariants.ts";
import { knownByName } from "./shop-tools.ts";

type Principal =
  | { readonly kind: "customer"; readonly epoch: number; readonly customerRef: string | null }
  | { readonly kind: "operator" };

/** How a write stood after one event. */
export type Standing = {
  readonly state: string;
  readonly version: number;
  readonly digest: string;
  readonly principal: Principal;
};

/** What one version showed and would run. */
type Version = { readonly digest: string; readonly args: JsonObject; readonly plan: PlanShown | null };

/** The part of a plan that the model understands. */
export type PlanShown = { readonly effects: readonly { readonly after: Json }[] };

/** A write as the model understands its journal, by a table of its own. */
export type LedgerWrite = {
  readonly id: string;
  readonly conversationId: string;
  readonly tool: string;
  readonly agent: string | null;
  readonly key: string;
  readonly confirmation: string;
  principal: Principal;
  state: string;
  version: Version & { readonly number: number };
  expiresAt: number;
  confirmed: { readonly version: number; readonly digest: string } | null;
  /** Digests of all versions that were ever confirmed. */
  readonly everConfirmed: Set<string>;
  attempts: number;
  settledBy: string | null;
  /** How it stood after event 1, 2, … */
  readonly history: Standing[];
};

const finalStates = new Set(["applied", "not_applied", "declined", "expired", "withdrawn", "superseded"]);

/** Events that may follow in a state, and the state after them; `=` leaves it, `*` is said by the event. */
const steps: { readonly [state: string]: { readonly [event: string]: string } } = {
  proposed: {
    edited: "=",
    drifted: "=",
    rebound: "=",
    extended: "=",
    presented: "=",
    undelivered: "=",
    confirmed: "confirmed",
    declined: "declined",
    withdrawn: "withdrawn",
    expired: "expired",
    superseded: "superseded",
  },
  confirmed: { started: "running", settled: "*" },
  verified: { started: "running", settled: "*", drifted: "proposed" },
  running: { settled: "*", step_up_required: "awaiting_verification" },
  awaiting_verification: {
    verified: "verified",
    rebound: "proposed",
    drifted: "proposed",
    declined: "declined",
    superseded: "superseded",
    settled: "*",
  },
  unknown: { settled: "*", checked: "=", resolved: "*", started: "running" },
  pending: { settled: "*", checked: "=", resolved: "*" },
};

/** Whether nothing can become of a write any more. */
export function isFinalState(state: string): boolean {
  return finalStates.has(state);
}

/** Whether a write in this state keeps the next one of its conversation away. */
function isOpenState(tool: string, state: string): boolean {
  if (state === "pending") return knownByName.get(tool)?.blocksWhilePending ?? false;
  return ["proposed", "confirmed", "verified", "running", "awaiting_verification", "unknown"].includes(state);
}

/** Asked about each event before it is folded in, with the write as it stood. */
export type Inspect = (write: LedgerWrite, event: JournalRow, body: Body) => void;

export type Body = {
  readonly version?: number;
  readonly digest?: string;
  readonly outcome?: string;
  readonly reason?: string;
  readonly attempt?: number;
  readonly expiresAt?: number;
  readonly principal?: Principal;
  readonly argsCommit?: string;
};

/** The model's own account of everything that was committed. */
export type Ledger = {
  readonly writes: ReadonlyMap<string, LedgerWrite>;
  readonly byKey: ReadonlyMap<string, LedgerWrite>;
  readonly conversations: ReadonlyMap<string, ConversationRow>;
  /** Follows one commit. */
  follow(append: Append): void;
  epochOf(conversationId: string): number;
};

function contentOf(plain: PlainRow | undefined): Omit<Version, "digest"> {
  return { args: JSON.parse(plain?.args ?? "{}"), plan: JSON.parse(plain?.plan ?? "null") };
}

function propose(event: JournalRow, plain: PlainRow | undefined): LedgerWrite {
  const body = JSON.parse(event.body);
  const by = JSON.parse(event.by);
  return {
    id: event.writeId,
    conversationId: body.conversationId,
    tool: body.tool,
    agent: by.kind === "agent" ? by.ref : null,
    key: plain?.idempotencyKey ?? "",
    confirmation: body.confirmation,
    principal: body.principal,
    // A tool that needs no confirmation is as good as confirmed.
    state: body.confirmation === "none" ? "confirmed" : "proposed",
    version: { number: body.version, digest: body.digest, ...contentOf(plain) },
    expiresAt: body.expiresAt,
    confirmed: null,
    everConfirmed: new Set(),
    attempts: 0,
    settledBy: null,
    history: [{ state: "proposed", version: body.version, digest: body.digest, principal: body.principal }],
  };
}

export function ledger(blame: Blame, inspect: Inspect): Ledger {
  const writes = new Map<string, LedgerWrite>();
  const byKey = new Map<string, LedgerWrite>();
  const conversations = new Map<string, ConversationRow>();

  function begin(event: JournalRow, plain: PlainRow | undefined): void {
    const write = propose(event, plain);
    if (write.key === "" || byKey.has(write.key)) blame(4, `write ${write.id} has no key of its own`);
    const { principal, conversationId } = write;
    const epoch = conversations.get(conversationId)?.epoch ?? 0;
    if (principal.kind === "customer" && principal.epoch !== epoch)
      blame(8, `${write.id} was proposed to whoever was there in epoch ${principal.epoch}; it is ${epoch}`);
    writes.set(write.id, write);
    byKey.set(write.key, write);
  }

  function step(write: LedgerWrite, event: JournalRow, plain: PlainRow | undefined): void {
    const body: Body = JSON.parse(event.body);
    if (event.seq !== write.history.length + 1) blame(7, `${write.id}: event ${event.seq} is out of order`);
    inspect(write, event, body);
    const after = steps[write.state]?.[event.type];
    if (event.type !== "contradicted") {
      if (isFinalState(write.state)) blame(7, `${write.id} was ${write.state}, and then "${event.type}"`);
      else if (after === undefined) blame(1, `${write.id} was ${write.state}, and then "${event.type}"`);
      else if (after !== "=") write.state = after === "*" ? (body.outcome ?? "") : after;
    }
    if (event.type === "edited" || event.type === "rebound" || event.type === "drifted") {
      const { version = 0, digest = "", principal = write.principal } = body;
      write.version = { number: version, digest, ...contentOf(plain) };
      write.principal = principal;
      write.confirmed = null;
    }
    if (body.expiresAt !== undefined) write.expiresAt = body.expiresAt;
    if (event.type === "confirmed") {
      write.confirmed = { version: body.version ?? 0, digest: body.digest ?? "" };
      write.everConfirmed.add(body.digest ?? "");
    }
    if (event.type === "started") write.attempts = body.attempt ?? 0;
    if (body.outcome !== undefined && event.type !== "contradicted")
      write.settledBy = body.reason ?? event.type;
    const shown = write.state === "confirmed" ? "running" : write.state;
    const { number: version, digest } = write.version;
    write.history.push({ state: shown, version, digest, principal: write.principal });
  }

  return {
    writes,
    byKey,
    conversations,
    epochOf: (id) => conversations.get(id)?.epoch ?? 0,
    follow(append) {
      for (const row of append.conversations) conversations.set(row.id, row);
      for (const { events, plains } of append.writes) {
        for (const event of events) {
          const plain = plains.find(({ seq }) => seq === event.seq);
          const write = writes.get(event.writeId);
          if (write) step(write, event, plain);
          else begin(event, plain);
        }
      }
      for (const { row } of append.writes) {
        const open = [...writes.values()].filter(
          ({ conversationId, tool, state }) =>
            conversationId === row.conversationId && isOpenState(tool, state),
        );
        if (open.length > 1) blame(3, `${row.conversationId} has ${open.map(({ id }) => id).join(" and ")}`);
      }
    },
  };
}
