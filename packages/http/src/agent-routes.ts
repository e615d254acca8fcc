import type { CallAnswer } from "@countersign/core";
import { isRefusal } from "@countersign/core";
import { z } from "zod";
import { keepAlive } from "./keep-alive.ts";
import { invalidRequest, refusalProblem } from "./problem.ts";
import type { Call, Route } from "./route.ts";
import { json, route } from "./route.ts";
import { agentWriteSchema, stateSchema } from "./schemas.ts";

const callBody = z.strictObject({ tool: z.string(), arguments: z.looseObject({}) });
const withdrawBody = z.strictObject({ reason: z.string().min(1).max(500).optional() });
const idempotencyKey = z.string().regex(/^[\x20-\x7e]{1,200}$/);

const result = z.object({ kind: z.literal("result"), tool: z.string(), result: z.unknown() });
const noop = z.object({ kind: z.literal("result"), tool: z.string(), noop: z.literal(true) });
const write = z.object({ kind: z.literal("write"), write: agentWriteSchema });

function callAnswer(answer: CallAnswer): Response {
  const headers: Record<string, string> = answer.replayed ? { "idempotent-replayed": "true" } : {};
  switch (answer.kind) {
    case "result":
      return json({ kind: "result", tool: answer.tool, result: answer.result }, 200, headers);
    case "noop":
      return json({ kind: "result", tool: answer.tool, noop: true }, 200, headers);
    case "write":
      // A repeated key is answered as the first time: with 201, and the write as it stands now.
      return json(
        { kind: "write", write: answer.write },
        answer.created || answer.replayed ? 201 : 200,
        headers,
      );
  }
}

async function callTool(call: Call<z.infer<typeof callBody>>): Promise<Response> {
  const key = call.request.headers.get("idempotency-key");
  if (key !== null && !idempotencyKey.safeParse(key).success) {
    return invalidRequest("", "the header Idempotency-Key has 1 to 200 printable ASCII characters");
  }
  const answer = await keepAlive(
    call.host,
    call.engine.agent.call({
      agent: call.holder().name,
      conversationId: call.id,
      tool: call.body.tool,
      arguments: call.body.arguments,
      ...(key === null ? {} : { idempotencyKey: key }),
    }),
  );
  return isRefusal(answer) ? refusalProblem(answer) : callAnswer(answer);
}

/** Ends a wait when the client is gone or the server closes, and forgets both afterwards. */
async function whileWanted<T>(call: Call, wait: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const unwanted = new AbortController();
  const stop = (): void => unwanted.abort();
  const sources = [call.request.signal, call.handling.closing];
  for (const source of sources) {
    if (source.aborted) stop();
    source.addEventListener("abort", stop);
  }
  try {
    return await wait(unwanted.signal);
  } finally {
    for (const source of sources) source.removeEventListener("abort", stop);
  }
}

async function readWrite(call: Call): Promise<Response> {
  const { state, wait = 0 } = call.query as { state?: string; wait?: number };
  if (wait > 0 && state === undefined) {
    return invalidRequest("/state", "name in the query the state that you want to see changed");
  }
  const read = { agent: call.holder().name, writeId: call.id };
  const answer =
    wait > 0 && state !== undefined
      ? await whileWanted(call, (signal) =>
          call.engine.agent.readWhen({ ...read, state, waitMs: wait * 1000, signal }),
        )
      : await call.engine.agent.read(read);
  return isRefusal(answer) ? refusalProblem(answer) : json(answer);
}

async function withdraw(call: Call<z.infer<typeof withdrawBody>>): Promise<Response> {
  const { reason } = call.body;
  const answer = await call.engine.agent.withdraw({
    agent: call.holder().name,
    writeId: call.id,
    ...(reason === undefined ? {} : { reason }),
  });
  return isRefusal(answer) ? refusalProblem(answer) : json(answer);
}

/** What an agent may do: call tools, read and take back its own writes. */
export const agentRoutes: readonly Route[] = [
  route({
    method: "POST",
    path: "/v1/conversations/{conversationId}/calls",
    name: "callTool",
    summary:
      "Call a tool. A read answers with its result, a write with a proposal that waits for the customer.",
    credential: "agent",
    headers: { "Idempotency-Key": idempotencyKey },
    body: { schema: callBody, name: "CallTool", arguments: "arguments" },
    answers: {
      200: {
        description: "The result of a read; nothing to do; or the write that waits already.",
        schema: z.union([result, noop, write]),
      },
      201: { description: "The new write, or what a repeated key led to.", schema: write },
    },
    problems: [
      "unknown_tool",
      "verification_required",
      "write_in_progress",
      "recently_declined",
      "surface_unsupported",
      "confirmation_too_long",
      "idempotency_key_reused",
      "call_in_progress",
      "invalid_arguments",
      "preview_failed",
      "rate_limited",
      "tool_failed",
      "tool_timed_out",
      "preview_unavailable",
    ],
    run: callTool,
  }),
  route({
    method: "GET",
    path: "/v1/writes/{writeId}",
    name: "readWrite",
    summary: "Read a write of this key, at once or as soon as its state differs from the one named.",
    credential: "agent",
    query: { wait: z.int().min(0).max(60), state: stateSchema },
    answers: { 200: { description: "The write as it stands.", schema: agentWriteSchema } },
    problems: ["not_found"],
    run: readWrite,
  }),
  route({
    method: "POST",
    path: "/v1/writes/{writeId}/withdraw",
    name: "withdrawWrite",
    summary: "Take back a proposal that waits for its decision.",
    credential: "agent",
    body: { schema: withdrawBody, name: "WithdrawWrite", mayBeEmpty: true },
    answers: { 200: { description: "The withdrawn write.", schema: agentWriteSchema } },
    problems: ["not_found", "already_decided"],
    run: withdraw,
  }),
];
