import type { JsonObject } from "../base/json.ts";
import { sameJson } from "../base/json.ts";
import { type Command, rule } from "../flow/machine.ts";
import { belongsTo, type Presence } from "../flow/principal.ts";
import type { Refusal } from "../flow/refusal.ts";
import type { Write } from "../flow/write.ts";
import type { ConversationRow } from "../ports/store.ts";
import type { Tool, WriteTool } from "../tool/define.ts";
import { type Step, stepOf } from "./handle.ts";
import type { Kernel } from "./kernel.ts";

/** Refuses a tool that needs a verified customer where nobody is verified. */
export function refuseUnverified(tool: Tool, conversation: ConversationRow | undefined): Refusal | undefined {
  const verified = conversation !== undefined && conversation.customerRef !== null;
  return tool.customer === "any" || verified ? undefined : { refused: "verification_required", level: "low" };
}

/** What stands in a proposal's way, or lets it through: a proposal to end with it, the same one again, a refusal. */
export type Met = { readonly end: Step } | { readonly same: Write } | Refusal;

/**
 * Looks at the conversation's open write for somebody who wants to propose. `isTheirs`: whether a proposal is this
 * somebody's own; of others only the fact that they are in the way is told.
 */
export function meetOpenWrite(
  kernel: Kernel,
  open: Write,
  proposal: { readonly tool: WriteTool; readonly args: JsonObject; readonly presence: Presence },
  isTheirs: (open: Write) => boolean,
): Met {
  const { tool, args, presence } = proposal;
  const at = kernel.clock.now();
  const ends: Command[] = [{ type: "expire", at }];
  // Whoever changed the customer was cut off before it could end what waited for the former one.
  if (open.principal.kind === "customer" && open.principal.epoch < presence.epoch)
    ends.push({ type: "supersede", at, by: { kind: "system", ref: null }, reason: "customer_changed" });
  for (const command of ends) {
    const ruling = rule(open, command);
    if (ruling.kind === "events") return { end: stepOf(kernel, open.id, open, ruling.events) };
  }
  const own = belongsTo(open.principal, presence) && isTheirs(open);
  const same = open.state === "proposed" && open.tool === tool.name && open.args && sameJson(open.args, args);
  if (own && same) return { same: open };
  return { refused: "write_in_progress", writeId: open.id, state: open.state };
}
