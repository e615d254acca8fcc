import type { Kernel } from "./kernel.ts";

/**
 * Calls `work` after `firstMs`, and again `everyMs` after each end. What it throws is reported and stops nothing. The answer ends
 * it at once, and resolves when a call that is under way is over.
 */
export function repeat(
  kernel: Kernel,
  when: { readonly firstMs: number; readonly everyMs: number; readonly during: string },
  work: () => Promise<void>,
): () => Promise<void> {
  let stopped = false;
  let cancel = (): void => {};
  let working: Promise<void> = Promise.resolve();
  const run = (): void => {
    working = work()
      .catch((error: unknown) => kernel.report(error, when.during))
      .finally(() => plan(when.everyMs));
  };
  const plan = (ms: number): void => {
    if (!stopped) cancel = kernel.clock.after(ms, run);
  };
  if (when.firstMs === 0) run();
  else plan(when.firstMs);
  return () => {
    stopped = true;
    cancel();
    return working;
  };
}
