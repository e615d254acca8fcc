import type { Card } from "@countersign/core/card";
import type { AnswerIssue, CardAnswer, RefusalAnswer, SessionEnd } from "../model/answer.ts";

type Members = { readonly [name: string]: unknown };

const isObject = (value: unknown): value is Members => typeof value === "object" && value !== null;

/** The card in `value`, if it looks like one; what it holds is the server's word. */
function parseCard(value: unknown): Card | null | undefined {
  if (value === null) return null;
  const looksRight =
    isObject(value) &&
    typeof value.writeId === "string" &&
    typeof value.seq === "number" &&
    typeof value.version === "number" &&
    typeof value.digest === "string" &&
    typeof value.state === "string" &&
    Array.isArray(value.fields);
  return looksRight ? (value as unknown as Card) : undefined;
}

/** Why a session ended, as the wire names it. */
export function parseSessionEnd(value: unknown): SessionEnd {
  return value === "customer_changed" || value === "signed_out" ? value : "expired";
}

function parseIssues(value: unknown): readonly AnswerIssue[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter(
    (issue): issue is AnswerIssue =>
      isObject(issue) && typeof issue.pointer === "string" && typeof issue.message === "string",
  );
}

function parseRefusal(body: Members): RefusalAnswer {
  const code = body.code as string;
  const card = parseCard(body.card);
  const issues = parseIssues(body.issues);
  const ended = code === "session_ended" || code === "customer_changed";
  return {
    type: "refusal",
    code,
    ...(card && { card }),
    ...(typeof body.serverTime === "string" && { serverTime: body.serverTime }),
    ...(issues && { issues }),
    ...(ended && { reason: parseSessionEnd(code === "customer_changed" ? code : body.reason) }),
  };
}

/** The body of a 200 or 201 as an answer; undefined when it is not one of this API. */
export function parseOk(body: unknown): Extract<CardAnswer, { type: "ok" }> | undefined {
  if (!isObject(body)) return undefined;
  const card = parseCard(body.card);
  if (card === undefined) return undefined;
  return {
    type: "ok",
    card,
    ...(typeof body.serverTime === "string" && { serverTime: body.serverTime }),
    ...(typeof body.consequencesChanged === "boolean" && {
      consequencesChanged: body.consequencesChanged,
    }),
  };
}

/**
 * What an HTTP answer says. A refusal must name its code; anything else (a proxy's page, a broken server) leaves open
 * whether the request was received. `preview_unavailable` is the one 5xx that says nothing was done.
 */
export async function parseAnswer(response: Response): Promise<CardAnswer> {
  let body: unknown;
  try {
    body = await response.json();
  } catch {
    return { type: "unreachable" };
  }
  if (response.ok) return parseOk(body) ?? { type: "unreachable" };
  if (!isObject(body) || typeof body.code !== "string") return { type: "unreachable" };
  if (response.status >= 500 && body.code !== "preview_unavailable") return { type: "unreachable" };
  return parseRefusal(body);
}

/** Whether a 401 says that its credential is too old, rather than another customer's. The response stays readable. */
export async function hasRunOut(response: Response): Promise<boolean> {
  const answer = await parseAnswer(response.clone());
  return answer.type !== "refusal" || (answer.reason ?? "expired") === "expired";
}
