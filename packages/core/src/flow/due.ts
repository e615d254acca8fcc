import type { Instant } from "../base/clock.ts";
import type { WriteRow } from "../ports/store.ts";
import { isOpen, type Write } from "./write.ts";

/** When something about this write is next due; null when nothing is. It follows from the state alone. */
export function dueAt(write: Write): Instant | null {
  switch (write.state) {
    case "proposed":
      return write.expiresAt;
    case "running":
      return write.leaseUntil;
    case "awaiting_verification":
      return write.until;
    case "pending":
    case "unknown":
      return write.nextCheckAt;
    default:
      return null;
  }
}

/** True when only a person can help: nothing is due any more and the outcome is open, or evidence contradicts the record. */
export function needsAttention(write: Write): boolean {
  const undetermined = write.state === "unknown" || write.state === "pending";
  return (
    write.contradicted ||
    (undetermined && write.nextCheckAt === null) ||
    ("valueWithheld" in write && write.valueWithheld)
  );
}

function settledAtOf(write: Write): Instant | null {
  return "settledAt" in write && write.state !== "pending" && write.state !== "unknown"
    ? write.settledAt
    : null;
}

/** The derived row of a write, as lists and locks need it. */
export function rowOf(write: Write): WriteRow {
  const { principal, proposedBy } = write;
  return {
    id: write.id,
    conversationId: write.conversationId,
    state: write.state,
    version: write.version,
    seq: write.seq,
    open: isOpen(write),
    tool: write.tool,
    toolVersion: write.toolVersion,
    epoch: principal.kind === "customer" ? principal.epoch : 0,
    customerRef: principal.kind === "customer" ? principal.customerRef : null,
    agent: proposedBy.kind === "agent" ? proposedBy.ref : null,
    attention: needsAttention(write),
    dueAt: dueAt(write),
    createdAt: write.createdAt,
    decidedAt: "decision" in write ? (write.decision?.at ?? null) : null,
    settledAt: settledAtOf(write),
  };
}
