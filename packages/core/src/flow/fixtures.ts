import type { FrozenCard } from "../card/model.ts";
import { apply } from "./apply.ts";
import { bindContent, type Content } from "./content.ts";
import type { By, JournalEvent } from "./events.ts";
import { sealEvents } from "./journal.ts";
import { type Command, rule } from "./machine.ts";
import type { Finding } from "./outcome.ts";
import type { CustomerPrincipal, Principal } from "./principal.ts";
import type { Propose } from "./propose.ts";
import type { Write, WriteIn } from "./write.ts";

/** The first instant of these stories; proposals expire {@link lifeMs} after it. */
export const start = 1_796_000_000_000;
export const lifeMs = 900_000;

export const salt: string = "5".repeat(32);
export const bot: By = { kind: "agent", ref: "bot" };
export const anaBy: By = { kind: "customer", ref: "cu_ana" };
export const ana: CustomerPrincipal = {
  kind: "customer",
  conversationId: "c-1",
  epoch: 1,
  customerRef: "cu_ana",
};

const card: FrozenCard = {
  tool: "cancel_order",
  risk: "standard",
  locale: "en",
  timeZone: "UTC",
  title: "Cancel this order?",
  description: null,
  fields: [],
  details: [],
  effects: [],
  warnings: [],
  reversible: null,
  confirmLabel: "Cancel order",
  declineLabel: "Keep order",
};

/** One version of the write, for these arguments and principal. */
export function contentOf(orderId = "A-1042", principal: Principal = ana): Content {
  return bindContent({
    tool: "cancel_order",
    toolVersion: "f".repeat(64),
    principal,
    plan: undefined,
    args: { orderId },
    card,
    salt,
  });
}

export function proposal(rest: Partial<Propose> = {}): Propose {
  return {
    type: "propose",
    at: start,
    by: bot,
    conversationId: "c-1",
    surface: "web",
    content: contentOf(),
    idempotencyKey: "key-1",
    expiresAt: start + lifeMs,
    confirmation: "required",
    whilePending: "allow",
    lead: null,
    ...rest,
  };
}

/** A journal and the write it folds to. */
export type Story = { readonly events: readonly JournalEvent[]; readonly write: Write };

/** Goes through these commands, each of which must lead to events. */
export function tell(...commands: readonly Command[]): Story {
  let events: readonly JournalEvent[] = [];
  let write: Write | undefined;
  for (const command of commands) {
    const ruling = rule(write, command);
    if (ruling.kind !== "events") throw new Error(`"${command.type}" came to ${JSON.stringify(ruling)}`);
    const tail = { writeId: "wr_1", seq: write?.seq ?? 0, head: write?.head ?? "0".repeat(64) };
    const sealed = sealEvents(tail, ruling.events, "at" in command ? command.at : start);
    write = sealed.events.reduce<Write | undefined>(apply, write);
    events = [...events, ...sealed.events];
  }
  if (!write) throw new Error("a story begins with a proposal");
  return { events, write };
}

/** A confirm of the first version, unless told otherwise. */
export function confirmOf(
  rest: Partial<Extract<Command, { type: "confirm" }>> = {},
): Extract<Command, { type: "confirm" }> {
  const lead = { kind: "start", leaseUntil: start + 60_000 } as const;
  const { digest } = contentOf();
  return { type: "confirm", at: start + 1, by: anaBy, surface: "web", version: 1, digest, lead, ...rest };
}

export function settleOf(
  finding: Finding,
  rest: Partial<Extract<Command, { type: "settle" }>> = {},
): Extract<Command, { type: "settle" }> {
  return {
    type: "settle",
    at: start + 2,
    attempt: 1,
    reason: "returned",
    finding,
    salt,
    nextCheckAt: start + 5_000,
    ...rest,
  };
}

export const findings: {
  readonly [Outcome in Finding["outcome"]]: Extract<Finding, { readonly outcome: Outcome }>;
} = {
  applied: { outcome: "applied", plain: { result: { status: "cancelled" } }, valueWithheld: false },
  not_applied: { outcome: "not_applied", plain: { message: "It has shipped." } },
  pending: { outcome: "pending", plain: { operationRef: "op-1" } },
  unknown: { outcome: "unknown" },
  step_up_required: { outcome: "step_up_required", level: "high", maxAuthAgeSeconds: 300 },
};

/** The shortest way into each state. */
export const ways: { readonly [State in Write["state"]]: readonly Command[] } = {
  proposed: [proposal()],
  running: [proposal(), confirmOf()],
  awaiting_verification: [proposal(), confirmOf(), settleOf(findings.step_up_required)],
  pending: [proposal(), confirmOf(), settleOf(findings.pending)],
  unknown: [proposal(), confirmOf(), settleOf(findings.unknown)],
  applied: [proposal(), confirmOf(), settleOf(findings.applied)],
  not_applied: [proposal(), confirmOf(), settleOf(findings.not_applied)],
  declined: [proposal(), { type: "decline", at: start + 1, by: anaBy, surface: "web" }],
  expired: [proposal(), { type: "expire", at: start + lifeMs }],
  withdrawn: [proposal(), { type: "withdraw", at: start + 1, by: bot, reason: undefined }],
  superseded: [
    proposal(),
    { type: "supersede", at: start + 1, by: { kind: "host", ref: null }, reason: "customer_changed" },
  ],
};

/** A write in this state. */
export function writeIn<State extends Write["state"]>(state: State): WriteIn<State> {
  const { write } = tell(...ways[state]);
  if (write.state !== state) throw new Error(`the way to "${state}" leads to "${write.state}"`);
  return write as WriteIn<State>;
}
