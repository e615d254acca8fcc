import type { Kernel } from "./kernel.ts";

/**
 * Reads until `done` or until `waitMs` are over, looking again at each change of the conversation; answers with what was
 * read last. Ends early when `signal` aborts.
 */
export async function readUntil<Value>(
  kernel: Kernel,
  conversationId: string,
  read: () => Promise<Value>,
  done: (value: Value) => boolean,
  options: { readonly waitMs: number; readonly signal?: AbortSignal | undefined },
): Promise<Value> {
  let changed = false;
  let wake = (): void => {};
  let over = options.waitMs <= 0;
  const stop = (): void => {
    over = true;
    wake();
  };
  // Watching begins before the first read, so that no change falls between the two.
  const unwatch = kernel.store.watch((change) => {
    if (change.conversationId !== null && change.conversationId !== conversationId) return;
    changed = true;
    wake();
  });
  const cancel = kernel.clock.after(Math.max(options.waitMs, 0), stop);
  options.signal?.addEventListener("abort", stop);
  try {
    while (true) {
      changed = false;
      const value = await read();
      if (done(value) || over || options.signal?.aborted) return value;
      if (changed) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (changed || over) resolve();
      });
    }
  } finally {
    unwatch();
    cancel();
    options.signal?.removeEventListener("abort", stop);
  }
}
