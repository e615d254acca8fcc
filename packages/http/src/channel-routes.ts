import { isRefusal } from "@countersign/core";
import { z } from "zod";
import { problem, refusalProblem } from "./problem.ts";
import { readBytes } from "./request-body.ts";
import type { Call, Route, RouteAnswer } from "./route.ts";
import { route } from "./route.ts";

// Meta sends up to 3 MB, with up to a thousand updates in it (its webhooks' overview, 2026); a smaller limit would lose them.
export const maxWebhookBytes: number = 4 * 1024 * 1024;

async function receive({ engine, request, id }: Call): Promise<Response> {
  let body: Uint8Array | undefined;
  try {
    body = await readBytes(request, maxWebhookBytes);
  } catch {
    return problem("malformed", { reason: "the body broke off" });
  }
  if (body === undefined) return problem("too_large");
  const { pathname, search } = new URL(request.url);
  const answer = await engine.receiveWebhook(id, {
    method: request.method,
    target: pathname + search,
    header: (name) => request.headers.get(name),
    body,
  });
  if (isRefusal(answer)) return refusalProblem(answer);
  const { status, contentType, body: text } = answer;
  return new Response(text === "" ? null : text, { status, headers: { "content-type": contentType } });
}

function said(description: string): RouteAnswer {
  return { description, schema: z.string(), mediaType: "text/plain" };
}

const taken: Route["answers"] = {
  200: said("Kept, or nothing to keep; in the words that the platform wants to hear."),
  401: said("Not signed by the platform with a secret of this account; nothing was kept."),
};

/** Where chat platforms deliver what customers do. */
export const channelRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/v1/channels/{account}/webhook",
    name: "verifyWebhook",
    summary: "Answer a platform that checks who listens here.",
    credential: "none",
    answers: { 200: said("The platform's challenge."), 403: said("Not the token of this account.") },
    problems: ["not_found"],
    run: receive,
  }),
  route({
    method: "POST",
    path: "/v1/channels/{account}/webhook",
    name: "receiveWebhook",
    summary: "Take what customers did in a chat, signed by the platform.",
    credential: "none",
    answers: taken,
    problems: ["not_found", "too_large"],
    run: receive,
  }),
  route({
    method: "POST",
    path: "/v1/channels/{account}/status",
    name: "receiveStatus",
    summary: "Take what became of a message, signed by the platform.",
    credential: "none",
    answers: taken,
    problems: ["not_found", "too_large"],
    run: receive,
  }),
];
