import type { Engine, EngineOptions, Json, Store } from "@countersign/core";
import { createEngine, defineTool, memoryStore, rejected } from "@countersign/core";
import type { ManualClock } from "@countersign/core/testing";
import { manualClock } from "@countersign/core/testing";
import { expect } from "vitest";
import { z } from "zod";
import { describedAnswers } from "./described-answers.ts";
import type { Handler } from "./handler.ts";
import { createHandler } from "./handler.ts";
import type { HandlerOptions } from "./options.ts";
import type { Host } from "./route.ts";

/** Secrets that must never be seen in an answer. */
export const secrets = {
  agent: "agent-secret-0123456789",
  otherAgent: "other-agent-secret-0123456789",
  host: "host-secret-0123456789",
  operator: "operator-secret-0123456789",
  session: "session-secret-of-at-least-32-bytes-0123456789",
  shop: "shop-secret-0123456789",
} as const;

type Handled = { readonly orderId: string; readonly idempotencyKey: string };

/** What came back, with the body read as JSON where there is one. */
export type Answer = { readonly status: number; readonly headers: Headers; readonly body: unknown };

/** What to send. `as` is a bearer credential; `body` is JSON unless it is text or bytes already. */
export type Ask = {
  readonly as?: string | undefined;
  readonly body?: unknown;
  readonly headers?: { readonly [name: string]: string };
  readonly signal?: AbortSignal;
};

/** An API over a memory store and a clock that stands still, with a shop behind it. Every answer is held to the OpenAPI document. */
export type Api = {
  readonly engine: Engine;
  readonly store: Store;
  readonly clock: ManualClock;
  readonly handler: Handler;
  /** What reached the handler of cancel_order. */
  readonly handled: Handled[];
  /** Faults of the program that were logged. */
  readonly faults: unknown[];
  /** What cancel_order's preview finds. Default: nothing in particular. */
  look: () => unknown;
  /** What cancel_order does. Default: it answers `{ status: "cancelled" }`. */
  shop: (orderId: string) => unknown;
  /** What cancel_order's status handler answers. Default: it throws. */
  status: () => unknown;
  ask(method: string, path: string, ask?: Ask, host?: Host): Promise<Answer>;
  /** The same, with the answer as it is. */
  raw(method: string, path: string, ask?: Ask, host?: Host): Promise<Response>;
};

const start = Date.UTC(2026, 10, 30);

function tools(api: {
  shop: Api["shop"];
  look: Api["look"];
  status: Api["status"];
  readonly handled: Handled[];
}): EngineOptions["tools"] {
  const output = z.object({ status: z.string() });
  const input = z.strictObject({
    orderId: z.string().min(1),
    reason: z.enum(["late", "other"]),
    note: z.string().optional(),
    amount: z.number().optional(),
  });
  const cancelOrder = defineTool({
    name: "cancel_order",
    title: "Cancel order",
    description: "Cancels an open order.",
    effect: "write",
    recovery: "operator",
    extend: { seconds: 600, times: 1 },
    input,
    output,
    presentation: {
      title: "Cancel this order?",
      confirmLabel: "Cancel order",
      declineLabel: "Keep order",
      fields: [
        { argument: "orderId", label: "Order" },
        {
          argument: "reason",
          label: "Reason",
          editable: true,
          options: [
            { value: "late", label: "Arrives too late" },
            { value: "other", label: "Another reason" },
          ],
        },
        { argument: "note", label: "Note", editable: true },
        { argument: "amount", label: "Amount", editable: true },
      ],
      receipt: {
        title: "Order cancelled",
        fields: [{ result: "status", label: "Status" }],
        undo: {
          tool: "reopen_order",
          arguments: { orderId: { argument: "orderId" } },
          label: "Reopen order",
        },
      },
    },
    handler(args, context) {
      context.secrets.get("SHOP_API_KEY");
      api.handled.push({ orderId: args.orderId, idempotencyKey: context.idempotencyKey });
      return api.shop(args.orderId) as { status: string };
    },
    preview: () => api.look() as object,
    status: () => api.status() as never,
  });
  const reopenOrder = defineTool({
    name: "reopen_order",
    title: "Reopen order",
    description: "Reopens a cancelled order.",
    effect: "write",
    recovery: "operator",
    input: z.strictObject({ orderId: z.string().min(1) }),
    output,
    handler: () => ({ status: "open" }),
  });
  const addNote = defineTool({
    name: "add_note",
    title: "Add note",
    description: "Adds a note.",
    effect: "write",
    confirmation: "none",
    risk: "low",
    customer: "any",
    recovery: "operator",
    input: z.strictObject({ note: z.string() }),
    output,
    handler({ note }) {
      if (note === "lose") throw new Error("connection lost");
      return note === "refuse" ? rejected("Notes are closed.") : { status: "noted" };
    },
  });
  const findOrder = defineTool({
    name: "find_order",
    title: "Find order",
    description: "Looks an order up.",
    effect: "read",
    customer: "any",
    timeoutSeconds: 1,
    input: z.looseObject({ orderId: z.string() }),
    output: z.object({ total: z.number() }),
    handler({ orderId }) {
      if (orderId === "broken") throw new Error("the shop is down");
      return orderId === "slow" ? new Promise<never>(() => undefined) : { total: 2400 };
    },
  });
  return [cancelOrder, reopenOrder, addNote, findOrder];
}

function bodyOf(body: unknown): BodyInit | undefined {
  if (body === undefined || typeof body === "string" || body instanceof Uint8Array)
    return body as BodyInit | undefined;
  return JSON.stringify(body);
}

/** Makes an API at the first millisecond of 2026-11-30, UTC. */
export function makeApi(
  options: { readonly engine?: Partial<EngineOptions>; readonly http?: Partial<HandlerOptions> } = {},
): Api {
  const clock = manualClock(start);
  const store = options.engine?.store ?? memoryStore();
  const api = {
    shop: (): unknown => ({ status: "cancelled" }),
    look: (): unknown => ({}),
    status: (): unknown => {
      throw new Error("the shop does not know");
    },
    handled: [] as Handled[],
    faults: [] as unknown[],
  };
  const engine = createEngine({
    tools: tools(api),
    store,
    clock,
    secrets: { SHOP_API_KEY: secrets.shop },
    logger: { info: () => {}, warn: () => {}, error: () => {} },
    ...options.engine,
  });
  const handler = createHandler(engine, {
    apiKeys: [
      { name: "bot", roles: ["agent"], secret: secrets.agent },
      { name: "other-bot", roles: ["agent"], secret: secrets.otherAgent },
      { name: "shop", roles: ["host"], secret: secrets.host },
      { name: "ops", roles: ["operator"], secret: secrets.operator },
    ],
    sessionSecret: secrets.session,
    clock,
    logger: { fault: ({ error }) => api.faults.push(error) },
    ...options.http,
  });
  const raw: Api["raw"] = async (method, path, ask = {}, host) => {
    const body = bodyOf(ask.body);
    const request = new Request(`http://countersign.example${path}`, {
      method,
      headers: {
        ...(ask.as === undefined ? {} : { authorization: `Bearer ${ask.as}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...ask.headers,
      },
      ...(body === undefined ? {} : { body }),
      ...(ask.signal === undefined ? {} : { signal: ask.signal }),
    });
    return handler(request, host);
  };
  const describe = describedAnswers(raw);
  return Object.assign(api, {
    engine,
    store,
    clock,
    handler,
    raw,
    async ask(method: string, path: string, ask?: Ask, host?: Host) {
      const response = await raw(method, path, ask, host);
      const text = await response.text();
      const isText = response.headers.get("content-type") === "text/plain";
      const json = (): unknown => (text === "" ? undefined : JSON.parse(text));
      const answer = {
        status: response.status,
        headers: response.headers,
        body: isText ? text : json(),
      };
      await describe(method, path, answer);
      return answer;
    },
  });
}

/** The customer statement of these tests. */
export const ana: { readonly customerId: string; readonly level: string; readonly authenticatedAt: string } =
  {
    customerId: "cus_ana",
    level: "standard",
    authenticatedAt: new Date(start).toISOString(),
  };

/** What the bot proposes in these tests. */
export const cancelA1042 = {
  tool: "cancel_order",
  arguments: { orderId: "A-1042", reason: "late" },
} as const;

/** A card as a client reads it; only what tests look into. */
export type WireCard = { writeId: string; version: number; digest: string; state: string; seq: number };

/** Verifies Ana and answers with a card session's token. */
export async function signIn(api: Api, conversation = "c-1", customerId = "cus_ana"): Promise<string> {
  const authenticatedAt = new Date(api.clock.now()).toISOString();
  await api.ask("PUT", `/v1/conversations/${conversation}/customer`, {
    as: secrets.host,
    body: { ...ana, customerId, authenticatedAt },
  });
  const { body } = await api.ask("POST", `/v1/conversations/${conversation}/sessions`, { as: secrets.host });
  return (body as { token: string }).token;
}

/** Has the bot propose to cancel an order, and answers with the card. */
export async function propose(
  api: Api,
  token: string,
  conversation = "c-1",
  call: unknown = cancelA1042,
): Promise<WireCard> {
  // Two writes of one millisecond have no order that a person could tell.
  await api.clock.advance(1);
  await api.ask("POST", `/v1/conversations/${conversation}/calls`, { as: secrets.agent, body: call });
  const { body } = await api.ask("GET", "/v1/card", { as: token });
  return (body as { card: WireCard }).card;
}

/** Everything the store holds, as far as a listing shows. */
export async function listing(api: Api): Promise<Json> {
  const { writes } = await api.engine.operator.list({ limit: 200 });
  const conversation = await api.engine.host.readConversation("c-1");
  return JSON.parse(JSON.stringify({ writes, conversation }));
}

/** The members of a problem that clients switch on. */
export function refused(status: number, code: string, facts: object = {}): object {
  return {
    status,
    body: expect.objectContaining({
      status,
      code,
      type: `urn:countersign:problem:${code}`,
      detail: expect.any(String),
      ...facts,
    }),
  };
}
