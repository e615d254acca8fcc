import { setImmediate as turn } from "node:timers/promises";
import type { Chance } from "./chance.ts";

/** A process that can die: what it parked is then never done, and what it waits for never comes. */
export type Life = { alive: boolean };

type Parked = { readonly life: Life; readonly run: () => Promise<void>; readonly drop: () => void };

/**
 * Holds back every call that leaves a process (to the store, to the provider) until it is let through, one at a time and
 * in an order that is drawn. So every interleaving can happen, and a process can die between any two of its steps.
 */
export type Schedule = {
  /** Does `work` once it is let through. `drop` is called in its place when the process died before. */
  park<Value>(life: Life, work: () => Value | Promise<Value>, drop?: () => void): Promise<Value>;
  /** Lets up to `most` calls through, or all there are; answers with how many that were. */
  release(most: number): Promise<number>;
  /** Lets what was started run up to its next call. */
  settle(): Promise<void>;
  /** Forgets what a dead process had parked. */
  bury(life: Life): void;
};

export function schedule(chance: Chance, afterEach: () => void): Schedule {
  let parked: Parked[] = [];

  function take(): Parked | undefined {
    return parked.length === 0 ? undefined : parked.splice(chance.below(parked.length), 1)[0];
  }

  return {
    park(life, work, drop = () => {}) {
      return new Promise((resolve, reject) => {
        if (!life.alive) {
          drop();
          return;
        }
        const run = async (): Promise<void> => {
          try {
            const value = await work();
            if (life.alive) resolve(value);
          } catch (error) {
            if (life.alive) reject(error);
          }
        };
        parked.push({ life, run, drop });
      });
    },
    async release(most) {
      await turn();
      let released = 0;
      while (released < most) {
        // Two at once now and then: a store may commit what is asked together in one transaction.
        const together = chance.below(4) === 0 ? [take(), take()] : [take()];
        const calls = together.filter((one) => one !== undefined);
        if (calls.length === 0) break;
        await Promise.all(calls.map((call) => call.run()));
        await turn();
        released += calls.length;
        afterEach();
      }
      return released;
    },
    async settle() {
      await turn();
    },
    bury(life) {
      const dead = parked.filter((one) => one.life === life);
      parked = parked.filter((one) => one.life !== life);
      for (const { drop } of dead) drop();
    },
  };
}
