import type { z } from "zod";
import { invalidRequest, problem } from "./problem.ts";
import { readBody } from "./request-body.ts";
import type { Route, RouteBody } from "./route.ts";
import type { ValueFault } from "./strict-json.ts";

type Input = { readonly query: { readonly [name: string]: unknown }; readonly body: unknown };

type WireIssue = { readonly pointer: string; readonly message: string };

const escapeToken = (token: string): string => token.replaceAll("~", "~0").replaceAll("/", "~1");
const unescapeToken = (token: string): string => token.replaceAll("~1", "/").replaceAll("~0", "~");
const pointerOf = (path: readonly PropertyKey[]): string =>
  path.map((step) => `/${escapeToken(String(step))}`).join("");

/** One issue per place: what else is wrong there shows once the first is put right. */
function issuesOf(error: z.ZodError): WireIssue[] {
  const issues = error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({
          pointer: pointerOf([...issue.path, key]),
          message: "is not a member of this request",
        }))
      : [{ pointer: pointerOf(issue.path), message: issue.message }],
  );
  return issues.filter(
    ({ pointer }, index) => issues.findIndex((other) => other.pointer === pointer) === index,
  );
}

/** Where a fault lies within the arguments: those of a call are named from their root, edited ones by their own pointer. */
function pointerInArguments(pointer: string, member: "arguments" | "values"): string | undefined {
  const [, first, second = "", ...rest] = pointer.split("/");
  if (first !== member) return undefined;
  if (member === "arguments") return pointer.slice("/arguments".length);
  return [unescapeToken(second), ...rest].join("/");
}

function faultProblem({ pointer, message }: ValueFault, body: RouteBody<unknown>): Response {
  const inArguments = body.arguments === undefined ? undefined : pointerInArguments(pointer, body.arguments);
  if (inArguments === undefined) return invalidRequest(pointer, message);
  return problem("invalid_arguments", { issues: [{ pointer: inArguments, message }] });
}

async function readRouteBody(request: Request, route: Route): Promise<{ readonly body: unknown } | Response> {
  const { body } = route;
  if (body === undefined) return { body: undefined };
  const read = await readBody(request);
  if ("refused" in read) return problem(read.refused);
  if ("malformed" in read) return problem("malformed", { reason: read.malformed });
  if ("empty" in read)
    return body.mayBeEmpty ? { body: {} } : problem("malformed", { reason: "the body is empty" });
  if (read.fault !== undefined) return faultProblem(read.fault, body);
  const parsed = body.schema.safeParse(read.value);
  return parsed.success
    ? { body: parsed.data }
    : problem("invalid_request", { issues: issuesOf(parsed.error) });
}

/** A query holds texts only; one that spells a number is offered as a number too. */
function readParameter(schema: z.ZodType, text: string): z.ZodSafeParseResult<unknown> {
  const asText = schema.safeParse(text);
  return asText.success || !/^-?\d{1,15}$/.test(text) ? asText : schema.safeParse(Number(text));
}

function readQuery(request: Request, route: Route): { readonly query: Input["query"] } | Response {
  const given = new URL(request.url).searchParams;
  const query: Record<string, unknown> = {};
  const issues: WireIssue[] = [];
  for (const [name, schema] of Object.entries(route.query ?? {})) {
    const text = given.get(name);
    if (text === null) continue;
    const parsed = readParameter(schema, text);
    if (parsed.success) query[name] = parsed.data;
    else
      issues.push(
        ...parsed.error.issues.map(({ message }) => ({
          pointer: `/${name}`,
          message: `in the query: ${message}`,
        })),
      );
  }
  return issues.length === 0 ? { query } : problem("invalid_request", { issues });
}

/** Reads and checks what a request brings beside its path and credential, or answers with what is wrong. */
export async function readInput(request: Request, route: Route): Promise<Input | Response> {
  const query = readQuery(request, route);
  if (query instanceof Response) return query;
  const body = await readRouteBody(request, route);
  return body instanceof Response ? body : { ...query, ...body };
}
