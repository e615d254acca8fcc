import type { Card } from "@countersign/core/card";
import { cancelOrder, exampleTime } from "./example-cards.ts";

/** A server that is not there: what it says, and what it was asked. */
export type FarSide = {
  readonly fetch: typeof globalThis.fetch;
  readonly requests: string[];
  /** Sends one event on every open stream. */
  readonly push: (event: string, data: object) => void;
  readonly streams: () => number;
  card: Card | null;
  streaming: boolean;
  confirm: () => Promise<Response>;
  readStatus: number;
};

/** An answer with this body. */
export const jsonResponse = (body: object, status = 200): Response =>
  new Response(JSON.stringify(body), { status });

/** The far side of the network: one card, its streams, and a record of what was asked. */
export function farSide(): FarSide {
  const open = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const encode = (event: string, data: object): Uint8Array =>
    new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  const far: FarSide = {
    requests: [],
    card: cancelOrder(),
    streaming: true,
    readStatus: 200,
    streams: () => open.size,
    push(event, data) {
      for (const stream of open) stream.enqueue(encode(event, data));
    },
    confirm: async () => {
      far.card = cancelOrder({ state: "applied", seq: 4 });
      return jsonResponse({ card: far.card, serverTime: exampleTime });
    },
    async fetch(input, init) {
      const path = new URL(String(input)).pathname;
      far.requests.push(`${init?.method ?? "GET"} ${path}`);
      if (path.endsWith("/confirm")) return far.confirm();
      if (!path.endsWith("/events")) {
        if (far.readStatus === 401) return jsonResponse({ code: "session_ended", reason: "signed_out" }, 401);
        if (far.readStatus !== 200) throw new TypeError("Failed to fetch");
        return jsonResponse({ card: far.card, others: [], serverTime: exampleTime });
      }
      if (!far.streaming) throw new TypeError("Failed to fetch");
      let own: ReadableStreamDefaultController<Uint8Array>;
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          own = controller;
          open.add(controller);
          controller.enqueue(encode("card", { card: far.card, serverTime: exampleTime }));
        },
      });
      init?.signal?.addEventListener("abort", () => {
        if (open.delete(own)) own.error(new Error("aborted"));
      });
      return new Response(body, { status: 200 });
    },
  };
  return far;
}
