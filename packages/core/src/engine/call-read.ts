import { canonical } from "../base/canonical.ts";
import type { JsonObject } from "../base/json.ts";
import { levelAsked } from "../flow/identity.ts";
import type { Refusal } from "../flow/refusal.ts";
import type { ReadTool } from "../tool/define.ts";
import { isOutcome, messageOf, type Outcome, outcomeKind } from "../tool/outcome.ts";
import { callWithin, customerOf, tellFault } from "./author-call.ts";
import type { Call, ClientKey } from "./client-key.ts";
import type { CallAnswer } from "./engine.ts";
import type { Kernel } from "./kernel.ts";
import { presenceOf, readerOf } from "./presence.ts";

async function resultOf(tool: ReadTool, value: unknown): Promise<CallAnswer | Refusal> {
  const parsed = await tool.parseOutput(value).catch(() => ({ issues: [] }));
  if ("issues" in parsed) return { refused: "tool_failed" };
  return { kind: "result", tool: tool.name, result: parsed.value, replayed: false };
}

function answerOf(tool: ReadTool, value: unknown): Promise<CallAnswer | Refusal> | Refusal {
  if (!isOutcome(value)) return resultOf(tool, value);
  const outcome = value as Outcome<unknown>;
  switch (outcomeKind(outcome)) {
    case "applied":
      return resultOf(tool, (outcome as { value: unknown }).value);
    case "rejected": {
      const message = messageOf(outcome as { message: string });
      return { refused: "tool_failed", ...(message !== undefined && { message }) };
    }
    case "step_up_required": {
      const { level = null, maxAuthAgeSeconds } = outcome as Extract<Outcome<never>, { level?: unknown }>;
      return {
        refused: "verification_required",
        level: levelAsked({ level, maxAuthAgeSeconds: maxAuthAgeSeconds ?? null }),
        ...(maxAuthAgeSeconds !== undefined && { maxAuthAgeSeconds }),
      };
    }
    default:
      return { refused: "tool_failed" };
  }
}

async function run(
  kernel: Kernel,
  tool: ReadTool,
  args: JsonObject,
  conversationId: string,
): Promise<CallAnswer | Refusal> {
  const { conversation } = await kernel.store.readConversation(conversationId);
  const customer = await customerOf(kernel, conversationId, conversation?.customerRef ?? null);
  const ending = await callWithin(kernel, { what: "read", tool, writeId: null }, ({ signal }) =>
    tool.handler(args, { signal, secrets: kernel.secrets, customer, conversationId }),
  );
  tellFault(kernel, ending, `reading with tool "${tool.name}"`);
  if (ending.kind === "timed_out") return { refused: "tool_timed_out" };
  return ending.kind === "threw" ? { refused: "tool_failed" } : answerOf(tool, ending.value);
}

/** Runs a read tool; under a client's key at most one call at a time, and its answer is kept for repeats. */
export async function callRead(
  kernel: Kernel,
  tool: ReadTool,
  args: JsonObject,
  { conversationId }: Call,
  clientKey: ClientKey | undefined,
): Promise<CallAnswer | Refusal> {
  if (!clientKey) return run(kernel, tool, args, conversationId);
  const now = kernel.clock.now();
  const { conversation } = await kernel.store.readConversation(conversationId);
  const customerRef = readerOf(presenceOf(conversation));
  // The claim outlives the tool's timeout a little; when the process dies, the key is free again after that.
  const keepUntil = now + (tool.timeoutSeconds + 30) * 1000;
  const claimed = await kernel.store.claimKey(
    { ...clientKey, writeId: null, answer: null, customerRef, keepUntil },
    now,
  );
  // Whoever claimed it meanwhile may have another call, or an answer by now: the client asks again and is told.
  if (claimed !== "claimed") return { refused: "call_in_progress" };
  const { scope, key } = clientKey;
  // From the claim on an erasure takes the key along; before it, the claim is one of a customer who is gone.
  const { conversation: still } = await kernel.store.readConversation(conversationId);
  if (readerOf(presenceOf(still)) !== customerRef) {
    await kernel.store.releaseKey(scope, key);
    return { refused: "call_in_progress" };
  }
  let answer: CallAnswer | Refusal | undefined;
  try {
    answer = await run(kernel, tool, args, conversationId);
    return answer;
  } finally {
    if (answer && "kind" in answer && answer.kind === "result") {
      await kernel.store.answerKey(
        scope,
        key,
        canonical(answer.result),
        kernel.clock.now() + kernel.retention.keysMs,
      );
    } else {
      await kernel.store.releaseKey(scope, key);
    }
  }
}
