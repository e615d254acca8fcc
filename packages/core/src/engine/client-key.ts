import { canonical } from "../base/canonical.ts";
import { sha256 } from "../base/digest.ts";
import { IntegrityError } from "../base/errors.ts";
import type { Refusal } from "../flow/refusal.ts";
import type { Write } from "../flow/write.ts";
import type { AgentView, CallAnswer } from "./engine.ts";
import { load } from "./handle.ts";
import type { Kernel } from "./kernel.ts";
import { presenceOf, readerOf } from "./presence.ts";
import type { AgentWrite } from "./views.ts";

/** One call of an agent. */
export type Call = Parameters<AgentView["call"]>[0];

/** A client's key within its scope, with the fingerprint of what it was used for. */
export type ClientKey = { readonly scope: string; readonly key: string; readonly fingerprint: string };

/** The client's key of a call, if it has one. */
export function clientKeyOf(call: Call): ClientKey | undefined {
  if (call.idempotencyKey === undefined) return undefined;
  const { agent, conversationId, tool } = call;
  return {
    scope: canonical([agent, conversationId]),
    key: call.idempotencyKey,
    fingerprint: sha256(canonical({ tool, arguments: call.arguments })),
  };
}

/** The first answer of a key that was used before; "anew" when there is none to give; undefined when the key is free. */
export async function replay(
  kernel: Kernel,
  call: Call,
  { scope, key, fingerprint }: ClientKey,
  viewOf: (write: Write) => Promise<AgentWrite>,
): Promise<CallAnswer | Refusal | "anew" | undefined> {
  const row = await kernel.store.findKey(scope, key, kernel.clock.now());
  if (!row) return undefined;
  if (row.fingerprint !== fingerprint) return { refused: "idempotency_key_reused" };
  if (row.writeId !== null) {
    const write = await load(kernel, row.writeId);
    if (!write) throw new IntegrityError(`write ${row.writeId}: a key names it and it is gone`);
    return { kind: "write", write: await viewOf(write), created: false, replayed: true };
  }
  if (row.answer === null) return { refused: "call_in_progress" };
  const { conversation } = await kernel.store.readConversation(call.conversationId);
  // A former customer's answer is not for the present one: the read is made again and not kept.
  if (readerOf(presenceOf(conversation)) !== row.customerRef) return "anew";
  return { kind: "result", tool: call.tool, result: JSON.parse(row.answer), replayed: true };
}
