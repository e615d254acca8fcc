import type { Kernel } from "./kernel.ts";

// A store that is down is asked less and less often, and again soon enough after it is back.
const mostAfterFailureMs = 5_000;

/**
 * Calls `work` after `firstMs`, and again `everyMs` after each end. What it throws is reported and stops nothing; while it
 * throws, the time between doubles, up to 5 s. The answer ends it at once, and resolves when a call that is under way is over.
 */
export function repeat(
  kernel: Kernel,
  when: { readonly firstMs: number; readonly everyMs: number; readonly during: string },
  work: () => Promise<void>,
): () => Promise<void> {
  let stopped = false;
  let cancel = (): void => {};
  let working: Promise<void> = Promise.resolve();
  let everyMs = when.everyMs;
  const run = (): void => {
    working = work()
      .then(
        () => {
          everyMs = when.everyMs;
        },
        (error: unknown) => {
          kernel.report(error, when.during);
          everyMs = Math.max(when.everyMs, Math.min(everyMs * 2, mostAfterFailureMs));
        },
      )
      .finally(() => plan(everyMs));
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
