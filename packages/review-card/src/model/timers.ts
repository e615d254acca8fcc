/** The passing of time. `now` is monotonic, in milliseconds from any origin; tests bring their own. */
export type Timers = {
  now(): number;
  /** Runs once, `ms` from now (a minute at most); the returned function cancels it. */
  after(ms: number, run: () => void): () => void;
};

/** Timers of the page. `performance.now()` does not move when someone sets the device's clock. */
export const pageTimers: Timers = {
  now: () => performance.now(),
  after(ms, run) {
    const handle = setTimeout(run, ms);
    return () => clearTimeout(handle);
  },
};

/** How long a card stays open, coarsely: about `count` units, or less than that when `last`. */
export type TimeLeft = {
  readonly count: number;
  readonly unit: "hour" | "minute" | "second";
  readonly last: boolean;
};

const minute = 60_000;

/** The coarse words for a remaining time; null when there is none, or none was stated (NaN). */
export function timeLeftOf(ms: number): TimeLeft | null {
  if (!(ms > 0)) return null;
  if (ms <= minute / 2) return { count: 30, unit: "second", last: true };
  if (ms <= 2 * minute) return { count: 2, unit: "minute", last: true };
  const minutes = Math.round(ms / minute);
  return minutes < 90
    ? { count: minutes, unit: "minute", last: false }
    : { count: Math.round(minutes / 60), unit: "hour", last: false };
}
