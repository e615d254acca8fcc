import type { Clock } from "../base/clock.ts";

/** What a network and a provider do to a call. */
export type InjectedFault =
  /** Nothing: the call goes through. */
  | "none"
  /** It fails before it reaches the provider. */
  | "refused"
  /** It reaches the provider, and the reply is lost. */
  | "lost_reply"
  /** It never reaches the provider and never returns. */
  | "hang"
  /** It reaches the provider and never returns. */
  | "hang_after"
  /** It reaches the provider after a while, and returns then. */
  | "slow"
  /** It reaches the provider at once, and the reply comes after a while. */
  | "slow_reply"
  /** It reaches the provider twice. */
  | "duplicate";

const faults: readonly InjectedFault[] = [
  "none",
  "refused",
  "lost_reply",
  "hang",
  "hang_after",
  "slow",
  "slow_reply",
  "duplicate",
];

/** An error that stands for a broken connection. */
export class InjectedError extends Error {
  override readonly name = "InjectedError";
}

/** Wraps calls so that they fail like calls over a network do. */
export type FaultInjector = {
  wrap<Args extends readonly unknown[], Value>(
    call: (...args: Args) => Value | Promise<Value>,
  ): (...args: Args) => Promise<Value>;
  /** How often each fault was made so far. */
  counts(): { readonly [Fault in InjectedFault]: number };
};

/** Numbers from 0 up to 1 that look random and are the same for the same seed (mulberry32, public domain). */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Makes calls of a provider fail at random, the same way for the same seed: to prove that a tool tells the truth whatever the
 * network does. Slow calls take up to `slowMs` (default: 60 s, beyond most tools' time limits) by `clock`.
 */
export function faultInjector(options: {
  readonly seed: number;
  readonly clock: Pick<Clock, "after">;
  readonly slowMs?: number;
  /** The faults to choose from, one as likely as another. Default: all. */
  readonly faults?: readonly InjectedFault[];
}): FaultInjector {
  const { seed, clock, slowMs = 60_000, faults: chosen = faults } = options;
  const next = numbersFrom(seed);
  const counts = Object.fromEntries(faults.map((fault) => [fault, 0])) as Record<InjectedFault, number>;
  const wait = (): Promise<void> =>
    new Promise((resolve) => clock.after(1 + Math.floor(next() * slowMs), () => resolve()));
  const never = (): Promise<never> => new Promise(() => {});
  return {
    wrap(call) {
      return async (...args) => {
        const fault = chosen[Math.floor(next() * chosen.length)] ?? "none";
        counts[fault] += 1;
        switch (fault) {
          case "none":
            return call(...args);
          case "refused":
            throw new InjectedError("the connection was refused");
          case "lost_reply":
            await call(...args);
            throw new InjectedError("the reply was lost");
          case "hang":
            return never();
          case "hang_after":
            await call(...args);
            return never();
          case "slow":
            await wait();
            return call(...args);
          case "slow_reply": {
            const value = await call(...args);
            await wait();
            return value;
          }
          case "duplicate":
            await call(...args);
            return call(...args);
        }
      };
    },
    counts: () => ({ ...counts }),
  };
}
