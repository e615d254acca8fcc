import { isRefusal } from "@countersign/core";
import { z } from "zod";
import { keepAlive } from "./keep-alive.ts";
import { invalidRequest, refusalProblem } from "./problem.ts";
import type { Call, Route } from "./route.ts";
import { json, route } from "./route.ts";
import { journalSchema, operatorWriteSchema, stateSchema } from "./schemas.ts";

const resolveBody = z.strictObject({
  outcome: z.enum(["applied", "not_applied"]),
  note: z.string().min(1).max(2000),
  operator: z.string().min(1).max(200),
});

const byOperator = z.strictObject({ operator: z.string().min(1).max(200).optional() });

async function listWrites({ engine, query }: Call): Promise<Response> {
  const { conversation, attention, ...rest } = query as {
    conversation?: string;
    attention?: "true" | "false";
  };
  try {
    return json(
      await engine.operator.list({
        ...rest,
        ...(conversation === undefined ? {} : { conversationId: conversation }),
        ...(attention === "true" ? { attention: true } : {}),
      }),
    );
  } catch (error) {
    // The store's word for a cursor that it did not give.
    if (error instanceof RangeError && "cursor" in query) {
      return invalidRequest("/cursor", "is not the nextCursor of a page; start again without it");
    }
    throw error;
  }
}

/** What an operator may do: list, read journals, check, resolve, erase. */
export const operatorRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/v1/writes",
    name: "listWrites",
    summary: "List writes, newest first.",
    credential: "operator",
    query: {
      state: stateSchema,
      tool: z.string().max(64),
      conversation: z.string().max(200),
      attention: z.enum(["true", "false"]),
      limit: z.int().min(1).max(200),
      cursor: z.string().min(1).max(1000),
    },
    answers: {
      200: {
        description: "A page of writes.",
        schema: z.object({ writes: z.array(operatorWriteSchema), nextCursor: z.string().nullable() }),
      },
    },
    problems: [],
    run: listWrites,
  }),
  route({
    method: "GET",
    path: "/v1/writes/{writeId}/journal",
    name: "readJournal",
    summary: "Export the journal of a write, to be proved offline.",
    credential: "operator",
    answers: { 200: { description: "Every event, and the hash of the last.", schema: journalSchema } },
    problems: ["not_found"],
    async run({ engine, id }) {
      const answer = await engine.operator.journal(id);
      return isRefusal(answer) ? refusalProblem(answer) : json(answer);
    },
  }),
  route({
    method: "POST",
    path: "/v1/writes/{writeId}/resolve",
    name: "resolveWrite",
    summary: "Settle an unknown or pending write from what a person found out.",
    credential: "operator",
    body: { schema: resolveBody, name: "ResolveWrite" },
    answers: { 200: { description: "The settled write.", schema: operatorWriteSchema } },
    problems: ["not_found", "not_resolvable"],
    async run({ engine, id, body }) {
      const answer = await engine.operator.resolve({ writeId: id, ...body });
      return isRefusal(answer) ? refusalProblem(answer) : json(answer);
    },
  }),
  route({
    method: "POST",
    path: "/v1/writes/{writeId}/check",
    name: "checkWrite",
    summary: "Ask the tool now what became of an unknown or pending write. Takes as long as the tool does.",
    credential: "operator",
    body: { schema: byOperator, name: "CheckWrite", mayBeEmpty: true },
    answers: { 200: { description: "The write as it stands now.", schema: operatorWriteSchema } },
    problems: ["not_found", "not_resolvable", "not_checkable", "check_in_progress"],
    async run({ engine, id, body, host, holder }) {
      const check = { writeId: id, operator: body.operator ?? holder().name };
      const answer = await keepAlive(host, engine.operator.check(check));
      return isRefusal(answer) ? refusalProblem(answer) : json(answer);
    },
  }),
  route({
    method: "POST",
    path: "/v1/customers/{customerId}/erase",
    name: "eraseCustomer",
    summary: "Forget a customer: every value of theirs goes, the journals still verify.",
    credential: "operator",
    body: { schema: byOperator, name: "EraseCustomer", mayBeEmpty: true },
    answers: {
      200: {
        description: "How many writes of the customer there were.",
        schema: z.object({ writes: z.int() }),
      },
    },
    problems: ["not_found", "unfinished_writes"],
    async run({ engine, id, body, holder }) {
      const erase = { customerId: id, operator: body.operator ?? holder().name };
      const answer = await engine.operator.erase(erase);
      return isRefusal(answer) ? refusalProblem(answer) : json(answer);
    },
  }),
];
