import type { Card } from "@countersign/core/card";
import type { SessionEnd } from "../model/answer.ts";
import { pageTimers, type Timers } from "../model/timers.ts";
import { parseAnswer, parseOk, parseSessionEnd } from "./parse.ts";
import { createEventParser, type StreamEvent } from "./sse.ts";

/** Who listens to a card's event stream. */
export type CardEvents = {
  onCard(card: Card | null, serverTime: string | undefined): void;
  /** The session is over; the stream is not opened again. */
  onEnd(reason: SessionEnd): void;
  /** Whether the stream runs. False from the start, and while it reconnects. */
  onLive(live: boolean): void;
};

/** How patiently a stream is followed. */
export type FollowOptions = {
  readonly timers?: Timers;
  /** 0 to 1, for the jitter that keeps many pages from coming back at once. Default: `Math.random`. */
  readonly random?: () => number;
  /** Finds a newer credential when the session has run out; false when there is none. */
  readonly renew?: () => Promise<boolean>;
};

const firstWaitMs = 1000;
const longestWaitMs = 30_000;
// The server sends a comment every 15 s; three missing ones are a dead connection.
const silenceMs = 45_000;

type Open = (init: RequestInit) => Promise<Response>;

/** Follows the stream that `open` opens, with back-off and jitter between attempts. The returned function ends it. */
export function followCard(open: Open, events: CardEvents, options: FollowOptions = {}): () => void {
  const timers = options.timers ?? pageTimers;
  const random = options.random ?? Math.random;
  let over = false;
  let ending = false;
  let misses = 0;
  let lastId: string | null = null;
  let abort = new AbortController();
  let cancel: () => void = () => {};

  async function end(reason: SessionEnd): Promise<void> {
    ending = true;
    if (reason === "expired" && (await options.renew?.().catch(() => false))) {
      ending = false;
      return;
    }
    if (over) return;
    stop();
    events.onEnd(reason);
  }

  function stop(): void {
    over = true;
    cancel();
    abort.abort();
  }

  async function hear({ event, data, id }: StreamEvent): Promise<void> {
    lastId = id ?? lastId;
    let body: unknown;
    try {
      body = JSON.parse(data);
    } catch {
      return; // not of this API; the next event or the next read says it whole again
    }
    if (event === "end") return end(parseSessionEnd((body as { readonly reason?: unknown } | null)?.reason));
    const said = event === "card" ? parseOk(body) : undefined;
    if (said) events.onCard(said.card, said.serverTime);
  }

  async function read(body: ReadableStream<Uint8Array>): Promise<void> {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    const parse = createEventParser();
    const attempt = abort;
    let watch = timers.after(silenceMs, () => attempt.abort());
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done || over) return;
        watch();
        watch = timers.after(silenceMs, () => attempt.abort());
        misses = 0;
        for (const event of parse(decoder.decode(value, { stream: true }))) {
          if (!over && !ending) await hear(event);
        }
      }
    } finally {
      watch();
    }
  }

  async function run(): Promise<void> {
    abort = new AbortController();
    const response = await open({
      signal: abort.signal,
      headers: { accept: "text/event-stream", ...(lastId !== null && { "last-event-id": lastId }) },
    });
    if (over) return;
    if (response.ok && response.body) {
      events.onLive(true);
      return read(response.body);
    }
    const answer = await parseAnswer(response);
    if (over || answer.type !== "refusal") return;
    if (answer.reason || response.status === 401) await end(answer.reason ?? "expired");
  }

  async function attempt(): Promise<void> {
    try {
      await run();
    } catch {
      // the connection was refused, cut or went silent: the same as an end, and tried again below
    }
    if (over) return;
    abort.abort();
    events.onLive(false);
    misses += 1;
    const wait = Math.min(firstWaitMs * 2 ** (misses - 1), longestWaitMs);
    cancel = timers.after(wait * (0.5 + random() / 2), () => void attempt());
  }

  void attempt();
  return stop;
}
