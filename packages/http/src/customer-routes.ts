import { createHash } from "node:crypto";
import type { Card, CardPage, Json, Refusal } from "@countersign/core";
import { isRefusal } from "@countersign/core";
import { z } from "zod";
import { cardEvents } from "./card-events.ts";
import { keepAlive } from "./keep-alive.ts";
import { refusalProblem } from "./problem.ts";
import type { ProblemCode } from "./problem-table.ts";
import type { Call, Route, RouteBody } from "./route.ts";
import { json, route } from "./route.ts";
import { cardSchema, receiptSchema } from "./schemas.ts";

const serverTime = z.iso.datetime();
const versionBody = z.strictObject({ version: z.int() });
const confirmBody = z.strictObject({ version: z.int(), digest: z.string().max(200) });
const editBody = z.strictObject({ version: z.int(), values: z.looseObject({}) });

const cardAnswer = {
  description: "The card as it stands now.",
  schema: z.object({ card: cardSchema, serverTime }),
};
const decided: readonly ProblemCode[] = [
  "not_found",
  "already_decided",
  "expired",
  "withdrawn",
  "superseded",
];

/** The longest that a handler may take, and its lease. */
const longestRunMs = 330_000;

function timed(call: Call, members: object): object {
  return { ...members, serverTime: new Date(call.engine.now()).toISOString() };
}

function told<T extends object>(call: Call, answer: T | Refusal): Response {
  return isRefusal(answer) ? refusalProblem(answer) : json(timed(call, answer));
}

function etagOf({ card, others }: CardPage): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([card, others]), "utf8")
    .digest("base64url");
  return `"${hash.slice(0, 32)}"`;
}

/** Weak comparison (RFC 9110, 13.1.2). */
function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  const listed = ifNoneMatch.split(",").map((entry) => entry.trim().replace(/^W\//, ""));
  return listed.includes(etag) || listed.includes("*");
}

async function readCard(call: Call): Promise<Response> {
  const page = await call.engine.customer.card(call.session());
  if (isRefusal(page)) return refusalProblem(page);
  const etag = etagOf(page);
  if (matches(call.request.headers.get("if-none-match"), etag)) {
    return new Response(null, { status: 304, headers: { etag } });
  }
  return json(timed(call, { card: page.card, others: page.others }), 200, { etag });
}

/** The run belongs to the server, not to the request: a client that hangs up changes nothing. */
async function confirm(call: Call<z.infer<typeof confirmBody>>): Promise<Response> {
  const decision = { session: call.session(), writeId: call.id, ...call.body };
  const first = call.engine.customer.confirm(decision);
  const settled = async (): Promise<void> => {
    const answer = await first;
    if (isRefusal(answer) || answer.card.state !== "running") return;
    // The same confirm again runs nothing; it waits for the outcome, so the host stays awake until then.
    await call.engine.customer.confirm({ ...decision, waitMs: longestRunMs });
  };
  if (call.host !== undefined) void keepAlive(call.host, settled()).catch(() => undefined);
  return told(call, await first);
}

function decisionRoute<Body>(definition: {
  readonly command: string;
  readonly name: string;
  readonly summary: string;
  readonly body: RouteBody<Body>;
  readonly schema?: z.ZodType;
  readonly problems: readonly ProblemCode[];
  run(call: Call<Body>): Promise<Response>;
}): Route {
  const { command, name, summary, body, schema = cardAnswer.schema, problems, run } = definition;
  return route({
    method: "POST",
    path: `/v1/card/{writeId}/${command}`,
    name,
    summary,
    credential: "customer",
    body,
    answers: { 200: { ...cardAnswer, schema } },
    problems: [...decided, ...problems],
    run,
  });
}

type Decided = Promise<{ readonly card: Card } | Refusal>;

const versioned = (decide: (call: Call<z.infer<typeof versionBody>>) => Decided) => ({
  run: async (call: Call<z.infer<typeof versionBody>>): Promise<Response> => told(call, await decide(call)),
});

/** What a customer may do with the card of their conversation. */
export const customerRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/v1/card",
    name: "readCard",
    summary: "The newest card of this customer, and older receipts still worth showing.",
    credential: "customer",
    headers: { "If-None-Match": z.string() },
    answers: {
      200: {
        description: "The card, or null without a write. The ETag covers card and others.",
        schema: z.object({
          card: cardSchema.nullable(),
          others: z.array(z.object({ writeId: z.string(), receipt: receiptSchema })),
          serverTime,
        }),
      },
      304: { description: "Nothing changed since the named ETag." },
    },
    problems: [],
    run: readCard,
  }),
  route({
    method: "GET",
    path: "/v1/card/events",
    name: "watchCard",
    summary:
      "The card now and at every change, as server-sent events; the event `end` says why the session ended.",
    credential: "customer",
    headers: { "Last-Event-ID": z.string() },
    answers: {
      200: { description: "Events `card` and `end`.", schema: z.string(), mediaType: "text/event-stream" },
    },
    problems: [],
    run: cardEvents,
  }),
  decisionRoute({
    command: "edits",
    name: "editCard",
    summary: "Change editable fields; null removes an optional one.",
    body: { schema: editBody, name: "EditCard", arguments: "values" },
    schema: z.object({ card: cardSchema, consequencesChanged: z.boolean(), serverTime }),
    problems: [
      "stale_version",
      "edit_not_allowed",
      "invalid_arguments",
      "preview_failed",
      "preview_unavailable",
      "verification_required",
      "tool_failed",
    ],
    run: async (call) =>
      told(
        call,
        await call.engine.customer.edit({
          session: call.session(),
          writeId: call.id,
          version: call.body.version,
          values: call.body.values as { [pointer: string]: Json },
        }),
      ),
  }),
  decisionRoute({
    command: "confirm",
    name: "confirmCard",
    summary: "Confirm exactly this version; waits up to 10 s for the outcome, else the card says running.",
    body: { schema: confirmBody, name: "ConfirmCard" },
    problems: [
      "stale_version",
      "drifted",
      "preview_unavailable",
      "verification_required",
      "surface_unsupported",
    ],
    run: confirm,
  }),
  decisionRoute({
    command: "decline",
    name: "declineCard",
    summary: "Decline; an old version is fine.",
    body: { schema: versionBody, name: "DeclineCard" },
    problems: [],
    ...versioned((call) =>
      call.engine.customer.decline({ session: call.session(), writeId: call.id, version: call.body.version }),
    ),
  }),
  decisionRoute({
    command: "extend",
    name: "extendCard",
    summary: "Ask for more time, where the tool allows it.",
    body: { schema: versionBody, name: "ExtendCard" },
    problems: ["stale_version", "not_extendable"],
    ...versioned((call) =>
      call.engine.customer.extend({ session: call.session(), writeId: call.id, version: call.body.version }),
    ),
  }),
  route({
    method: "POST",
    path: "/v1/card/{writeId}/undo",
    name: "undoWrite",
    summary: "Propose the undo that the receipt offers, as a new write to be confirmed like any other.",
    credential: "customer",
    body: { schema: z.strictObject({}), name: "UndoWrite", mayBeEmpty: true },
    answers: { 201: { description: "The card of the new write.", schema: cardAnswer.schema } },
    problems: [
      "not_found",
      "write_in_progress",
      "not_undoable",
      "verification_required",
      "preview_failed",
      "preview_unavailable",
    ],
    async run(call) {
      const answer = await call.engine.customer.undo({ session: call.session(), writeId: call.id });
      return isRefusal(answer) ? refusalProblem(answer) : json(timed(call, answer), 201);
    },
  }),
];
