/** Counts what is under way, so that one can wait for the end of it. */
export type Work = {
  begin(): void;
  end(): void;
  /** Settles when nothing is under way. What waits for the clock is not. */
  idle(): Promise<void>;
};

/** Nothing under way. */
export function work(): Work {
  let busy = 0;
  let waiting: (() => void)[] = [];
  return {
    begin() {
      busy += 1;
    },
    end() {
      busy -= 1;
      if (busy > 0) return;
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
    async idle() {
      while (busy > 0) {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
      }
    },
  };
}
