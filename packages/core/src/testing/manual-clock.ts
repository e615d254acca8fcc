import { setImmediate } from "node:timers/promises";
import type { Clock, Instant } from "../base/clock.ts";

/** A clock that stands still until a test moves it. */
export type ManualClock = Clock & {
  /** Moves on by `ms`: see {@link ManualClock.set}. */
  advance(ms: number): Promise<void>;
  /**
   * Moves to `instant` and calls what falls due on the way, earliest first, each at its own time; what these calls plan
   * for on the way is called too. What they started may run on in between, without real time passing. An earlier instant
   * sets the clock back and calls nothing.
   */
  set(instant: Instant): Promise<void>;
  /** Lets what was started run on, without moving the time. */
  settle(): Promise<void>;
  /** How many calls are planned. */
  planned(): number;
};

type Timer = { readonly dueAt: Instant; readonly run: () => void };

/** Enough for a chain of store calls, each of which may wait for one turn of the event loop. */
const turns = 16;

async function settle(): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await setImmediate();
}

/** A {@link ManualClock} that shows `startMs`, in milliseconds since 1970. */
export function manualClock(startMs: Instant): ManualClock {
  let now = startMs;
  const timers = new Set<Timer>();

  function earliestUntil(instant: Instant): Timer | undefined {
    let earliest: Timer | undefined;
    for (const timer of timers) {
      if (timer.dueAt <= instant && (earliest === undefined || timer.dueAt < earliest.dueAt))
        earliest = timer;
    }
    return earliest;
  }

  async function set(instant: Instant): Promise<void> {
    if (instant < now) {
      now = instant;
      return;
    }
    await settle();
    for (let timer = earliestUntil(instant); timer !== undefined; timer = earliestUntil(instant)) {
      timers.delete(timer);
      now = Math.max(now, timer.dueAt);
      timer.run();
      await settle();
    }
    now = Math.max(now, instant);
  }

  return {
    now: () => now,
    after(delayMs, run) {
      const timer = { dueAt: now + Math.max(0, delayMs), run };
      timers.add(timer);
      return () => {
        timers.delete(timer);
      };
    },
    advance: (ms) => set(now + ms),
    set,
    settle,
    planned: () => timers.size,
  };
}
