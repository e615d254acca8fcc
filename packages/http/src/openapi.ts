import { z } from "zod";
import type { ProblemCode, ProblemEntry } from "./problem-table.ts";
import { problems, problemType } from "./problem-table.ts";
import type { Credential, Route, RouteAnswer } from "./route.ts";
import {
  agentWriteSchema,
  cardSchema,
  issueSchema,
  journalSchema,
  levelSchema,
  operatorWriteSchema,
  receiptSchema,
  stateSchema,
} from "./schemas.ts";

type Part = { readonly [name: string]: unknown };

const named: { readonly [name: string]: z.ZodType } = {
  AgentWrite: agentWriteSchema,
  Card: cardSchema,
  Issue: issueSchema,
  Journal: journalSchema,
  Level: levelSchema,
  OperatorWrite: operatorWriteSchema,
  Receipt: receiptSchema,
  State: stateSchema,
};

const securityOf: { readonly [Kind in Credential]: readonly Part[] } = {
  agent: [{ agentKey: [] }],
  host: [{ hostKey: [] }],
  operator: [{ operatorKey: [] }],
  customer: [{ cardSession: [] }],
  none: [],
};

const bearer = (description: string): Part => ({ type: "http", scheme: "bearer", description });

function problemSchema(code: ProblemCode, { status, title, facts = {} }: ProblemEntry): z.ZodType {
  return z
    .object({
      type: z.literal(problemType(code)),
      title: z.literal(title),
      status: z.literal(status),
      code: z.literal(code),
      detail: z.string(),
      ...facts,
    })
    .describe(title);
}

const problemName = (code: string): string =>
  `${code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Problem`;

const ref = (name: string): Part => ({ $ref: `#/components/schemas/${name}` });

/** All schemas under their names, each of which the others refer to. */
function componentsOf(schemas: { readonly [name: string]: z.ZodType }): Part {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const made = z.toJSONSchema(registry, { io: "input", uri: (id) => `#/components/schemas/${id}` }).schemas;
  return Object.fromEntries(
    Object.entries(made).map(([name, { $schema: _schema, $id: _id, ...schema }]) => [name, schema]),
  );
}

function parameterSchema(schema: z.ZodType): Part {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return rest;
}

function parametersOf({ path, query = {}, headers = {} }: Route): Part[] {
  const id = /\{(\w+)\}/.exec(path)?.[1];
  return [
    ...(id === undefined
      ? []
      : [
          {
            name: id,
            in: "path",
            required: true,
            schema: { type: "string", maxLength: id === "customerId" ? 256 : 200 },
          },
        ]),
    ...Object.entries(query).map(([name, schema]) => ({
      name,
      in: "query",
      schema: parameterSchema(schema),
    })),
    ...Object.entries(headers).map(([name, schema]) => ({
      name,
      in: "header",
      schema: parameterSchema(schema),
    })),
  ];
}

/** The problems a route may answer with: its own and those that follow from what it takes. */
function problemsOf(route: Route): readonly ProblemCode[] {
  const { credential, body, query, path, problems: own } = route;
  const codes: ProblemCode[] = ["internal", "not_ready", ...own];
  if (credential === "customer") codes.push("unauthorized", "session_ended");
  else if (credential !== "none") codes.push("unauthorized", "forbidden");
  if (body !== undefined) codes.push("malformed", "too_large", "unsupported_media_type", "invalid_request");
  if (query !== undefined || path.includes("{conversationId}")) codes.push("invalid_request");
  return [...new Set(codes)];
}

function byStatus(codes: readonly ProblemCode[]): ReadonlyMap<string, readonly ProblemCode[]> {
  const groups = new Map<string, readonly ProblemCode[]>();
  for (const code of codes) {
    const status = String(problems[code].status);
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return groups;
}

function answersOf(route: Route, answerName: (status: string) => string): Part {
  const answers: Record<string, Part> = {};
  for (const [status, { description, schema, mediaType = "application/json" }] of Object.entries<RouteAnswer>(
    route.answers,
  )) {
    const content =
      schema === undefined ? {} : { content: { [mediaType]: { schema: ref(answerName(status)) } } };
    answers[status] = { description, ...content };
  }
  for (const [status, codes] of byStatus(problemsOf(route))) {
    const schema =
      codes.length === 1
        ? ref(problemName(codes[0] as string))
        : { oneOf: codes.map((code) => ref(problemName(code))) };
    const description = codes.map((code) => `\`${code}\`: ${problems[code].title}.`).join(" ");
    answers[status] = { description, content: { "application/problem+json": { schema } } };
  }
  return answers;
}

function upperFirst(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** The OpenAPI 3.1 document of these routes, made from the very schemas that requests are checked with. */
export function openApiDocument(routes: readonly Route[]): object {
  const schemas: Record<string, z.ZodType> = { ...named };
  const paths: Record<string, Record<string, Part>> = {};
  for (const [code, entry] of Object.entries(problems)) {
    schemas[problemName(code)] = problemSchema(code as ProblemCode, entry);
  }
  for (const route of routes) {
    const answerName = (status: string): string => {
      const schema = route.answers[Number(status)]?.schema as z.ZodType;
      const known = Object.entries(schemas).find(([, other]) => other === schema)?.[0];
      const name = known ?? `${upperFirst(route.name)}${status}`;
      schemas[name] = schema;
      return name;
    };
    if (route.body !== undefined) schemas[route.body.name] = route.body.schema;
    paths[route.path] ??= {};
    (paths[route.path] as Record<string, Part>)[route.method.toLowerCase()] = {
      operationId: route.name,
      summary: route.summary,
      security: securityOf[route.credential],
      parameters: parametersOf(route),
      ...(route.body === undefined
        ? {}
        : {
            requestBody: {
              required: route.body.mayBeEmpty !== true,
              content: { "application/json": { schema: ref(route.body.name) } },
            },
          }),
      responses: answersOf(route, answerName),
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Countersign",
      version: "1",
      description:
        "Writes of AI agents that run only after the customer has seen and confirmed exactly what will happen.",
    },
    paths,
    components: {
      schemas: componentsOf(schemas),
      securitySchemes: {
        agentKey: bearer("An api key with the role agent."),
        hostKey: bearer("An api key with the role host."),
        operatorKey: bearer("An api key with the role operator."),
        cardSession: bearer("The token of a card session, minted by the host."),
      },
    },
  };
}
