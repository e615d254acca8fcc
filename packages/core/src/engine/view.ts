import { IntegrityError } from "../base/errors.ts";
import { extend } from "../base/extend.ts";
import type { Json } from "../base/json.ts";
import { changesBetween } from "../card/changes.ts";
import { agentMessage, undeliveredMessage } from "../card/messages.ts";
import type { Card, CardChange, FrozenCard, Receipt } from "../card/model.ts";
import { composeReceipt } from "../card/receipt.ts";
import { needsAttention } from "../flow/due.ts";
import type { Write } from "../flow/write.ts";
import { type Kernel, timeText, timeTextOrNull, writeToolOf } from "./kernel.ts";
import type { AgentWrite, OperatorWrite } from "./views.ts";

function cardOf(write: Write): FrozenCard {
  if (!write.card) throw new IntegrityError(`write ${write.id}: its card was erased`);
  return write.card;
}

function decidedAtOf(write: Write): number | null {
  return "decision" in write ? (write.decision?.at ?? null) : null;
}

function settledAtOf(write: Write): number | null {
  return write.state === "applied" || write.state === "not_applied" ? write.settledAt : null;
}

function messageOf(write: Write): string | null {
  return "message" in write ? write.message : null;
}

function nextCheckOf(write: Write): string | null {
  return "nextCheckAt" in write ? timeTextOrNull(write.nextCheckAt) : null;
}

function reasonOf(write: Write): string | null {
  return "reason" in write ? write.reason : null;
}

function outcomeOf(write: Write): Receipt["outcome"] | undefined {
  switch (write.state) {
    case "applied":
    case "not_applied":
    case "pending":
    case "unknown":
    case "declined":
      return write.state;
    default:
      return undefined;
  }
}

/** What happened, as told to the customer; null while there is nothing to tell. */
export function receiptOf(kernel: Kernel, write: Write): Receipt | null {
  const outcome = outcomeOf(write);
  if (!outcome || !write.card) return null;
  return composeReceipt(writeToolOf(kernel, write.tool)?.presentation, {
    writeId: write.id,
    outcome,
    card: write.card,
    args: write.args ?? {},
    result: write.state === "applied" && !write.valueWithheld ? write.result : undefined,
    message: messageOf(write),
    settledAt: timeTextOrNull(settledAtOf(write) ?? (write.state === "declined" ? write.decision.at : null)),
  });
}

function changesOf(write: Write): readonly CardChange[] {
  const { previous, card } = write;
  return previous?.card && card ? changesBetween(previous.card, card, previous.by) : [];
}

/** The customer's card of a write as it stands. */
export function toCard(kernel: Kernel, write: Write): Card {
  const tool = writeToolOf(kernel, write.tool);
  const frozen = cardOf(write);
  // Member by member: copied with `extend` it takes fifty times as long, and a card is made at every step.
  const card: Card = {
    tool: frozen.tool,
    risk: frozen.risk,
    locale: frozen.locale,
    timeZone: frozen.timeZone,
    title: frozen.title,
    description: frozen.description,
    fields: frozen.fields,
    details: frozen.details,
    effects: frozen.effects,
    warnings: frozen.warnings,
    reversible: frozen.reversible,
    confirmLabel: frozen.confirmLabel,
    declineLabel: frozen.declineLabel,
    writeId: write.id,
    version: write.version,
    seq: write.seq,
    digest: write.digest,
    state: write.state,
    reason: reasonOf(write),
    createdAt: timeText(write.createdAt),
    expiresAt: timeText(write.expiresAt),
    canExtend: write.state === "proposed" && write.extensions < (tool?.extend?.times ?? 0),
    decidedAt: timeTextOrNull(decidedAtOf(write)),
    nextCheckAt: nextCheckOf(write),
    changes: changesOf(write),
    receipt: receiptOf(kernel, write),
  };
  if (write.state !== "awaiting_verification") return card;
  const { level, maxAuthAgeSeconds } = write.stepUp;
  const verifyUrl = kernel.verifyUrl(write.id, write.conversationId);
  return extend(card, { stepUp: { level, maxAuthAgeSeconds, until: timeText(write.until), verifyUrl } });
}

function changedByCustomer(write: Write): AgentWrite["changedByCustomer"] {
  if (!write.firstCard || !write.card || write.version === 1) return [];
  return changesBetween(write.firstCard, write.card, "customer").map(({ label, from, to }) => ({
    label,
    from,
    to,
  }));
}

/** What an agent may see. `own` is false once the conversation has another customer: then only the bare state is told. */
export function toAgentWrite(write: Write, own: boolean): AgentWrite {
  const told = own ? messageOf(write) : null;
  const undelivered = own && write.state === "proposed" ? write.undelivered : null;
  const state = undelivered === null ? agentMessage(write.state) : undeliveredMessage(undelivered);
  const result: Json = own && write.state === "applied" ? write.result : null;
  return {
    id: write.id,
    conversationId: write.conversationId,
    tool: write.tool,
    state: write.state,
    version: write.version,
    seq: write.seq,
    message: told === null || told === "" ? state : `${state} ${told}`,
    result,
    changedByCustomer: own ? changedByCustomer(write) : [],
    undelivered: own ? write.undelivered : null,
    createdAt: timeText(write.createdAt),
    expiresAt: timeText(write.expiresAt),
    decidedAt: timeTextOrNull(decidedAtOf(write)),
    settledAt: timeTextOrNull(settledAtOf(write)),
  };
}

/** What an operator sees. */
export function toOperatorWrite(write: Write): OperatorWrite {
  return extend(toAgentWrite(write, true), {
    digest: write.digest,
    surface: "decision" in write ? (write.decision?.surface ?? null) : null,
    attempts: write.attempts,
    checks: "checks" in write ? write.checks : 0,
    nextCheckAt: nextCheckOf(write),
    needsAttention: needsAttention(write),
    reason: reasonOf(write),
    operationRef: "operationRef" in write ? write.operationRef : null,
    customerRef: write.principal.kind === "customer" ? write.principal.customerRef : null,
  });
}
