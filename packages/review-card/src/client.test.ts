import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createEventParser } from "./client/sse.ts";
import { type CardClientOptions, createCardClient } from "./client.ts";
import { cancelOrder, exampleTime } from "./example-cards.ts";
import { manualTimers } from "./manual-timers.ts";

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A real server that answers by hand. */
async function serve(answer: Answer): Promise<string> {
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (piece: string) => {
      body += piece;
    });
    request.on("end", () => answer(request, response, body));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

const problem = (code: string, status: number, facts: object = {}): object => ({
  type: `https://countersign.example/problems/${code}`,
  title: code,
  status,
  code,
  ...facts,
});

async function clientFor(
  answer: Answer,
  part: Partial<CardClientOptions> = {},
): Promise<ReturnType<typeof createCardClient>> {
  const baseUrl = await serve(answer);
  return createCardClient({ baseUrl, token: "session-token", ...part } as CardClientOptions);
}

describe("requests of a card", () => {
  it("CARD-23 confirm with version and digest only, under the session's credential", async () => {
    const seen: unknown[] = [];
    const client = await clientFor((request, response, body) => {
      seen.push([request.method, request.url, request.headers.authorization, JSON.parse(body)]);
      json(response, 200, { card: cancelOrder({ state: "applied", seq: 4 }), serverTime: exampleTime });
    });
    const answer = await client.confirm({ writeId: "wr_1", version: 2, digest: "abc" });
    expect(answer).toEqual({
      type: "ok",
      card: cancelOrder({ state: "applied", seq: 4 }),
      serverTime: exampleTime,
    });
    expect(seen).toEqual([
      ["POST", "/v1/card/wr_1/confirm", "Bearer session-token", { version: 2, digest: "abc" }],
    ]);
  });

  it("CARD-23 each have their own path and body", async () => {
    const seen: unknown[] = [];
    const client = await clientFor((request, response, body) => {
      seen.push([request.url, JSON.parse(body)]);
      json(response, 200, { card: cancelOrder(), serverTime: exampleTime, consequencesChanged: false });
    });
    const edited = await client.edit({ writeId: "wr/1", version: 1, values: { "/reason": null } });
    await client.decline({ writeId: "wr_1", version: 1 });
    await client.extend({ writeId: "wr_1", version: 1 });
    await client.undo({ writeId: "wr_1" });
    expect(edited).toMatchObject({ type: "ok", consequencesChanged: false });
    expect(seen).toEqual([
      ["/v1/card/wr%2F1/edits", { version: 1, values: { "/reason": null } }],
      ["/v1/card/wr_1/decline", { version: 1 }],
      ["/v1/card/wr_1/extend", { version: 1 }],
      ["/v1/card/wr_1/undo", {}],
    ]);
  });

  it("CARD-25 bring a refusal with the card that is true instead", async () => {
    const card = cancelOrder({ version: 2, seq: 3 });
    const client = await clientFor((_, response) => json(response, 409, problem("drifted", 409, { card })));
    expect(await client.confirm({ writeId: "wr_1", version: 1, digest: "abc" })).toEqual({
      type: "refusal",
      code: "drifted",
      card,
    });
  });

  it("CARD-26 are not known to have arrived when a proxy answers, the server breaks, or the line is cut", async () => {
    const answers: Answer[] = [
      (_, response) => response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>"),
      (_, response) => json(response, 500, problem("internal", 500)),
      (_, response) => json(response, 200, { hello: "world" }),
      (request) => request.socket.destroy(),
    ];
    for (const answer of answers) {
      const client = await clientFor(answer);
      expect(await client.confirm({ writeId: "wr_1", version: 1, digest: "abc" })).toEqual({
        type: "unreachable",
      });
    }
  });

  it("CARD-25 are known to have changed nothing when the preview could not be made", async () => {
    const client = await clientFor((_, response) => json(response, 503, problem("preview_unavailable", 503)));
    expect(await client.confirm({ writeId: "wr_1", version: 1, digest: "abc" })).toEqual({
      type: "refusal",
      code: "preview_unavailable",
    });
  });

  it("CARD-40 read the card only when it changed", async () => {
    const seen: unknown[] = [];
    const client = await clientFor((request, response) => {
      seen.push(request.headers["if-none-match"]);
      if (request.headers["if-none-match"] === '"1"') response.writeHead(304).end();
      else json(response, 200, { card: null, others: [], serverTime: exampleTime }, { etag: '"1"' });
    });
    expect(await client.read()).toEqual({ type: "ok", card: null, serverTime: exampleTime, etag: '"1"' });
    expect(await client.read('"1"')).toEqual({ type: "unchanged" });
    expect(seen).toEqual([undefined, '"1"']);
  });

  it("CARD-39 take a newer token once the session has run out, and give up when there is none", async () => {
    const tokens = ["old", "new", "new"];
    const seen: unknown[] = [];
    const baseUrl = await serve((request, response) => {
      seen.push(request.headers.authorization);
      if (request.headers.authorization === "Bearer old") {
        json(response, 401, problem("session_ended", 401, { reason: "expired" }));
      } else json(response, 200, { card: null, serverTime: exampleTime });
    });
    const client = createCardClient({ baseUrl, getToken: () => tokens.shift() ?? "new" });
    expect(await client.read()).toMatchObject({ type: "ok" });
    expect(seen).toEqual(["Bearer old", "Bearer new"]);
    const stuck = createCardClient({ baseUrl, getToken: () => "old" });
    expect(await stuck.read()).toEqual({ type: "refusal", code: "session_ended", reason: "expired" });
  });

  it("CARD-39 never take a newer token for a customer who is another one", async () => {
    let asked = 0;
    const baseUrl = await serve((_, response) =>
      json(response, 401, problem("session_ended", 401, { reason: "customer_changed" })),
    );
    const getToken = (): string => {
      asked += 1;
      return `token-${asked}`;
    };
    const answer = await createCardClient({ baseUrl, getToken }).read();
    expect([answer, asked]).toEqual([
      { type: "refusal", code: "session_ended", reason: "customer_changed" },
      1,
    ]);
  });
});

describe("an event stream", () => {
  it("CARD-40 is read across any cut, with any line ending", () => {
    const text = 'id: 7\r\nevent: card\rdata: {"a":\ndata: 1}\n\n: still here\n\ndata:x\n\n';
    for (let size = 1; size <= text.length; size += 1) {
      const parse = createEventParser();
      const found: unknown[] = [];
      for (let at = 0; at < text.length; at += size) found.push(...parse(text.slice(at, at + size)));
      expect(found).toEqual([
        { event: "card", data: '{"a":\n1}', id: "7" },
        { event: "message", data: "x", id: "7" },
      ]);
    }
  });

  it("CARD-40 tells each card, comes back after a cut with the last id, and stops when the session ends", async () => {
    const timers = manualTimers();
    const asked: unknown[] = [];
    const client = await clientFor((request, response) => {
      asked.push(request.headers["last-event-id"]);
      response.writeHead(200, { "content-type": "text/event-stream" });
      const data = JSON.stringify({ card: cancelOrder({ seq: asked.length }), serverTime: exampleTime });
      response.write(`id: ${asked.length}\nevent: card\ndata: ${data}\n\n`);
      if (asked.length === 1) response.end();
      else response.end('event: end\ndata: {"reason":"signed_out"}\n\n');
    });
    const told: unknown[] = [];
    await new Promise<void>((resolve) => {
      client.follow(
        {
          onCard: (card) => told.push(card?.seq),
          onEnd: (reason) => {
            told.push(reason);
            resolve();
          },
          onLive: (live) => {
            told.push(live);
            if (!live) setImmediate(() => timers.advance(1000));
          },
        },
        { timers, random: () => 1 },
      );
    });
    expect(told).toEqual([true, 1, false, true, 2, "signed_out"]);
    expect(asked).toEqual([undefined, "1"]);
  });

  it("CARD-40 waits longer after every attempt that found nothing", async () => {
    const timers = manualTimers();
    let attempts = 0;
    let wake: () => void = () => {};
    const client = createCardClient({
      baseUrl: "http://shop.example",
      token: "t",
      fetch: () => {
        attempts += 1;
        return Promise.reject(new Error("refused"));
      },
    });
    const stop = client.follow(
      { onCard: () => {}, onEnd: () => {}, onLive: () => wake() },
      { timers, random: () => 1 },
    );
    const seen: number[] = [];
    for (const wait of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
      await new Promise<void>((resolve) => {
        wake = () => setImmediate(resolve);
      });
      timers.advance(wait - 1);
      seen.push(attempts);
      timers.advance(1);
    }
    stop();
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });
});
