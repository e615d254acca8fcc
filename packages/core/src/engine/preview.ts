import type { Instant } from "../base/clock.ts";
import { deepFreeze, type JsonObject } from "../base/json.ts";
import { hasDrifted } from "../flow/drift.ts";
import type { SettleReason } from "../flow/events.ts";
import { levelAsked } from "../flow/identity.ts";
import { settledEvent } from "../flow/outcome.ts";
import type { Principal } from "../flow/principal.ts";
import type { Lead } from "../flow/propose.ts";
import type { Refusal } from "../flow/refusal.ts";
import type { Write } from "../flow/write.ts";
import { checkPlan } from "../tool/check-plan.ts";
import type { WriteTool } from "../tool/define.ts";
import { isOutcome, messageOf, type Outcome, outcomeKind, stepUpRequired } from "../tool/outcome.ts";
import type { CheckedPlan } from "../tool/plan.ts";
import { callWithin, customerOf, tellFault } from "./author-call.ts";
import { type Kernel, leaseUntil } from "./kernel.ts";

/** What came of looking at what a write would do. A tool without preview has a plan that is undefined. */
export type Previewed =
  | { readonly kind: "plan"; readonly plan: CheckedPlan | undefined }
  | { readonly kind: "noop" }
  | { readonly kind: "rejected"; readonly message: string }
  | { readonly kind: "step_up"; readonly refusal: Refusal }
  | { readonly kind: "unavailable" };

const unavailable: Previewed = { kind: "unavailable" };

function readOutcome(outcome: Outcome<unknown>): Previewed {
  switch (outcomeKind(outcome)) {
    case "rejected":
      return { kind: "rejected", message: messageOf(outcome as { message: string }) ?? "" };
    case "step_up_required": {
      const { level = null, maxAuthAgeSeconds } = stepUpRequired(
        outcome as Extract<Outcome<never>, { level?: unknown }>,
      );
      const refusal: Refusal = {
        refused: "verification_required",
        level: levelAsked({ level, maxAuthAgeSeconds: maxAuthAgeSeconds ?? null }),
        ...(maxAuthAgeSeconds !== undefined && { maxAuthAgeSeconds }),
      };
      return { kind: "step_up", refusal };
    }
    default:
      throw new TypeError("a preview returns a plan, rejected(message) or stepUpRequired(need)");
  }
}

/**
 * Looks at what a write would do: reads only, outside of any transaction, within the tool's `timeoutSeconds`. The same for a
 * proposal, an edit and a confirm. `validSeconds`: how long what is found is to stand.
 */
export async function previewWrite(
  kernel: Kernel,
  tool: WriteTool,
  write: {
    readonly args: JsonObject;
    readonly conversationId: string;
    readonly principal: Principal;
    readonly validSeconds: number;
  },
): Promise<Previewed> {
  const { preview } = tool;
  if (!preview) return { kind: "plan", plan: undefined };
  const { args, conversationId, principal } = write;
  // Whole seconds, so that a bound that counts them reads as a number.
  const validSeconds = Math.ceil(write.validSeconds);
  const madeAt = kernel.clock.now();
  const customerRef = principal.kind === "customer" ? principal.customerRef : null;
  const customer = await customerOf(kernel, conversationId, customerRef);
  const during = `previewing a write of tool "${tool.name}"`;
  const ending = await callWithin(kernel, { what: "preview", tool, writeId: null }, (controller) =>
    preview(deepFreeze(args), {
      get signal() {
        return controller.signal;
      },
      secrets: kernel.secrets,
      customer,
      conversationId,
    }),
  );
  tellFault(kernel, ending, during);
  if (ending.kind !== "returned") return unavailable;
  try {
    if (isOutcome(ending.value)) return readOutcome(ending.value);
    const plan = checkPlan(tool.name, ending.value, { madeAt, validSeconds });
    return plan === "noop" ? { kind: "noop" } : { kind: "plan", plan: deepFreeze(plan) };
  } catch (error) {
    // What the author's preview said cannot be shown, so it counts as not said.
    kernel.report(error, during);
    return unavailable;
  }
}

/** Why a preview ends a proposal or an edit before anything is stored; undefined where it may go on or has nothing to do. */
export function refusalOf(previewed: Previewed, unavailableAs: Refusal): Refusal | undefined {
  switch (previewed.kind) {
    case "rejected":
      return { refused: "preview_failed", message: previewed.message };
    case "step_up":
      return previewed.refusal;
    case "unavailable":
      return unavailableAs;
    default:
      return undefined;
  }
}

/** The end of a write whose preview, made again, refused or found nothing left to do: nothing was called, so nothing changed. */
function skip(kernel: Kernel, reason: SettleReason, message: string | undefined): Lead {
  return {
    kind: "skip",
    settled: settledEvent(
      { outcome: "not_applied", plain: message === undefined ? {} : { message } },
      { attempt: 0, reason, salt: kernel.random.salt(), nextCheckAt: null },
    ),
  };
}

/** What a decision leads to: a run, or (where writes do not run) an end that names the mode. */
export function leadFor(kernel: Kernel, tool: WriteTool): Lead {
  if (kernel.mode === "live") return { kind: "start", leaseUntil: leaseUntil(kernel, tool) };
  return skip(
    kernel,
    "mode",
    `This system runs in "${kernel.mode}" mode: writes are recorded and never run.`,
  );
}

/** Whether a write that is about to run may: what that leads to, the plan it has drifted to, or why nobody can tell. */
export type Recheck =
  | { readonly kind: "lead"; readonly lead: Lead }
  | { readonly kind: "drifted"; readonly plan: CheckedPlan | undefined }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** Compares what a write would do now with what its version was shown with. */
export function recheck(kernel: Kernel, tool: WriteTool, write: Write, previewed: Previewed): Recheck {
  switch (previewed.kind) {
    case "plan": {
      const at: Instant = previewed.plan?.madeAt ?? kernel.clock.now();
      return hasDrifted(write.plan, previewed.plan, at)
        ? { kind: "drifted", plan: previewed.plan }
        : { kind: "lead", lead: leadFor(kernel, tool) };
    }
    case "noop":
      return { kind: "lead", lead: skip(kernel, "noop", undefined) };
    case "rejected":
      return { kind: "lead", lead: skip(kernel, "preview_rejected", previewed.message) };
    case "step_up":
      return { kind: "refused", refusal: previewed.refusal };
    case "unavailable":
      return { kind: "refused", refusal: { refused: "preview_unavailable" } };
  }
}
