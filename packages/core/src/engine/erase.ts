import { IntegrityError } from "../base/errors.ts";
import type { Refusal } from "../flow/refusal.ts";
import { isFinal } from "../flow/write.ts";
import { appendSteps, load, type Step, stepOf } from "./handle.ts";
import { type Kernel, maxRounds } from "./kernel.ts";

async function writeIdsOf(kernel: Kernel, customerRef: string): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<Kernel["store"]["listWrites"]>> = await kernel.store.listWrites({
      owner: { customerRef },
      limit: 200,
      ...(cursor !== null && { cursor }),
    });
    ids.push(...page.rows.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return ids;
}

/**
 * Forgets a customer: each of their writes gets an event that says so, and in the same transaction the store drops every
 * value that is theirs. The events are what makes it safe against whoever still holds an older state of such a write.
 */
export async function eraseCustomer(
  kernel: Kernel,
  { customerId, operator }: { readonly customerId: string; readonly operator: string },
): Promise<{ readonly writes: number } | Refusal> {
  const by = { kind: "operator", ref: operator } as const;
  for (let round = 0; round < maxRounds; round += 1) {
    const customerRef = await kernel.store.findCustomerRef(customerId);
    if (customerRef === undefined) return { refused: "not_found" };
    const unfinished: string[] = [];
    const steps: Step[] = [];
    for (const id of await writeIdsOf(kernel, customerRef)) {
      const write = await load(kernel, id);
      if (!write) throw new IntegrityError(`write ${id} is listed and cannot be read`);
      if (!isFinal(write)) unfinished.push(id);
      const { version } = write;
      steps.push(stepOf(kernel, id, write, [{ type: "erased", by, body: { version } }]));
    }
    if (unfinished.length > 0) return { refused: "unfinished_writes", writeIds: unfinished };
    const result = await appendSteps(kernel, steps, { erase: { customerId, customerRef } });
    if (result.kind === "appended") return { writes: steps.length };
  }
  throw new IntegrityError(`erasing a customer: gave up after ${maxRounds} lost races`);
}
