import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Engine, isRefusal } from "@countersign/core";
import { maxWebhookBytes } from "./channel-routes.ts";
import { isUnavailable } from "./handler.ts";
import { consoleLogger, type HttpLogger } from "./options.ts";
import { problem, refusalProblem } from "./problem.ts";

const webhook = /^\/v1\/channels\/([A-Za-z0-9_-]+)\/(?:webhook|status)(?:\?|$)/;

/**
 * Calls `then` once with the bytes, or with undefined when there are more than a platform ever sends; never when the sender
 * breaks off, since then nobody waits for an answer.
 */
function whenRead(request: IncomingMessage, then: (body: Buffer | undefined) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  request.on("data", (chunk: Buffer) => {
    const before = size;
    size += chunk.length;
    if (size <= maxWebhookBytes) chunks.push(chunk);
    else if (before <= maxWebhookBytes) then(undefined);
  });
  request.on("end", () => {
    if (size <= maxWebhookBytes) then(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
  });
}

async function sendProblem(response: ServerResponse, answer: Response): Promise<void> {
  const { "content-type": type = "", "retry-after": retryAfter } = Object.fromEntries(answer.headers);
  response.writeHead(answer.status, {
    "content-type": type,
    "cache-control": "no-store",
    ...(retryAfter !== undefined && { "retry-after": retryAfter }),
  });
  response.end(await answer.text());
}

/**
 * Takes platforms' webhooks on a Node server, as the API's own endpoint does, at a tenth of the cost: without a Request and
 * the streams behind it. Answers with false, and has touched nothing, for any other request.
 */
export function webhookListener(
  engine: Engine,
  { logger = consoleLogger }: { readonly logger?: HttpLogger } = {},
): (request: IncomingMessage, response: ServerResponse) => boolean {
  async function take(
    account: string,
    body: Buffer | undefined,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (body === undefined) {
      await sendProblem(response, problem("too_large"));
      return;
    }
    const answer = await engine.receiveWebhook(account, {
      method: "POST",
      target: request.url ?? "",
      header(name) {
        const value = request.headers[name.toLowerCase()];
        return value === undefined ? null : String(value);
      },
      body,
    });
    if (isRefusal(answer)) {
      await sendProblem(response, refusalProblem(answer));
      return;
    }
    const { status, contentType, body: text } = answer;
    if (text === "") {
      // Nothing to describe and, of a POST, nothing to cache.
      response.writeHead(status).end();
      return;
    }
    response.writeHead(status, {
      "content-type": contentType,
      "content-length": Buffer.byteLength(text),
      "cache-control": "no-store",
    });
    response.end(text);
  }

  return (request, response) => {
    const account = request.method === "POST" ? webhook.exec(request.url ?? "")?.[1] : undefined;
    if (account === undefined) return false;
    whenRead(request, (body) => {
      take(account, body, request, response).catch((error: unknown) => {
        const requestId = randomUUID();
        logger.fault({ requestId, route: "POST /v1/channels/{account}/webhook", error });
        void sendProblem(
          response,
          isUnavailable(error) ? problem("not_ready") : problem("internal", { requestId }),
        );
      });
    });
    return true;
  };
}
