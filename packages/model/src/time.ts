import type { Clock } from "@countersign/core";
import type { Life } from "./schedule.ts";

type Timer = { readonly dueAt: number; readonly run: () => void; readonly life: Life };

/** One time for all processes. A dead process's timers never ring. */
export type Time = {
  now(): number;
  clockOf(life: Life): Clock;
  /** Moves on, or back without ringing anything; `between` runs after each timer that rang. */
  advance(ms: number, between: () => Promise<unknown>): Promise<void>;
};

export function time(start: number): Time {
  let now = start;
  const timers = new Set<Timer>();

  function next(until: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of timers) {
      if (!timer.life.alive) timers.delete(timer);
      else if (timer.dueAt <= until && (first === undefined || timer.dueAt < first.dueAt)) first = timer;
    }
    return first;
  }

  return {
    now: () => now,
    clockOf: (life) => ({
      now: () => now,
      after(delayMs, run) {
        const timer: Timer = { dueAt: now + Math.max(0, delayMs), run, life };
        timers.add(timer);
        return () => {
          timers.delete(timer);
        };
      },
    }),
    async advance(ms, between) {
      const until = now + ms;
      for (let timer = next(until); timer; timer = next(until)) {
        timers.delete(timer);
        now = Math.max(now, timer.dueAt);
        timer.run();
        await between();
      }
      now = until;
    },
  };
}
