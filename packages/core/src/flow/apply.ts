import { IntegrityError, unreachable } from "../base/errors.ts";
import { extend } from "../base/extend.ts";
import type { FrozenCard } from "../card/model.ts";
import type { EventBodies, JournalEvent } from "./events.ts";
import type { Decision, Write, WriteIn } from "./write.ts";

type EventIn<Type extends JournalEvent["type"]> = Extract<JournalEvent, { readonly type: Type }>;

function propose(event: EventIn<"proposed">): Write {
  const { body, plain } = event;
  return {
    state: "proposed",
    id: event.writeId,
    conversationId: body.conversationId,
    seq: event.seq,
    head: event.hash,
    version: body.version,
    digest: body.digest,
    tool: body.tool,
    toolVersion: body.toolVersion,
    principal: body.principal,
    targets: body.targets,
    argsCommit: event.commits.args ?? "",
    salt: plain?.salt,
    proposedBy: event.by,
    surface: body.surface,
    confirmation: body.confirmation,
    whilePending: body.whilePending,
    createdAt: event.at,
    expiresAt: body.expiresAt,
    extensions: 0,
    attempts: 0,
    stepUps: 0,
    contradicted: false,
    undelivered: null,
    idempotencyKey: plain?.idempotencyKey,
    args: plain?.args,
    card: plain?.card,
    plan: plain?.plan,
    firstCard: plain?.card,
    previous: undefined,
  };
}

function nextVersion(
  write: Write,
  event: EventIn<"edited" | "rebound" | "drifted">,
  previous: { readonly card: FrozenCard | undefined; readonly by: "customer" | "drift" } | undefined,
): Write {
  const { body, plain } = event;
  return become(write, event, {
    state: "proposed",
    version: body.version,
    digest: body.digest,
    tool: body.tool,
    toolVersion: body.toolVersion,
    principal: body.principal,
    targets: body.targets,
    expiresAt: body.expiresAt,
    argsCommit: event.commits.args ?? "",
    salt: plain?.salt,
    args: plain?.args,
    card: plain?.card,
    plan: plain?.plan,
    undelivered: null,
    previous,
  });
}

/** The members that hold in every state, without those of the state that is left, as of one more event. */
function identityOf(write: Write, event: JournalEvent): Omit<WriteIn<"proposed">, "state"> {
  return {
    id: write.id,
    conversationId: write.conversationId,
    seq: event.seq,
    head: event.hash,
    version: write.version,
    digest: write.digest,
    tool: write.tool,
    toolVersion: write.toolVersion,
    principal: write.principal,
    targets: write.targets,
    argsCommit: write.argsCommit,
    salt: write.salt,
    proposedBy: write.proposedBy,
    surface: write.surface,
    confirmation: write.confirmation,
    whilePending: write.whilePending,
    createdAt: write.createdAt,
    expiresAt: write.expiresAt,
    extensions: write.extensions,
    attempts: write.attempts,
    stepUps: write.stepUps,
    contradicted: write.contradicted,
    undelivered: write.undelivered,
    idempotencyKey: write.idempotencyKey,
    args: write.args,
    card: write.card,
    plan: write.plan,
    firstCard: write.firstCard,
    previous: write.previous,
  };
}

/** The write in another state: what holds in every state, and what holds in this one. */
function become<const More extends object>(
  write: Write,
  event: JournalEvent,
  more: More,
): ReturnType<typeof identityOf> & More {
  // Into the new object itself: see `extend` for why this is no spread.
  return Object.assign(identityOf(write, event), more);
}

function decisionOf(kind: Decision["kind"], event: EventIn<"confirmed" | "declined">): Decision {
  const { version, digest, surface } = event.body;
  return { kind, at: event.at, version, digest, surface };
}

/** What is known of the run so far, whatever the state. */
function ranOf(write: Write): {
  decision: Decision | null;
  attempt: number;
  checks: number;
} {
  return {
    decision: "decision" in write ? write.decision : null,
    attempt: "attempt" in write ? write.attempt : 0,
    checks: "checks" in write ? write.checks : 0,
  };
}

type Settling = Pick<EventBodies["settled"], "outcome"> & Partial<EventBodies["settled"]>;

function settle(write: Write, event: EventIn<"settled" | "resolved">): Write {
  const body: Settling = event.body;
  const outcome = event.plain?.outcome;
  const { decision, attempt, checks } = ranOf(write);
  const ran = { decision, attempt, settledAt: event.at };
  const message = outcome?.message ?? null;
  switch (body.outcome) {
    case "applied": {
      const { valueWithheld = false } = body;
      return become(write, event, {
        state: "applied",
        ...ran,
        result: outcome?.result ?? null,
        valueWithheld,
      });
    }
    case "not_applied":
      return become(write, event, { state: "not_applied", ...ran, message });
    case "pending":
    case "unknown": {
      const before = "operationRef" in write ? write.operationRef : null;
      return become(write, event, {
        state: body.outcome,
        ...ran,
        checks: body.reason === "status_check" ? checks + 1 : checks,
        nextCheckAt: body.nextCheckAt ?? null,
        operationRef: outcome?.operationRef ?? before,
        message,
      });
    }
    default:
      return unreachable(body.outcome);
  }
}

function end(write: Write, event: JournalEvent, reason: string | null): Write {
  const state = event.type as "expired" | "withdrawn" | "superseded";
  return become(write, event, { state, endedAt: event.at, reason });
}

function step(write: Write, event: JournalEvent): Write {
  const at = { seq: event.seq, head: event.hash };
  switch (event.type) {
    case "proposed":
      throw new IntegrityError(`write ${write.id}: a second "proposed" at seq ${event.seq}`);
    case "presented":
      return extend(write, { ...at, undelivered: null });
    case "undelivered":
      return extend(write, { ...at, undelivered: event.body.reason });
    case "edited":
      return nextVersion(write, event, { card: write.card, by: "customer" });
    case "rebound":
      return nextVersion(write, event, undefined);
    case "drifted":
      return nextVersion(write, event, { card: write.card, by: "drift" });
    case "extended":
      return extend(write, { ...at, expiresAt: event.body.expiresAt, extensions: write.extensions + 1 });
    case "confirmed": {
      // Only ever followed, in the same append, by what it leads to: started or settled.
      const decision = decisionOf("confirm", event);
      return become(write, event, {
        state: "running",
        decision,
        attempt: 0,
        checks: 0,
        leaseUntil: event.at,
      });
    }
    case "started": {
      const { attempt, leaseUntil } = event.body;
      const ran = ranOf(write);
      return become(
        write,
        event,
        extend(ran, {
          state: "running" as const,
          // Running again what is unknown is a way of asking, and counts as one.
          checks: write.state === "unknown" ? ran.checks + 1 : ran.checks,
          attempt,
          attempts: attempt,
          leaseUntil,
        }),
      );
    }
    case "declined":
      return become(write, event, { state: "declined", decision: decisionOf("decline", event) });
    case "withdrawn":
      return end(write, event, event.plain?.outcome?.note ?? null);
    case "expired":
      return end(write, event, null);
    case "superseded":
      return end(write, event, event.body.reason);
    case "step_up_required": {
      const { level, maxAuthAgeSeconds, until, round } = event.body;
      const { checks: _, ...ran } = ranOf(write);
      const stepUp = { level, maxAuthAgeSeconds, askedAt: event.at };
      return become(
        write,
        event,
        extend(ran, { state: "awaiting_verification" as const, stepUps: round, stepUp, until }),
      );
    }
    case "verified":
      return extend(write, at);
    case "settled":
    case "resolved":
      return settle(write, event);
    case "checked": {
      if (write.state !== "pending" && write.state !== "unknown") {
        throw new IntegrityError(`write ${write.id}: "checked" at seq ${event.seq} while ${write.state}`);
      }
      return extend(write, { ...at, checks: event.body.check, nextCheckAt: event.body.nextCheckAt });
    }
    case "erased":
      return extend(write, at);
    case "contradicted":
      return extend(write, { ...at, contradicted: true });
    default:
      return unreachable(event);
  }
}

/** The write after one more event. Pure; throws when the event cannot follow, which only a damaged journal makes. */
export function apply(write: Write | undefined, event: JournalEvent): Write {
  if (event.seq !== (write?.seq ?? 0) + 1) {
    throw new IntegrityError(`write ${event.writeId}: event ${event.seq} follows ${write?.seq ?? 0}`);
  }
  if (!write) {
    if (event.type === "proposed") return propose(event);
    throw new IntegrityError(`write ${event.writeId}: the journal begins with "${event.type}"`);
  }
  return step(write, event);
}

/** Folds a whole journal. */
export function replay(events: readonly JournalEvent[]): Write {
  const write = events.reduce<Write | undefined>(apply, undefined);
  if (!write) throw new IntegrityError("an empty journal is no write");
  return write;
}
