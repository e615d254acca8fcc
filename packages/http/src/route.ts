import type { CardSession, Engine } from "@countersign/core";
import type { z } from "zod";
import type { KeyHolder, Role } from "./api-keys.ts";
import type { Handling } from "./options.ts";
import type { ProblemCode } from "./problem-table.ts";

/** Who may use a route: the holder of a key with this role, the customer of a card session, or anyone. */
export type Credential = Role | "customer" | "none";

/** The host's promise that work outlives the answer, where it freezes afterwards. */
export type Host = { waitUntil(promise: Promise<unknown>): void };

/** One request that was let in: its credential, path, query and body are checked. */
export type Call<Body = unknown> = {
  readonly request: Request;
  readonly engine: Engine;
  readonly handling: Handling;
  readonly host: Host | undefined;
  /** The part of the path in braces, or the empty string. */
  readonly id: string;
  readonly query: { readonly [name: string]: unknown };
  readonly body: Body;
  /** Who presented an api key; throws on a route for others. */
  holder(): KeyHolder;
  /** Whose card session it is; throws on a route for others. */
  session(): CardSession;
};

/** A request body. `values` names the member whose faults are faults of arguments. */
export type RouteBody<Body> = {
  readonly schema: z.ZodType<Body>;
  readonly name: string;
  /** An empty body counts as `{}`. */
  readonly mayBeEmpty?: true;
  readonly arguments?: "arguments" | "values";
};

/** One answer that is not a problem. Without a schema it has no body. */
export type RouteAnswer = {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** Default: `application/json`. */
  readonly mediaType?: string;
};

/** One endpoint: what the server does and what its OpenAPI document says, in one place. */
export type Route<Body = unknown> = {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** `/v1/card/{writeId}/confirm`: at most one part in braces. */
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  readonly credential: Credential;
  readonly headers?: { readonly [name: string]: z.ZodType };
  readonly query?: { readonly [name: string]: z.ZodType };
  readonly body?: RouteBody<Body>;
  readonly answers: { readonly [status: number]: RouteAnswer };
  /** Beside those that follow from credential, body and query. */
  readonly problems: readonly ProblemCode[];
  run(call: Call<Body>): Promise<Response>;
};

/** Checks a route's body against its own `run`, then forgets the body's type so that routes fit in one list. */
export function route<Body>(definition: Route<Body>): Route {
  return definition as unknown as Route;
}

/** A JSON answer. */
export function json(
  value: unknown,
  status = 200,
  headers: { readonly [name: string]: string } = {},
): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}
