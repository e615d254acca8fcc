import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ApiRequest } from "./wire.ts";

/** Takes one request, and answers it. */
export type Handle = (request: ApiRequest, response: ServerResponse) => Promise<void> | void;

/** A server on a local port. */
export type LocalServer = { readonly url: string; close(): Promise<void> };

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

async function requestOf(incoming: IncomingMessage): Promise<ApiRequest> {
  const { pathname, searchParams } = new URL(incoming.url ?? "/", "http://local");
  return {
    method: incoming.method ?? "GET",
    path: pathname,
    query: searchParams,
    header(name) {
      const value = incoming.headers[name.toLowerCase()];
      return typeof value === "string" ? value : value?.[0];
    },
    body: await bodyOf(incoming),
  };
}

/** Answers in JSON. */
export function answerJson(
  response: ServerResponse,
  { status, json, headers }: { status: number; json: unknown; headers?: { readonly [name: string]: string } },
): void {
  response.writeHead(status, { "content-type": "application/json; charset=UTF-8", ...headers });
  response.end(JSON.stringify(json));
}

/** Serves on 127.0.0.1. Port 0: a free one. */
export async function serve(port: number, handle: Handle): Promise<LocalServer> {
  const server = createServer(async (incoming, response) => {
    try {
      await handle(await requestOf(incoming), response);
    } catch (error) {
      if (!response.headersSent) answerJson(response, { status: 500, json: { error: String(error) } });
      else response.destroy();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      server.closeAllConnections();
      await closed;
    },
  };
}
