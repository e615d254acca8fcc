import type { Refusal } from "@countersign/core";
import type { ProblemCode } from "./problem-table.ts";
import { problems, problemType } from "./problem-table.ts";

type Facts = { readonly [name: string]: unknown };

const secondsUntilNextTry = 5;

function retryAfter(code: ProblemCode, facts: Facts): number | undefined {
  if (typeof facts.retryAfterSeconds === "number") return Math.max(1, Math.ceil(facts.retryAfterSeconds));
  return problems[code].status === 503 ? secondsUntilNextTry : undefined;
}

/** An `application/problem+json` answer (RFC 9457): the code's words, then the facts. */
export function problem(
  code: ProblemCode,
  facts: Facts = {},
  headers: { readonly [name: string]: string } = {},
): Response {
  const { status, title, detail } = problems[code];
  const seconds = retryAfter(code, facts);
  return new Response(JSON.stringify({ type: problemType(code), title, status, code, detail, ...facts }), {
    status,
    headers: {
      "content-type": "application/problem+json",
      ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
      ...(seconds === undefined ? {} : { "retry-after": String(seconds) }),
      ...headers,
    },
  });
}

/** A 422 `invalid_request` for one place of the request. */
export function invalidRequest(pointer: string, message: string): Response {
  return problem("invalid_request", { issues: [{ pointer, message }] });
}

/** How a refusal of the engine is told. */
export function refusalProblem(refusal: Refusal): Response {
  switch (refusal.refused) {
    case "unknown_channel":
      return invalidRequest("/channel", "is not the name of a configured channel account");
    case "invalid_verification":
      return problem("invalid_request", { issues: refusal.issues });
    default: {
      const { refused, ...facts } = refusal;
      return problem(refused, facts);
    }
  }
}
