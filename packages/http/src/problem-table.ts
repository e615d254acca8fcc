import { z } from "zod";
import { cardSchema, issueSchema, levelSchema, stateSchema } from "./schemas.ts";

/** What one problem code means on the wire. `detail` says what to do next; `facts` are members beside the standard ones. */
export type ProblemEntry = {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly facts?: { readonly [name: string]: z.ZodType };
};

const issues = { issues: z.array(issueSchema) };
const truth = { card: cardSchema.optional() };
const reason = { reason: z.string() };

/** A stable name of a problem, as clients switch on it. */
export type ProblemCode =
  | "malformed"
  | "unauthorized"
  | "session_ended"
  | "forbidden"
  | "verification_required"
  | "not_found"
  | "unknown_tool"
  | "method_not_allowed"
  | "write_in_progress"
  | "recently_declined"
  | "idempotency_key_reused"
  | "call_in_progress"
  | "already_decided"
  | "stale_version"
  | "drifted"
  | "not_extendable"
  | "not_undoable"
  | "withdrawn"
  | "superseded"
  | "not_resolvable"
  | "not_checkable"
  | "check_in_progress"
  | "unfinished_writes"
  | "expired"
  | "too_large"
  | "unsupported_media_type"
  | "invalid_request"
  | "invalid_arguments"
  | "edit_not_allowed"
  | "preview_failed"
  | "surface_unsupported"
  | "confirmation_too_long"
  | "rate_limited"
  | "internal"
  | "tool_failed"
  | "preview_unavailable"
  | "not_ready"
  | "tool_timed_out";

/** Status, words and facts of every problem code. */
export const problems: { readonly [Code in ProblemCode]: ProblemEntry } = {
  malformed: {
    status: 400,
    title: "The body is not JSON",
    detail: "Send UTF-8 JSON without members of the same name and without __proto__.",
    facts: reason,
  },
  unauthorized: {
    status: 401,
    title: "The credential is missing or wrong",
    detail: "Send `Authorization: Bearer …` with the kind of credential this endpoint needs.",
  },
  session_ended: {
    status: 401,
    title: "The card session ended",
    detail: "Ask the host for a new card session of this conversation.",
    facts: { reason: z.enum(["expired", "customer_changed", "signed_out"]) },
  },
  forbidden: {
    status: 403,
    title: "The api key has another role",
    detail: "Use an api key with the role this endpoint needs.",
    facts: { role: z.enum(["agent", "host", "operator"]) },
  },
  verification_required: {
    status: 403,
    title: "The customer has to verify first",
    detail: "Have the customer sign in as stated, tell this server through the host, then call again.",
    facts: { level: levelSchema, maxAuthAgeSeconds: z.number().optional() },
  },
  not_found: { status: 404, title: "Nothing here", detail: "Check the path and the id." },
  unknown_tool: {
    status: 404,
    title: "No such tool",
    detail: "Call one of the configured tools by its exact name.",
  },
  method_not_allowed: {
    status: 405,
    title: "The method is not offered here",
    detail: "Use a method that the Allow header names.",
  },
  write_in_progress: {
    status: 409,
    title: "Another write of this conversation is open",
    detail: "Wait until the named write is finished, or withdraw it while it is proposed.",
    facts: { writeId: z.string(), state: stateSchema },
  },
  recently_declined: {
    status: 409,
    title: "The customer has just declined this",
    detail: "Do not propose the same again unless the customer asks for it later.",
    facts: { writeId: z.string(), retryAfterSeconds: z.number() },
  },
  idempotency_key_reused: {
    status: 409,
    title: "The key was used for another call",
    detail: "Use a new Idempotency-Key for every new intention.",
  },
  call_in_progress: {
    status: 409,
    title: "A call with this key is still in flight",
    detail: "Send the same call again in a moment.",
  },
  already_decided: {
    status: 409,
    title: "The write was decided already",
    detail: "Show how the write stands now.",
    facts: truth,
  },
  stale_version: {
    status: 409,
    title: "The decision is for another version",
    detail: "Show the current card and let the customer decide anew.",
    facts: truth,
  },
  drifted: {
    status: 409,
    title: "What would happen has changed",
    detail: "Show the current card and let the customer decide anew.",
    facts: truth,
  },
  not_extendable: {
    status: 409,
    title: "The time cannot be extended",
    detail: "Decide before the card expires, or have it proposed again.",
  },
  not_undoable: {
    status: 409,
    title: "This cannot be undone here",
    detail: "Offer an undo only where the receipt has one; otherwise ask for the opposite change.",
  },
  withdrawn: {
    status: 409,
    title: "The proposal was taken back",
    detail: "Nothing was changed. Show how the write stands now.",
    facts: truth,
  },
  superseded: {
    status: 409,
    title: "The proposal no longer stands",
    detail: "Nothing was changed. Show how the write stands now.",
    facts: truth,
  },
  not_resolvable: {
    status: 409,
    title: "Only an unknown or pending write can be checked or resolved",
    detail: "Read the write's state; it needs no check and no resolution.",
    facts: { state: stateSchema },
  },
  not_checkable: {
    status: 409,
    title: "The tool cannot be asked what happened",
    detail:
      "Find out in the system that the tool changes, then resolve the write; or give the tool a status handler.",
    facts: { tool: z.string() },
  },
  check_in_progress: {
    status: 409,
    title: "The write is being checked right now",
    detail: "Read the write again in a moment; check it then, if its outcome is still not known.",
    facts: { writeId: z.string() },
  },
  unfinished_writes: {
    status: 409,
    title: "The customer has writes that are not finished",
    detail: "Have the named writes decided, withdrawn, expired or resolved, then erase again.",
    facts: { writeIds: z.array(z.string()) },
  },
  expired: {
    status: 410,
    title: "The time to decide is over",
    detail: "Nothing was changed. Have it proposed again if it is still wanted.",
    facts: truth,
  },
  too_large: {
    status: 413,
    title: "The body is too large",
    detail: "Send at most 256 KiB; a platform's webhook may have 4 MiB.",
  },
  unsupported_media_type: {
    status: 415,
    title: "The body is of another media type",
    detail: "Send `Content-Type: application/json`.",
  },
  invalid_request: {
    status: 422,
    title: "The request does not fit this endpoint",
    detail: "Correct what the issues name and send it again.",
    facts: issues,
  },
  invalid_arguments: {
    status: 422,
    title: "The arguments do not fit the tool",
    detail: "Correct the arguments that the issues name and send them again.",
    facts: issues,
  },
  edit_not_allowed: {
    status: 422,
    title: "A field cannot be edited",
    detail: "Send values for editable fields of the card only.",
    facts: issues,
  },
  preview_failed: {
    status: 422,
    title: "The tool refuses this",
    detail: "Tell the customer the message; propose something else.",
    facts: { message: z.string() },
  },
  surface_unsupported: {
    status: 409,
    title: "This cannot be confirmed here",
    detail:
      "What is of high risk is confirmed on a page with the card and never in a chat; what was opened by a link in a chat is confirmed in that chat, where it was asked again just now.",
  },
  confirmation_too_long: {
    status: 422,
    title: "The confirmation does not fit into the customer's chat",
    detail:
      "It is never cut. Shorten values or labels, propose less at once, or send the customer to a page with the card.",
    facts: {
      part: z.enum(["prompt", "details", "label"]),
      limit: z.number(),
      length: z.number(),
      unit: z.enum(["characters", "bytes", "lines", "messages"]),
    },
  },
  rate_limited: {
    status: 429,
    title: "Too many proposals in this conversation",
    detail: "Wait as long as Retry-After says.",
    facts: { retryAfterSeconds: z.number() },
  },
  internal: {
    status: 500,
    title: "The server failed",
    detail: "Try again; if it stays, look for the request id in the server's log.",
    facts: { requestId: z.string() },
  },
  tool_failed: {
    status: 502,
    title: "The tool failed",
    detail: "Try again later, or tell the customer that this cannot be looked up now.",
    facts: { message: z.string().optional() },
  },
  preview_unavailable: {
    status: 503,
    title: "What would happen cannot be found out now",
    detail: "Nothing was changed and the write stays open. Try again in a moment.",
  },
  not_ready: {
    status: 503,
    title: "The store cannot be used now",
    detail: "Send the same again in a moment; if it stays, look at the server's log and at the store.",
  },
  tool_timed_out: {
    status: 504,
    title: "The tool took too long",
    detail: "Try again later, or tell the customer that this cannot be looked up now.",
  },
};

/** The `type` of a problem: a name, not an address. */
export function problemType(code: ProblemCode): string {
  return `urn:countersign:problem:${code}`;
}
