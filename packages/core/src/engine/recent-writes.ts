import { isFinal, type Write } from "../flow/write.ts";

/**
 * Unfinished writes as this process last saw them. What stands here may be out of date: an append on it loses its race, and nothing
 * is refused or answered from it without a fresh read.
 */
export type RecentWrites = {
  get(writeId: string): Write | undefined;
  put(write: Write): void;
};

/** Keeps the `capacity` unfinished writes that were seen last; a finished one has nothing more to win. */
export function recentWrites(capacity: number): RecentWrites {
  const writes = new Map<string, Write>();
  return {
    get: (writeId) => writes.get(writeId),
    put(write) {
      // A map keeps the order of insertion, so the first key is the one seen longest ago.
      writes.delete(write.id);
      if (isFinal(write)) return;
      writes.set(write.id, write);
      if (writes.size <= capacity) return;
      const [oldest] = writes.keys();
      if (oldest !== undefined) writes.delete(oldest);
    },
  };
}
