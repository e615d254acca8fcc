import type { Timers } from "./model/timers.ts";

/** Timers that move only when told to. */
export type ManualTimers = Timers & {
  /** Moves on, running what falls due in order. */
  advance(ms: number): void;
};

/** Timers for tests, standing at `start` milliseconds. */
export function manualTimers(start = 0): ManualTimers {
  let now = start;
  const due = new Set<{ readonly at: number; readonly run: () => void }>();
  return {
    now: () => now,
    after(ms, run) {
      const entry = { at: now + ms, run };
      due.add(entry);
      return () => {
        due.delete(entry);
      };
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = [...due].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
        if (!next) break;
        due.delete(next);
        now = next.at;
        next.run();
      }
      now = end;
    },
  };
}
