import { createHash } from "node:crypto";
import type { Card, SessionEnd } from "@countersign/core";
import { isRefusal } from "@countersign/core";
import type { Call } from "./route.ts";

const commentEveryMs = 15_000;
/** Events that may wait for a slow reader; then changes are left out until it catches up, and it sees the newest. */
const waitingChunks = 8;

const encoder = new TextEncoder();

function eventText(event: string, data: object, id?: string): Uint8Array {
  const idLine = id === undefined ? "" : `id: ${id}\n`;
  return encoder.encode(`event: ${event}\n${idLine}data: ${JSON.stringify(data)}\n\n`);
}

/** Names a card as it stands; the hash covers what changes without an event of the journal. */
function idOf(card: Card | null): string {
  const hash = createHash("sha256").update(JSON.stringify(card), "utf8").digest("base64url").slice(0, 16);
  return card === null ? `none:${hash}` : `${card.writeId}:${card.seq}:${hash}`;
}

type Sight = { readonly end: SessionEnd } | { readonly card: Card | null };

async function look(call: Call): Promise<Sight> {
  const end = await call.engine.sessionEnd(call.session());
  if (end !== undefined) return { end };
  const page = await call.engine.customer.card(call.session());
  if (!isRefusal(page)) return { card: page.card };
  if (page.refused === "session_ended") return { end: page.reason };
  throw new Error(`the engine refused to show a card: ${page.refused}`);
}

/** Follows the card of one session and writes what changes; one look at a time, so a burst costs one more look. */
class CardFeed implements UnderlyingDefaultSource<Uint8Array> {
  readonly #call: Call;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #lastId: string | null;
  #stale = true;
  #looking = false;
  #open = true;
  #isLastLook = false;
  readonly #cancels = new Map<string, () => void>();

  constructor(call: Call) {
    this.#call = call;
    this.#lastId = call.request.headers.get("last-event-id");
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const { engine, handling, request } = this.#call;
    const { conversationId } = this.#call.session();
    this.#controller = controller;
    // Headers reach the client with the first bytes, also where nothing is news to it.
    controller.enqueue(encoder.encode(": card events\n\n"));
    this.#cancels.set(
      "watch",
      engine.watch((change) => {
        if (change.conversationId === null || change.conversationId === conversationId) this.#changed();
      }),
    );
    this.#lookAtExpiry();
    this.#commentLater();
    this.#onAbort("request", request.signal, () => this.#close());
    // The server is about to stop: what happened until now is still told.
    this.#onAbort("closing", handling.closing, () => {
      this.#isLastLook = true;
      this.#changed();
    });
    void this.#look();
  }

  /** The reader took something: there may be room for what was left out. */
  pull(): void {
    if (this.#stale) void this.#look();
  }

  cancel(): void {
    this.#open = false;
    this.#stop();
  }

  #onAbort(name: string, signal: AbortSignal, react: () => void): void {
    if (!this.#open) return;
    if (signal.aborted) {
      react();
      return;
    }
    signal.addEventListener("abort", react);
    this.#cancels.set(name, () => signal.removeEventListener("abort", react));
  }

  #changed(): void {
    this.#stale = true;
    void this.#look();
  }

  /** A timer may ring early, and the longest one is shorter than a session may last: then it is set again. */
  #lookAtExpiry(): void {
    const leftMs = this.#call.session().expiresAt - this.#call.engine.now();
    if (leftMs <= 0) {
      this.#changed();
      return;
    }
    this.#cancels.set(
      "expiry",
      this.#call.handling.clock.after(leftMs, () => this.#lookAtExpiry()),
    );
  }

  #commentLater(): void {
    const comment = (): void => {
      if (this.#hasRoom()) this.#controller?.enqueue(encoder.encode(": still here\n\n"));
      this.#commentLater();
    };
    this.#cancels.set("comment", this.#call.handling.clock.after(commentEveryMs, comment));
  }

  #hasRoom(): boolean {
    return this.#open && (this.#controller?.desiredSize ?? 0) > 0;
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      while (this.#stale && this.#hasRoom()) {
        this.#stale = false;
        this.#tell(await look(this.#call));
      }
    } catch (error) {
      // The client reconnects; the fault is not its own.
      const requestId = crypto.randomUUID();
      this.#call.handling.logger.fault({ requestId, route: "GET /v1/card/events", error });
      this.#close();
    } finally {
      this.#looking = false;
    }
    if (this.#isLastLook) this.#close();
  }

  #tell(sight: Sight): void {
    if (!this.#open) return;
    if ("end" in sight) {
      this.#controller?.enqueue(eventText("end", { reason: sight.end }));
      this.#close();
      return;
    }
    const id = idOf(sight.card);
    if (id === this.#lastId) return;
    this.#lastId = id;
    const serverTime = new Date(this.#call.engine.now()).toISOString();
    this.#controller?.enqueue(eventText("card", { card: sight.card, serverTime }, id));
  }

  #close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#stop();
    this.#controller?.close();
  }

  #stop(): void {
    for (const cancel of this.#cancels.values()) cancel();
    this.#cancels.clear();
  }
}

/** Answers with the stream of a session's card: `card` now and at every change, `end` when the session ends. */
export async function cardEvents(call: Call): Promise<Response> {
  return new Response(new ReadableStream(new CardFeed(call), { highWaterMark: waitingChunks }), {
    headers: { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" },
  });
}
