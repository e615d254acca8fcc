import { type CardClient, createCardClient } from "../client.ts";
import type { CardAnswer, CardCommands, SessionEnd } from "../model/answer.ts";
import { endOf } from "../model/settle.ts";
import type { Decision } from "../model/view.ts";
import type { FollowOptions } from "./events.ts";
import { type CardSnapshot, newerOf } from "./snapshot.ts";

/** How a session stands with its server. */
export type SessionStatus = {
  /** The event stream runs. */
  readonly live: boolean;
  /** The last attempt to reach the server did. */
  readonly reachable: boolean;
  /** The server was heard since the card was put up, and no answer is missing. */
  readonly fresh: boolean;
  readonly ended: SessionEnd | null;
  readonly deciding: Decision | null;
};

/** One card session: one stream, one cache entry and one request per write, however many cards show it. */
export type CardSession = {
  readonly commands: Required<CardCommands>;
  status(): SessionStatus;
  subscribe(listener: () => void): () => void;
  /** Keeps the stream open until the returned function is called as often. */
  retain(): () => void;
  /** Reads the card. Throws when no answer came, so that whoever asked asks again. */
  read(): Promise<CardSnapshot>;
  /** Uses another way to the token from the next one on. */
  use(getToken: () => string | Promise<string>): void;
};

/** Where a session keeps what it heard, and from where its cards are drawn. */
export type SnapshotStore = {
  get(): CardSnapshot | undefined;
  set(snapshot: CardSnapshot): void;
  /** Has the session read soon: an answer is missing. */
  outdate(): void;
};

/** Thrown by a read where asking again has no use. */
export class SessionEndedError extends Error {
  override readonly name = "SessionEndedError";
}

/** What a session is made from. */
export type SessionOptions = {
  readonly store: SnapshotStore;
  readonly baseUrl: string;
  readonly credential: string | (() => string | Promise<string>);
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly follow?: FollowOptions | undefined;
};

function clientOf(options: SessionOptions, getToken: () => string | Promise<string>): CardClient {
  const { baseUrl, credential, fetch } = options;
  const shared = { baseUrl, fetch };
  return createCardClient(
    typeof credential === "string" ? { ...shared, token: credential } : { ...shared, getToken },
  );
}

/** Makes a session. Nothing is asked before it is retained or read. */
export function createCardSession(options: SessionOptions): CardSession {
  const { store, credential } = options;
  const listeners = new Set<() => void>();
  const running = new Map<string, Promise<CardAnswer>>();
  let getToken = typeof credential === "string" ? () => credential : credential;
  const client = clientOf(options, () => getToken());
  let status: SessionStatus = { live: false, reachable: true, fresh: false, ended: null, deciding: null };
  let holders = 0;
  // Requests without an answer, and how many of them a read that began later has cleared up. An event of the stream
  // clears up nothing: it may have been on its way before.
  let losses = 0;
  let settled = 0;
  let stop: (() => void) | null = null;

  function set(part: Partial<SessionStatus>): void {
    const next = { ...status, ...part };
    const names = Object.keys(next) as (keyof SessionStatus)[];
    if (names.every((name) => next[name] === status[name])) return;
    status = next;
    for (const listener of [...listeners]) listener();
  }

  function keep(snapshot: CardSnapshot): CardSnapshot {
    const stands = newerOf(store.get(), snapshot);
    store.set(stands);
    return stands;
  }

  function end(reason: SessionEnd): void {
    stop?.();
    stop = null;
    // The former customer's card must not wait there for the next one.
    store.set({ card: null, serverTime: undefined, etag: null });
    set({ ended: reason, live: false, deciding: null });
  }

  function learn(answer: CardAnswer): void {
    if (answer.type === "unreachable" || status.ended) return;
    const reason = answer.type === "refusal" ? endOf(answer) : null;
    if (reason) end(reason);
    else if (answer.card) keep({ card: answer.card, serverTime: answer.serverTime, etag: null });
  }

  /** One request at a time for each write and command, from however many cards. */
  function once(
    name: string,
    ask: () => Promise<CardAnswer>,
    decision: Decision | null,
  ): Promise<CardAnswer> {
    const already = running.get(name);
    if (already) return already;
    const asked = (async (): Promise<CardAnswer> => {
      const answer = await ask();
      running.delete(name);
      learn(answer);
      const lost = answer.type === "unreachable";
      if (lost) losses += 1;
      // The cards that only watched may not come alive again before the server said how it stands.
      set({ ...(decision && { deciding: null }), ...(lost && { fresh: false }) });
      if (lost) store.outdate();
      return answer;
    })();
    running.set(name, asked);
    if (decision) set({ deciding: decision });
    return asked;
  }

  async function look(): Promise<CardAnswer> {
    const asked = losses;
    const etag = store.get()?.etag;
    const answer = await client.read(etag);
    if (answer.type === "unreachable") {
      set({ reachable: status.live });
      return answer;
    }
    if (answer.type === "refusal") {
      learn(answer);
      return answer;
    }
    const known = store.get();
    const heard =
      answer.type === "unchanged"
        ? known
        : keep({ card: answer.card, serverTime: answer.serverTime, etag: answer.etag });
    settled = Math.max(settled, asked);
    set({ reachable: true, fresh: settled === losses });
    return {
      type: "ok",
      card: heard?.card ?? null,
      ...(heard?.serverTime && { serverTime: heard.serverTime }),
    };
  }

  function follow(): void {
    if (stop || status.ended) return;
    stop = client.follow(
      {
        onCard(card, serverTime) {
          keep({ card, serverTime, etag: null });
          set({ reachable: true, fresh: status.fresh || settled === losses });
        },
        onEnd: end,
        onLive: (live) => set(live ? { live, reachable: true } : { live }),
      },
      options.follow,
    );
  }

  return {
    status: () => status,
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    retain() {
      holders += 1;
      follow();
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        holders -= 1;
        if (holders > 0) return;
        stop?.();
        stop = null;
        set({ live: false, fresh: false });
      };
    },
    async read() {
      const answer = await look();
      if (answer.type === "refusal" || status.ended)
        throw new SessionEndedError("The card session has ended.");
      if (answer.type === "unreachable") {
        throw new Error("The card could not be read: no answer came. It is asked for again.");
      }
      const known = store.get();
      return known ?? { card: answer.card, serverTime: answer.serverTime, etag: null };
    },
    use(next) {
      getToken = next;
    },
    commands: {
      onEdit: (request) => once(`edit ${request.writeId}`, () => client.edit(request), null),
      onConfirm: (request) => once(`decide ${request.writeId}`, () => client.confirm(request), "confirm"),
      onDecline: (request) => once(`decide ${request.writeId}`, () => client.decline(request), "decline"),
      onExtend: (request) => once(`extend ${request.writeId}`, () => client.extend(request), null),
      onUndo: (request) => once(`undo ${request.writeId}`, () => client.undo(request), null),
      onRefetch: look,
    },
  };
}
