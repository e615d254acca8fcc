import type { Cancel } from "../base/clock.ts";

/** Wakes whoever makes deliveries in this process. */
export type Bell = { ring(): void; onRing(hear: () => void): Cancel };

/** Rings once for all who ring within one turn of the event loop. */
export function makeBell(): Bell {
  const hearers = new Set<() => void>();
  let rung = false;
  return {
    ring() {
      if (rung || hearers.size === 0) return;
      rung = true;
      setImmediate(() => {
        rung = false;
        for (const hear of [...hearers]) hear();
      });
    },
    onRing(hear) {
      const own = (): void => hear();
      hearers.add(own);
      return () => void hearers.delete(own);
    },
  };
}
