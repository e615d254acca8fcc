import type { Cancel, Clock, StoreChange } from "@countersign/core";
import type { Database } from "better-sqlite3";
import { listeners } from "../listeners.ts";

/** Who is told of changes. */
export type Watchers = {
  add(listener: (change: StoreChange) => void): Cancel;
  /** Starts noticing other processes' commits; before it nobody has a connection to notice with. */
  connect(db: Database): void;
  /** Without an id: look at everything. */
  tell(conversationIds: Iterable<string | null>): void;
  stop(): void;
};

/** How often other processes' commits are looked for, while somebody listens. */
const pollMs = 500;

export function watchers(clock: Clock): Watchers {
  const all = listeners();
  let cancelPoll: Cancel | undefined;
  /** A number that changes when another connection has committed; own commits leave it alone. */
  let readVersion: (() => unknown) | undefined;
  let version: unknown;

  function look(): void {
    let seen: unknown;
    try {
      seen = readVersion?.();
    } catch {
      // The next look will tell; what is wrong with the file is for a call to report.
      return;
    }
    if (seen === version) return;
    version = seen;
    all.tell({ conversationId: null });
  }

  function poll(): void {
    cancelPoll = clock.after(pollMs, () => {
      look();
      if (all.count() > 0) poll();
      else cancelPoll = undefined;
    });
  }

  function stopPolling(): void {
    cancelPoll?.();
    cancelPoll = undefined;
  }

  function start(): void {
    if (readVersion === undefined || all.count() === 0 || cancelPoll !== undefined) return;
    version = readVersion();
    poll();
  }

  return {
    add(listener) {
      const stop = all.add(listener);
      start();
      return () => {
        stop();
        if (all.count() === 0) stopPolling();
      };
    },
    connect(db) {
      const statement = db.prepare("pragma data_version").pluck();
      readVersion = () => statement.get();
      start();
    },
    tell(conversationIds) {
      if (all.count() === 0) return;
      for (const conversationId of new Set(conversationIds)) all.tell({ conversationId });
    },
    stop() {
      stopPolling();
      all.clear();
      readVersion = undefined;
    },
  };
}
