/** Milliseconds since 1970-01-01T00:00:00Z, an integer. */
export type Instant = number;

/** Stops what was planned; harmless when it already ran. */
export type Cancel = () => void;

/** Where all time comes from. */
export type Clock = {
  now(): Instant;
  /** Calls `run` once, `delayMs` from now, unless cancelled. Must not keep a process alive by itself. */
  after(delayMs: number, run: () => void): Cancel;
};

const longestTimerMs = 2 ** 31 - 1;

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, Math.min(delayMs, longestTimerMs));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
