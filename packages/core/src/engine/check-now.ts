import type { Refusal } from "../flow/refusal.ts";
import type { Write } from "../flow/write.ts";
import { load } from "./handle.ts";
import { type Kernel, writeToolOf } from "./kernel.ts";
import { holdMs } from "./worker.ts";

/** Why a write cannot be asked about now; undefined when it can. */
function whyNot(kernel: Kernel, write: Write): Refusal | undefined {
  if (write.state !== "unknown" && write.state !== "pending")
    return { refused: "not_resolvable", state: write.state };
  return writeToolOf(kernel, write.tool)?.status ? undefined : { refused: "not_checkable", tool: write.tool };
}

/**
 * Asks a tool's status handler about a write because a person wants to know now. It takes the same hold as the automatic
 * checks, so that there is one check of a write at a time over all processes; it is none of them and does not move them.
 */
export async function checkNow(
  kernel: Kernel,
  { writeId, operator }: { readonly writeId: string; readonly operator: string },
): Promise<Write | Refusal> {
  const first = await load(kernel, writeId);
  if (!first) return { refused: "not_found" };
  const refused = whyNot(kernel, first);
  if (refused) return refused;
  const now = kernel.clock.now();
  const leaseMs = holdMs(kernel);
  if (!(await kernel.store.holdWrite({ writeId, now, leaseMs })))
    return { refused: "check_in_progress", writeId };
  try {
    // Whoever held it before may have found out.
    const write = await load(kernel, writeId);
    if (!write) return { refused: "not_found" };
    if (write.state !== "unknown" && write.state !== "pending") return write;
    await kernel.runner.checkStatus(write, { kind: "operator", ref: operator });
    return (await load(kernel, writeId)) ?? write;
  } finally {
    // What was recorded has ended the hold; this is for the case that nothing was.
    await kernel.store.releaseWrite(writeId, now + leaseMs);
  }
}
