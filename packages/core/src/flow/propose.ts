import { canonical } from "../base/canonical.ts";
import type { Instant } from "../base/clock.ts";
import { commit } from "../base/digest.ts";
import { extend } from "../base/extend.ts";
import type { Content } from "./content.ts";
import type { By, DraftEvent, EventBodies, Surface } from "./events.ts";
import { happen, type Ruling } from "./ruling.ts";

/** The members that every new version of a write records. */
export function versionBody(content: Content, version: number, expiresAt: Instant): EventBodies["rebound"] {
  const { digest, tool, toolVersion, principal, targets } = content;
  return { version, digest, tool, toolVersion, principal, targets, expiresAt };
}

/** An agent's (or operator's) call of a write tool. */
export type Propose = {
  readonly type: "propose";
  readonly at: Instant;
  readonly by: By;
  readonly conversationId: string;
  readonly surface: Surface;
  readonly content: Content;
  readonly idempotencyKey: string;
  readonly expiresAt: Instant;
  readonly confirmation: "required" | "none";
  readonly whilePending: "block" | "allow";
  /** For a tool without confirmation: what its proposal leads to at once. */
  readonly lead: Lead | null;
};

/** What follows a decision (or a proposal that needs none): a run, or an end without one. */
export type Lead =
  | { readonly kind: "start"; readonly leaseUntil: Instant }
  | { readonly kind: "skip"; readonly settled: DraftEvent };

/** The `started` event of one attempt, or the settlement that stands in its place. */
export function leadEvent(
  lead: Lead,
  run: { version: number; attempt: number; argsCommit: string },
): DraftEvent {
  if (lead.kind === "skip") return lead.settled;
  return {
    type: "started",
    by: { kind: "system", ref: null },
    body: { ...run, leaseUntil: lead.leaseUntil },
  };
}

/** Whether another write is open is the store's to say; what may be proposed at all was checked at the door. */
export function propose(command: Propose): Ruling {
  const { content, conversationId, surface, confirmation, whilePending } = command;
  const proposed: DraftEvent = {
    type: "proposed",
    by: command.by,
    body: extend(versionBody(content, 1, command.expiresAt), {
      conversationId,
      surface,
      confirmation,
      whilePending,
      keyCommit: commit(content.plain.salt, canonical(command.idempotencyKey)),
    }),
    plain: { ...content.plain, idempotencyKey: command.idempotencyKey },
  };
  if (!command.lead) return happen(proposed);
  return happen(
    proposed,
    leadEvent(command.lead, { version: 1, attempt: 1, argsCommit: content.plain.args.commit }),
  );
}
