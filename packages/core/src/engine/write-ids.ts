import type { Clock } from "../base/clock.ts";
import type { Random } from "../base/random.ts";

/**
 * Makes ids of writes that sort by the time they were made: `wr_`, the millisecond, a count within it, and 144 random bits.
 *
 * So the writes of one conversation keep their order within a millisecond, and new rows stand beside each other in an
 * index, which makes for fewer pages to flush. The time is no secret: it is the write's own `createdAt`.
 */
export function writeIds(clock: Clock, random: Random): () => string {
  let last = 0;
  let count = 0;
  return () => {
    const at = clock.now();
    count = at === last ? count + 1 : 0;
    last = at;
    return random.id(`wr_${at.toString(36).padStart(9, "0")}${count.toString(36).padStart(3, "0")}`);
  };
}
