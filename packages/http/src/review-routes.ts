import { isRefusal } from "@countersign/core";
import { z } from "zod";
import { refusalProblem } from "./problem.ts";
import type { Route } from "./route.ts";
import { json, route } from "./route.ts";

const reviewBody = z.strictObject({ code: z.string().min(1).max(200) });

/** What a page that was opened by a link in a chat may do first. */
export const reviewRoutes: readonly Route[] = [
  route({
    method: "POST",
    path: "/v1/review-sessions",
    name: "startReviewSession",
    summary:
      "Exchange the single-use code of a link in a chat for a card session. Where `mayConfirm` is false, a confirm sends a fresh prompt to the chat. A page that has a card session of the same customer sends it along, and may confirm.",
    credential: "none",
    body: { schema: reviewBody, name: "StartReviewSession" },
    answers: {
      201: {
        description: "The token of the session.",
        schema: z.object({ token: z.string(), expiresAt: z.iso.datetime(), mayConfirm: z.boolean() }),
      },
    },
    problems: ["expired"],
    async run({ engine, body, handling, request }) {
      const bearer = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
      const presented = bearer === undefined ? undefined : handling.seal.open(bearer);
      const counts = presented !== undefined && (await engine.sessionEnd(presented)) === undefined;
      const opened = await engine.openReview(body.code, counts ? presented : undefined);
      if (isRefusal(opened)) return refusalProblem(opened);
      const { session, mayConfirm } = opened;
      const expiresAt = new Date(session.expiresAt).toISOString();
      return json({ token: handling.seal.seal(session), expiresAt, mayConfirm }, 201);
    },
  }),
];
