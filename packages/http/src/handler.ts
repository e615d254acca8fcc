import { randomUUID } from "node:crypto";
import type { CardSession, Engine } from "@countersign/core";
import { IntegrityError } from "@countersign/core";
import type { KeyHolder } from "./api-keys.ts";
import { corsHeaders, preflight } from "./cors.ts";
import { readInput } from "./input.ts";
import type { HandlerOptions, Handling } from "./options.ts";
import { checkOptions } from "./options.ts";
import { invalidRequest, problem } from "./problem.ts";
import type { Call, Host, Route } from "./route.ts";
import { findRoutes } from "./routes.ts";

/** Countersign's HTTP API. */
export type Handler = (request: Request, host?: Host) => Promise<Response>;

type Caller = { readonly holder?: KeyHolder; readonly session?: CardSession };

function bearerOf(request: Request): string | undefined {
  return /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
}

async function authenticate(
  request: Request,
  { credential }: Route,
  engine: Engine,
  handling: Handling,
): Promise<Caller | Response> {
  if (credential === "none") return {};
  const token = bearerOf(request);
  if (token === undefined) return problem("unauthorized");
  if (credential === "customer") {
    const session = handling.seal.open(token);
    if (session === undefined) return problem("unauthorized");
    const reason = await engine.sessionEnd(session);
    return reason === undefined ? { session } : problem("session_ended", { reason });
  }
  const holder = handling.holderOf(token);
  if (holder === undefined) return problem("unauthorized");
  return holder.roles.includes(credential) ? { holder } : problem("forbidden", { role: credential });
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Refuses ids that no conversation and no write can have, before anything is looked up. */
function checkId(path: string, id: string | undefined): Response | undefined {
  if (path.includes("{conversationId}") && (id === undefined || !/^[A-Za-z0-9._:-]{1,200}$/.test(id))) {
    return invalidRequest("/conversationId", "in the path: 1 to 200 of A-Z a-z 0-9 . _ : -");
  }
  if (path.includes("{writeId}") && (id === undefined || !/^[\x21-\x7e]{1,200}$/.test(id)))
    return problem("not_found");
  return undefined;
}

function only<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new IntegrityError(`this route has no ${what}`);
  return value;
}

async function serve(
  request: Request,
  route: Route,
  rawId: string,
  engine: Engine,
  handling: Handling,
  host?: Host,
): Promise<Response> {
  const caller = await authenticate(request, route, engine, handling);
  if (caller instanceof Response) return caller;
  const id = decoded(rawId);
  const refusedId = checkId(route.path, id);
  if (refusedId !== undefined) return refusedId;
  const input = await readInput(request, route);
  if (input instanceof Response) return input;
  const call: Call = {
    request,
    engine,
    handling,
    host,
    id: id ?? "",
    ...input,
    holder: () => only(caller.holder, "api key"),
    session: () => only(caller.session, "card session"),
  };
  return route.run(call);
}

/** Another copy of the core may have thrown it, so the class says nothing. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Error && error.name === "UnavailableError";
}

function methodsOf(byMethod: ReadonlyMap<string, Route>): string[] {
  const methods = [...byMethod.keys()];
  return methods.includes("GET") ? [...methods, "HEAD"] : methods;
}

/** The answer to a GET, without its body. */
async function withoutBody(answer: Response): Promise<Response> {
  await answer.body?.cancel();
  return new Response(null, { status: answer.status, headers: answer.headers });
}

async function answerAt(
  path: string,
  request: Request,
  engine: Engine,
  handling: Handling,
  host?: Host,
): Promise<Response> {
  const found = findRoutes(path);
  if (found === undefined) return problem("not_found");
  const methods = methodsOf(found.byMethod);
  const allowed = preflight(request, methods, handling.allowedOrigins);
  if (allowed !== undefined) return allowed;
  const isHead = request.method === "HEAD";
  const route = found.byMethod.get(isHead ? "GET" : request.method);
  if (route === undefined) return problem("method_not_allowed", {}, { allow: methods.join(", ") });
  const requestId = randomUUID();
  try {
    const answer = await serve(request, route, found.id, engine, handling, host);
    return isHead ? await withoutBody(answer) : answer;
  } catch (error) {
    handling.logger.fault({ requestId, route: `${route.method} ${route.path}`, error });
    return isUnavailable(error) ? problem("not_ready") : problem("internal", { requestId });
  }
}

/**
 * Makes the HTTP API of an engine: one function from Request to Response, to be mounted in any server.
 *
 * Throws ConfigurationError when keys or secrets are missing or weak. The function never rejects. Give it the host's
 * `waitUntil` where the process is frozen after an answer, or a confirmed write may be cut off in the middle.
 */
export function createHandler(engine: Engine, options: HandlerOptions): Handler {
  const handling = checkOptions(options);
  return async (request, host) => {
    const path = new URL(request.url).pathname;
    const answer = await answerAt(path, request, engine, handling, host);
    const cors = corsHeaders(request.headers.get("origin"), handling.allowedOrigins);
    for (const [name, value] of Object.entries(cors)) answer.headers.set(name, value);
    if (path.startsWith("/v1/")) answer.headers.set("cache-control", "no-store");
    return answer;
  };
}
