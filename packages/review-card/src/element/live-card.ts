import { createCardSession, SessionEndedError, type SessionOptions } from "../client/session.ts";
import type { CardSnapshot } from "../client/snapshot.ts";
import { pageTimers, type Timers } from "../model/timers.ts";
import type { CardInputs } from "../model.ts";

/** The card of one conversation, kept up to date while somebody holds it. */
export type LiveCard = {
  /** What a review card takes: the same object until something changed. */
  inputs(): CardInputs;
  subscribe(listener: () => void): () => void;
  /** Connects. Once the returned function was called as often, nothing runs any more. */
  retain(): () => void;
};

/** Where a live card comes from. */
export type LiveCardOptions = Omit<SessionOptions, "store"> & {
  /** How often the card is read while the event stream does not run, in milliseconds. Default: 5000. */
  readonly pollMs?: number | undefined;
  readonly timers?: Timers | undefined;
};

const firstRetryMs = 1000;
const longestRetryMs = 15_000;

/** Makes a live card. Nothing is asked before it is held. */
export function createLiveCard(options: LiveCardOptions): LiveCard {
  const { pollMs = 5000, timers = pageTimers } = options;
  const listeners = new Set<() => void>();
  let snapshot: CardSnapshot | undefined;
  let holders = 0;
  let reading = false;
  let again = false;
  let misses = 0;
  let cancel = (): void => {};

  const session = createCardSession({
    ...options,
    store: {
      get: () => snapshot,
      set(next) {
        snapshot = next;
        publish();
      },
      outdate: () => ask(),
    },
  });
  let current = look();
  let live = false;

  function look(): CardInputs {
    const { reachable, fresh, ended, deciding } = session.status();
    const { card, serverTime } = snapshot ?? {};
    return { card, serverTime, online: reachable, fresh, ended, deciding, ...session.commands };
  }

  function publish(): void {
    current = look();
    for (const listener of [...listeners]) listener();
  }

  function plan(): void {
    cancel();
    if (holders === 0 || reading || session.status().ended) return;
    if (misses > 0) {
      cancel = timers.after(Math.min(firstRetryMs * 2 ** (misses - 1), longestRetryMs), ask);
    } else if (!live) cancel = timers.after(pollMs, ask);
  }

  function ask(): void {
    if (holders === 0 || session.status().ended) return;
    if (reading) {
      again = true;
      return;
    }
    cancel();
    reading = true;
    void session
      .read()
      .then(
        () => 0,
        (error: unknown) => (error instanceof SessionEndedError ? 0 : misses + 1),
      )
      .then((next) => {
        misses = next;
        reading = false;
        const once = again;
        again = false;
        if (once) ask();
        else plan();
      });
  }

  const askWhenShown = (): void => {
    if (!document.hidden) ask();
  };

  function start(): () => void {
    const release = session.retain();
    const forget = session.subscribe(() => {
      const now = session.status().live;
      if (now !== live) {
        live = now;
        plan();
      }
      publish();
    });
    document.addEventListener("visibilitychange", askWhenShown);
    window.addEventListener("online", ask);
    ask();
    return () => {
      document.removeEventListener("visibilitychange", askWhenShown);
      window.removeEventListener("online", ask);
      release();
      forget();
      live = false;
      cancel();
      publish();
    };
  }

  let stop = (): void => {};
  return {
    inputs: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    retain() {
      holders += 1;
      if (holders === 1) stop = start();
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        holders -= 1;
        if (holders === 0) stop();
      };
    },
  };
}
