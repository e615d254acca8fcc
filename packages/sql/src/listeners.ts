import type { Cancel, StoreChange } from "@countersign/core";

/** Who is told of changes. */
export type Listeners = {
  add(listener: (change: StoreChange) => void): Cancel;
  count(): number;
  tell(change: StoreChange): void;
  clear(): void;
};

/** What a listener throws becomes a process warning and keeps nothing from the others. */
export function listeners(): Listeners {
  const all = new Set<(change: StoreChange) => void>();
  return {
    add(listener) {
      // Wrapped, so that the same function may watch twice and stop once.
      const own = (change: StoreChange): void => listener(change);
      all.add(own);
      return () => {
        all.delete(own);
      };
    },
    count: () => all.size,
    tell(change) {
      for (const listener of [...all]) {
        try {
          listener(change);
        } catch (error) {
          process.emitWarning(error instanceof Error ? error : String(error));
        }
      }
    },
    clear: () => all.clear(),
  };
}
