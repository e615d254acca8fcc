/** Whole numbers from a seed: the same seed, the same numbers. */
export type Chance = {
  /** From 0 up to, not including, `bound`. */
  below(bound: number): number;
  /** Goes on from another seed. */
  seed(seed: number): void;
};

/** A small generator (mulberry32); good enough to pick the next of a few. */
export function chance(start = 0): Chance {
  let state = start >>> 0;
  return {
    below(bound) {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
    },
    seed(seed) {
      state = seed >>> 0;
    },
  };
}
