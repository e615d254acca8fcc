import { z } from "zod";
import type { Card } from "../card/model.ts";
import type { OperatorPrincipal } from "../flow/principal.ts";
import { isRefusal, type Refusal } from "../flow/refusal.ts";
import { memoryStore } from "../memory/store.ts";
import type { Store } from "../ports/store.ts";
import { type ManualClock, manualClock } from "../testing/manual-clock.ts";
import type { ReadContext, Tool, WriteContext } from "../tool/define.ts";
import { defineTool } from "../tool/define-tool.ts";
import { createEngine, type EngineOptions } from "./create.ts";
import type { CallAnswer, CardSession, Engine } from "./engine.ts";
import type { Logger } from "./observe.ts";
import type { AgentWrite } from "./views.ts";

type CancelArguments = {
  readonly orderId: string;
  readonly reason: "late" | "other";
  readonly note?: string | undefined;
};

/** One recorded call of a handler. */
export type HandlerCall = { readonly args: CancelArguments; readonly context: WriteContext };

/** An engine over a store, with a shop whose answer a test chooses. */
export type Scene = {
  readonly engine: Engine;
  readonly store: Store;
  readonly clock: ManualClock;
  /** Every call that reached the write handler. */
  readonly calls: HandlerCall[];
  /** What the write handler does next. Default: it returns `{ status: "cancelled" }`. */
  handler: (args: CancelArguments, context: WriteContext) => unknown;
  /** What the status handler does next. Default: it throws. */
  status: (known: { readonly operationRef: string | undefined }, context: WriteContext) => unknown;
  read: (context: ReadContext) => unknown;
};

/** A log that nobody reads. */
export const quietLogger: Logger = { info: () => {}, warn: () => {}, error: () => {} };

/** Makes a scene at the first millisecond of 2026-11-30, UTC. */
export function makeScene(
  options: Partial<EngineOptions> & {
    readonly tool?: { readonly [key: string]: unknown };
    /** Told of what is logged as an error, with its class. */
    readonly report?: (error: Error, during: string) => void;
  } = {},
): Scene {
  const { tool = {}, report, ...rest } = options;
  const logger = report && {
    ...quietLogger,
    error: ({ error, during, why = "" }: { readonly [name: string]: unknown }) =>
      report(Object.assign(new Error(String(why)), { name: String(error) }), String(during)),
  };
  const clock = manualClock(Date.UTC(2026, 10, 30));
  const store = rest.store ?? memoryStore();
  const calls: HandlerCall[] = [];
  const scene = {
    clock,
    store,
    calls,
    handler: (): unknown => ({ status: "cancelled" }),
    status: (): unknown => {
      throw new Error("the shop does not know");
    },
    read: (): unknown => ({ total: 2400 }),
  } as unknown as Scene & { engine: Engine };
  const input = z.strictObject({
    orderId: z.string().min(1),
    reason: z.enum(["late", "other"]),
    note: z.string().optional(),
  });
  const output = z.object({ status: z.string() });
  const cancelOrder: Tool = defineTool({
    name: "cancel_order",
    title: "Cancel order",
    description: "Cancels an open order.",
    effect: "write",
    recovery: "status",
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
      ],
      receipt: { title: "Order cancelled", fields: [{ result: "status", label: "Status" }] },
    },
    handler: (args: CancelArguments, context: WriteContext) => {
      calls.push({ args, context });
      return scene.handler(args, context) as { status: string };
    },
    status: (known: { operationRef: string | undefined }, context: WriteContext) =>
      scene.status(known, context),
    ...tool,
  } as never);
  const addNote = defineTool({
    name: "add_note",
    title: "Add note",
    description: "Adds a note to the ticket.",
    effect: "write",
    confirmation: "none",
    risk: "low",
    customer: "any",
    recovery: "operator",
    input,
    output,
    handler: (args, context) => {
      calls.push({ args, context });
      return scene.handler(args, context) as { status: string };
    },
  });
  const findOrder = defineTool({
    name: "find_order",
    title: "Find order",
    description: "Looks an order up.",
    effect: "read",
    customer: "any",
    input: z.object({ orderId: z.string() }),
    output: z.object({ total: z.number() }),
    handler: (_args, context) => scene.read(context) as { total: number },
  });
  const tools: readonly Tool[] = [cancelOrder, addNote, findOrder];
  return Object.assign(scene, {
    engine: createEngine({ tools, clock, store, ...(logger && { logger }), ...rest }),
  });
}

/** An operator of the shop who may use its tools. */
export const operatorBen: OperatorPrincipal = {
  kind: "operator",
  actorId: "ben",
  authMethod: "token",
  clientApplicationId: "desk",
  merchantId: "shop",
  role: "owner",
  scopes: ["mcp:write"],
};

/** What Ana's bot proposes in these tests. */
export const cancelA1042 = { orderId: "A-1042", reason: "late" } as const;

/** Verifies a customer in conversation c-1 and opens their card session. */
export async function signIn(
  { engine, clock }: Scene,
  customerId = "cus_ana",
  conversationId = "c-1",
): Promise<CardSession> {
  await engine.host.customerVerified({
    conversationId,
    customerId,
    level: "standard",
    authenticatedAt: clock.now(),
  });
  return engine.host.startSession({ conversationId });
}

/** Calls a tool as the agent "bot" in conversation c-1. */
export function call(
  { engine }: Scene,
  tool = "cancel_order",
  args: unknown = cancelA1042,
  rest: { readonly conversationId?: string; readonly idempotencyKey?: string } = {},
): ReturnType<Engine["agent"]["call"]> {
  return engine.agent.call({ agent: "bot", conversationId: "c-1", tool, arguments: args, ...rest });
}

/** The write that a call led to; throws what the answer was otherwise. */
export function writeIn(answer: Awaited<ReturnType<Engine["agent"]["call"]>>): AgentWrite {
  if ("refused" in answer || answer.kind !== "write")
    throw new Error(`no write: ${JSON.stringify(answer satisfies CallAnswer | object)}`);
  return answer.write;
}

/** An answer that is no refusal; throws what was refused otherwise. */
export function granted<Answer extends object>(answer: Answer): Exclude<Answer, Refusal> {
  if (isRefusal(answer)) throw new Error(`refused: ${JSON.stringify(answer)}`);
  return answer as Exclude<Answer, Refusal>;
}

/** The card on the customer's page; throws where there is none. */
export async function cardOf({ engine }: Scene, session: CardSession): Promise<Card> {
  const { card } = granted(await engine.customer.card(session));
  if (!card) throw new Error("there is no card");
  return card;
}

/** Confirms a card as it is shown. */
export function confirm(
  { engine }: Scene,
  session: CardSession,
  { writeId, version, digest }: Pick<Card, "writeId" | "version" | "digest">,
  rest: { readonly waitMs?: number } = {},
): ReturnType<Engine["customer"]["confirm"]> {
  return engine.customer.confirm({ session, writeId, version, digest, ...rest });
}

/** Ana signs in, her bot proposes to cancel A-1042, and the card is in front of her. */
export async function proposed(
  options: Parameters<typeof makeScene>[0] = {},
): Promise<{ readonly scene: Scene; readonly session: CardSession; readonly card: Card }> {
  const scene = makeScene(options);
  const session = await signIn(scene);
  writeIn(await call(scene));
  return { scene, session, card: await cardOf(scene, session) };
}

/** Ana signs in, her bot proposes, she confirms, and the shop's answer is `handler`'s. */
export async function ran(
  handler: Scene["handler"],
  options: Parameters<typeof makeScene>[0] = {},
): Promise<{ readonly scene: Scene; readonly session: CardSession; readonly card: Card }> {
  const { scene, session, card } = await proposed(options);
  scene.handler = handler;
  return { scene, session, card: granted(await confirm(scene, session, card)).card };
}

/** Something that a test finishes when it likes. */
export function later<Value>(): {
  readonly promise: Promise<Value>;
  readonly finish: (value: Value) => void;
} {
  let finish: (value: Value) => void = () => {};
  const promise = new Promise<Value>((resolve) => {
    finish = resolve;
  });
  return { promise, finish };
}
