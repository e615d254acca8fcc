import type { Json } from "../base/json.ts";
import { type Finding, isRerun } from "../flow/outcome.ts";
import type { Write } from "../flow/write.ts";
import type { WriteTool } from "../tool/define.ts";
import {
  isOperationRef,
  isOutcome,
  messageOf,
  OperationRefError,
  type Outcome,
  outcomeKind,
  stepUpRequired,
} from "../tool/outcome.ts";
import type { Ending } from "./author-call.ts";
import { splitOneTime } from "./handouts.ts";

async function readFinding(tool: WriteTool, value: unknown): Promise<Finding> {
  if (!isOutcome(value)) return appliedFinding(tool, value);
  const outcome = value as Outcome<unknown>;
  switch (outcomeKind(outcome)) {
    case "applied":
      return appliedFinding(tool, (outcome as { value: unknown }).value);
    case "rejected": {
      const message = messageOf(outcome as { message: string });
      return { outcome: "not_applied", plain: message === undefined ? {} : { message } };
    }
    case "pending": {
      const { operationRef } = outcome as { operationRef: string };
      if (!isOperationRef(operationRef)) return { outcome: "unknown", reason: "invalid_operation_ref" };
      const message = messageOf(outcome as { message?: string });
      return { outcome: "pending", plain: { operationRef, ...(message !== undefined && { message }) } };
    }
    case "step_up_required": {
      const { level, maxAuthAgeSeconds } = stepUpRequired(
        outcome as Extract<Outcome<never>, { level?: unknown }>,
      );
      return {
        outcome: "step_up_required",
        level: level ?? null,
        maxAuthAgeSeconds: maxAuthAgeSeconds ?? null,
      };
    }
    default:
      return { outcome: "unknown", reason: "invalid_outcome" };
  }
}

/** What an author's answer says. An outcome that is not one after all says nothing: it was called, so that is unknown. */
export function findingOf(tool: WriteTool, value: unknown): Promise<Finding> {
  return readFinding(tool, value).catch(() => ({ outcome: "unknown", reason: "invalid_outcome" }));
}

/** What a handler's throw says: nothing, unless it tells where it begins to write and was not there yet. */
function findingOfThrow(tool: WriteTool, write: Write, begun: boolean, error: unknown): Finding {
  if (error instanceof OperationRefError) return { outcome: "unknown", reason: "invalid_operation_ref" };
  if (!tool.marksWriting || begun || isRerun(write)) return { outcome: "unknown" };
  return { outcome: "not_applied", plain: {} };
}

// Of a result's text, in UTF-8. A larger one would make every read of its write slow.
const resultBytes = 256 * 1024;

function isTooLarge(result: Json): boolean {
  // As long as the canonical text, which takes five times as long to make.
  const text = JSON.stringify(result);
  return text.length > resultBytes || Buffer.byteLength(text, "utf8") > resultBytes;
}

async function appliedFinding(tool: WriteTool, value: unknown): Promise<Finding> {
  // The change happened whatever the value looks like: a bad value is withheld, not a reason to doubt the change. A
  // schema that throws is no reason either.
  const parsed = await tool.parseOutput(value).catch(() => ({ issues: [] }));
  if ("issues" in parsed) return { outcome: "applied", plain: {}, valueWithheld: true };
  const { kept, oneTime } = splitOneTime(parsed.value, tool.oneTime);
  const valueWithheld = isTooLarge(kept);
  return { outcome: "applied", plain: valueWithheld ? {} : { result: kept }, valueWithheld, oneTime };
}

/** How far a handler came: whether it was called at all, and whether it said that it begins to write. */
export type Progress = { readonly called: boolean; readonly begun: boolean };

/** What the end of a run says. */
export async function findingOfRun(
  tool: WriteTool,
  write: Write,
  ending: Ending,
  { called, begun }: Progress,
): Promise<Finding> {
  // Nothing was called, so nothing was changed; except by a run before this one, of which nobody knows.
  if (!called) return isRerun(write) ? { outcome: "unknown" } : { outcome: "not_applied", plain: {} };
  if (ending.kind === "timed_out") return { outcome: "unknown" };
  if (ending.kind === "threw") return findingOfThrow(tool, write, begun, ending.error);
  const finding = await findingOf(tool, ending.value);
  // It says that nothing was applied, and had said before that it begins to apply.
  if (finding.outcome === "step_up_required" && begun)
    return { outcome: "unknown", reason: "step_up_after_write" };
  return finding;
}
