import { z } from "zod";

/** What the assistant reads of a write. */
export type BotWrite = {
  readonly id: string;
  readonly tool: string;
  readonly state: string;
  readonly message: string;
  /** Why the customer's chat could not show it, or null. */
  readonly undelivered?: string | null | undefined;
  readonly result?: unknown;
  readonly changedByCustomer: readonly {
    readonly label: string;
    readonly from: string | null;
    readonly to: string | null;
  }[];
};

const write: z.ZodType<BotWrite> = z.object({
  id: z.string(),
  tool: z.string(),
  state: z.string(),
  message: z.string(),
  undelivered: z.string().nullish(),
  result: z.unknown(),
  changedByCustomer: z.array(
    z.object({ label: z.string(), from: z.string().nullable(), to: z.string().nullable() }),
  ),
});

/** A refusal as it came over the wire: the code and its facts. */
export type Problem = { readonly code: string; readonly detail: string; readonly [fact: string]: unknown };

const problem: z.ZodType<Problem> = z.looseObject({ code: z.string(), detail: z.string() });

/** What calling a tool led to. */
export type Called =
  | { readonly kind: "result"; readonly result?: unknown; readonly noop?: true | undefined }
  | { readonly kind: "write"; readonly write: BotWrite }
  | { readonly kind: "refused"; readonly problem: Problem };

const answer: z.ZodType<Called> = z.union([
  z.object({ kind: z.literal("result"), result: z.unknown().optional(), noop: z.literal(true).optional() }),
  z.object({ kind: z.literal("write"), write }),
]);

/** A card session as the host API mints it. */
export type MintedSession = { readonly token: string; readonly expiresAt: string };

const session: z.ZodType<MintedSession> = z.object({ token: z.string(), expiresAt: z.string() });

/** One event of a journal, as an operator exports it, without what its commits commit to. */
export type WireEvent = {
  readonly writeId: string;
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly v: number;
  readonly by: { readonly [name: string]: unknown };
  readonly body: { readonly [name: string]: unknown };
  readonly commits: { readonly [name: string]: string };
  readonly prev: string;
  readonly hash: string;
};

const event: z.ZodType<WireEvent> = z.object({
  writeId: z.string(),
  seq: z.number(),
  at: z.number(),
  type: z.string(),
  v: z.number(),
  by: z.record(z.string(), z.unknown()),
  body: z.record(z.string(), z.unknown()),
  commits: z.record(z.string(), z.string()),
  prev: z.string(),
  hash: z.string(),
});

/** A write's journal as an operator reads it. */
export type WireJournal = {
  readonly writeId: string;
  readonly head: string;
  readonly events: readonly WireEvent[];
};

const journal: z.ZodType<WireJournal> = z.object({
  writeId: z.string(),
  head: z.string(),
  events: z.array(event),
});

/** The three keys of the shop's own backend; each opens its own part of the API. */
export type BotKeys = { readonly agent: string; readonly host: string; readonly operator: string };

/** Countersign over HTTP, as the shop's backend uses it. */
export type CountersignApi = {
  call(conversationId: string, tool: string, args: Record<string, unknown>): Promise<Called>;
  /** Answers when the state is no longer `state`, at the latest after `waitSeconds`. */
  waitForWrite(writeId: string, state: string, waitSeconds: number, signal: AbortSignal): Promise<BotWrite>;
  readWrite(writeId: string): Promise<BotWrite>;
  withdraw(writeId: string, reason: string): Promise<BotWrite | Problem>;
  stateCustomer(conversationId: string, customerId: string): Promise<void>;
  signOut(conversationId: string): Promise<void>;
  stateContact(
    conversationId: string,
    contact: { readonly channel: string; readonly address: string; readonly locale: string },
  ): Promise<void>;
  startSession(
    conversationId: string,
    place: { locale?: string | undefined; timeZone?: string | undefined },
  ): Promise<MintedSession>;
  journal(writeId: string): Promise<WireJournal | undefined>;
  /** Settles a write whose outcome is not known, from what a person found out. False where it is not to be settled. */
  resolve(writeId: string, outcome: "applied" | "not_applied"): Promise<boolean>;
};

/** A client of the server at `baseUrl()`. */
export function countersignApi(baseUrl: () => string, keys: BotKeys): CountersignApi {
  async function send(
    role: keyof BotKeys,
    method: string,
    path: string,
    options: { body?: unknown; signal?: AbortSignal } = {},
  ): Promise<{ status: number; body: unknown }> {
    const response = await fetch(`${baseUrl()}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${keys[role]}`, "content-type": "application/json" },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  }
  async function must(...request: Parameters<typeof send>): Promise<unknown> {
    const { status, body } = await send(...request);
    if (status >= 300)
      throw new Error(`Countersign answered ${status} to ${request[1]} ${request[2]}. See the server's log.`);
    return body;
  }
  const id = encodeURIComponent;
  return {
    async call(conversationId, tool, args) {
      const { status, body } = await send("agent", "POST", `/conversations/${id(conversationId)}/calls`, {
        body: { tool, arguments: args },
      });
      return status < 300 ? answer.parse(body) : { kind: "refused", problem: problem.parse(body) };
    },
    async waitForWrite(writeId, state, waitSeconds, signal) {
      const query = `wait=${waitSeconds}&state=${id(state)}`;
      return write.parse(await must("agent", "GET", `/writes/${id(writeId)}?${query}`, { signal }));
    },
    async readWrite(writeId) {
      return write.parse(await must("agent", "GET", `/writes/${id(writeId)}`));
    },
    async withdraw(writeId, reason) {
      const { status, body } = await send("agent", "POST", `/writes/${id(writeId)}/withdraw`, {
        body: { reason },
      });
      return status < 300 ? write.parse(body) : problem.parse(body);
    },
    async stateCustomer(conversationId, customerId) {
      const body = { customerId, level: "standard", authenticatedAt: new Date().toISOString() };
      await must("host", "PUT", `/conversations/${id(conversationId)}/customer`, { body });
    },
    async signOut(conversationId) {
      await must("host", "DELETE", `/conversations/${id(conversationId)}/customer`);
    },
    async stateContact(conversationId, contact) {
      await must("host", "PUT", `/conversations/${id(conversationId)}/contact`, { body: contact });
    },
    async startSession(conversationId, place) {
      return session.parse(
        await must("host", "POST", `/conversations/${id(conversationId)}/sessions`, { body: place }),
      );
    },
    async resolve(writeId, outcome) {
      const body = { outcome, note: "Settled in the playground.", operator: "you" };
      return (await send("operator", "POST", `/writes/${id(writeId)}/resolve`, { body })).status < 300;
    },
    async journal(writeId) {
      const { status, body } = await send("operator", "GET", `/writes/${id(writeId)}/journal`);
      return status === 404 ? undefined : journal.parse(body);
    },
  };
}
