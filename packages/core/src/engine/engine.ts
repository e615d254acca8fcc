import type { Cancel } from "../base/clock.ts";
import type { Json } from "../base/json.ts";
import type { Card, Receipt } from "../card/model.ts";
import type { OperatorPrincipal } from "../flow/principal.ts";
import type { Refusal, SessionEnd } from "../flow/refusal.ts";
import type { InboundRequest, WebhookAnswer } from "../ports/channel.ts";
import type { StoreChange } from "../ports/store.ts";
import type { Level } from "../tool/outcome.ts";
import type { CheckedPlan } from "../tool/plan.ts";
import type { EngineEvent } from "./observe.ts";
import type { AgentWrite, ExportedJournal, OperatorWrite } from "./views.ts";

/** What a call of a tool led to. `created` is false when the write was there before; `replayed` when a key repeated it. */
export type CallAnswer =
  | { readonly kind: "result"; readonly tool: string; readonly result: Json; readonly replayed: boolean }
  | { readonly kind: "noop"; readonly tool: string; readonly replayed: boolean }
  | {
      readonly kind: "write";
      readonly write: AgentWrite;
      readonly created: boolean;
      readonly replayed: boolean;
    };

/** What an agent may do. It can never decide. */
export type AgentView = {
  /** Calls a tool in a conversation. `agent` names the api key; `idempotencyKey` is the client's own, at most 200 printable ASCII. */
  call(call: {
    readonly agent: string;
    readonly conversationId: string;
    readonly tool: string;
    readonly arguments: unknown;
    readonly idempotencyKey?: string;
  }): Promise<CallAnswer | Refusal>;
  /** A write this agent proposed. */
  read(read: { readonly agent: string; readonly writeId: string }): Promise<AgentWrite | Refusal>;
  /** Like read, but waits up to `waitMs` while the write's state is still `state`. Ends early when `signal` aborts. */
  readWhen(read: {
    readonly agent: string;
    readonly writeId: string;
    readonly state: string;
    readonly waitMs: number;
    readonly signal?: AbortSignal;
  }): Promise<AgentWrite | Refusal>;
  /** Takes back a proposal that waits for its decision. */
  withdraw(withdraw: {
    readonly agent: string;
    readonly writeId: string;
    readonly reason?: string;
  }): Promise<AgentWrite | Refusal>;
};

/** The claims of a card session; a server seals them into a token. */
export type CardSession = {
  readonly conversationId: string;
  readonly epoch: number;
  readonly expiresAt: number;
  /** Only false says something: this browser came by a link in a chat, and what it confirms is asked in that chat. */
  readonly mayConfirm?: false;
};

/** A customer's page: the newest card that is theirs, and older receipts still worth showing. Null without a write. */
export type CardPage = {
  readonly card: Card | null;
  readonly others: readonly { readonly writeId: string; readonly receipt: Receipt }[];
};

type Decision = { readonly session: CardSession; readonly writeId: string };

/** What a customer may do, within the one conversation of the session. */
export type CustomerView = {
  card(session: CardSession): Promise<CardPage | Refusal>;
  edit(
    edit: Decision & { readonly version: number; readonly values: { readonly [pointer: string]: Json } },
  ): Promise<{ readonly card: Card; readonly consequencesChanged: boolean } | Refusal>;
  /** Confirms, runs, and waits up to `waitMs` (default 10 000) for the outcome; else the card says `running`. */
  confirm(
    confirm: Decision & { readonly version: number; readonly digest: string; readonly waitMs?: number },
  ): Promise<{ readonly card: Card } | Refusal>;
  decline(decline: Decision & { readonly version: number }): Promise<{ readonly card: Card } | Refusal>;
  /** Proposes the undo that an applied write's receipt offers, as a new write to be confirmed like any other. */
  undo(undo: Decision): Promise<{ readonly card: Card } | Refusal>;
  extend(extend: Decision & { readonly version: number }): Promise<{ readonly card: Card } | Refusal>;
};

/** What the host (the shop's own server) states: who the customer is, where they are. */
export type HostView = {
  customerVerified(verified: {
    readonly conversationId: string;
    readonly customerId: string;
    readonly level: Level;
    /** Milliseconds since 1970; at most 60 s in the future. */
    readonly authenticatedAt: number;
  }): Promise<
    | {
        readonly epoch: number;
        readonly superseded: readonly string[];
        readonly rebound: readonly string[];
        readonly resumed: readonly string[];
      }
    | Refusal
  >;
  customerSignedOut(
    conversationId: string,
  ): Promise<{ readonly epoch: number; readonly superseded: readonly string[] }>;
  /** Claims of a new card session for whoever the customer now is. `lifetimeMs` default: one hour. */
  startSession(start: {
    readonly conversationId: string;
    readonly locale?: string;
    readonly timeZone?: string;
    readonly lifetimeMs?: number;
  }): Promise<CardSession>;
  readConversation(conversationId: string): Promise<{
    readonly customer: { readonly verified: boolean; readonly level: Level | null; readonly epoch: number };
    readonly openWriteId: string | null;
  }>;
  /** The conversation lives in this chat from now on. Refused with `unknown_channel` for an account that is not configured. */
  setContact(contact: {
    readonly conversationId: string;
    readonly channel: string;
    readonly address: string;
    readonly locale?: string;
    readonly timeZone?: string;
  }): Promise<{ readonly epoch: number } | Refusal>;
};

/** What one authenticated operator may do with tools. Each preview is a conversation of its own. */
export type PrincipalView = {
  preview(preview: {
    readonly tool: string;
    readonly arguments: unknown;
    readonly surface: "mcp" | "cli";
  }): Promise<{ readonly card: Card; readonly plan: CheckedPlan | null } | { readonly noop: true } | Refusal>;
  /**
   * `idempotencyKey`: the client's own, at most 200 printable ASCII, made once per intention. Repeated within 24 hours it is
   * answered with the first result (`replayed`), also when the same was previewed afresh; waits up to 10 s for one that still
   * runs, then `call_in_progress`. `oneTime`: values of the result that are never stored, by pointer; only with the answer
   * that saw the run end.
   */
  confirm(confirm: {
    readonly writeId: string;
    readonly version: number;
    readonly digest: string;
    readonly surface: "mcp" | "cli";
    readonly waitMs?: number;
    readonly idempotencyKey?: string;
  }): Promise<
    | {
        readonly card: Card;
        readonly write: AgentWrite;
        readonly replayed: boolean;
        readonly oneTime: { readonly [pointer: string]: Json } | null;
      }
    | Refusal
  >;
  decline(decline: {
    readonly writeId: string;
    readonly version: number;
    readonly surface: "mcp" | "cli";
  }): Promise<{ readonly card: Card; readonly write: AgentWrite } | Refusal>;
};

/** What the people who run the place may do. */
export type OperatorView = {
  list(filter: {
    readonly state?: string;
    readonly tool?: string;
    readonly conversationId?: string;
    readonly attention?: boolean;
    /** 1 to 200. Default: 50. */
    readonly limit?: number;
    readonly cursor?: string;
  }): Promise<{ readonly writes: readonly OperatorWrite[]; readonly nextCursor: string | null }>;
  read(writeId: string): Promise<OperatorWrite | Refusal>;
  journal(writeId: string): Promise<ExportedJournal | Refusal>;
  /** Settles a write that is `unknown` or `pending` from what a person found out. */
  resolve(resolve: {
    readonly writeId: string;
    readonly outcome: "applied" | "not_applied";
    readonly note: string;
    readonly operator: string;
  }): Promise<OperatorWrite | Refusal>;
  /**
   * Asks the tool now what became of an `unknown` or `pending` write, besides the automatic checks, and answers with the
   * write as it stands then. Takes as long as the tool does.
   */
  check(check: { readonly writeId: string; readonly operator: string }): Promise<OperatorWrite | Refusal>;
  /**
   * Forgets a customer, by the host's own id: their values go for good, from the journals of all their writes and wherever
   * else the store keeps them; the journals still verify. The id is a new customer when it verifies again. Answers with
   * how many writes it were. Refused while one of them is unfinished.
   */
  erase(erase: {
    readonly customerId: string;
    readonly operator: string;
  }): Promise<{ readonly writes: number } | Refusal>;
};

/** The running system, as capabilities: hand each part only the view it needs. */
export type Engine = {
  readonly agent: AgentView;
  readonly customer: CustomerView;
  readonly host: HostView;
  readonly operator: OperatorView;
  principal(principal: OperatorPrincipal): PrincipalView;
  /**
   * Takes a webhook request of a chat account: verified, and durable before it is answered. Refused with `not_found` for an
   * account that is not configured; rejects when it could not be kept, and then the platform has to deliver it again.
   */
  receiveWebhook(account: string, request: InboundRequest): Promise<WebhookAnswer | Refusal>;
  /**
   * Exchanges the code of a review link for a card session, once; a code that is used, old or none is refused with
   * `expired`. `presented`: the session that the browser has already; without one of this conversation it may not confirm.
   */
  openReview(
    code: string,
    presented?: CardSession,
  ): Promise<{ readonly session: CardSession; readonly mayConfirm: boolean } | Refusal>;
  /** Why a session no longer counts, or undefined while it does. */
  sessionEnd(session: CardSession): Promise<SessionEnd | undefined>;
  /** Calls `listener` with what happens in this process, after the commit. What it throws is logged and harms nothing. */
  on(listener: (event: EngineEvent) => void): Cancel;
  /** Calls `listener` after each change of a conversation, also by another process (then without id). */
  watch(listener: (change: StoreChange) => void): Cancel;
  /** Does what is due now: expiries, lease ends, status checks, telling receivers. Answers with how many writes it moved. */
  runDue(): Promise<number>;
  /** Starts doing what is due as it falls due. */
  start(): void;
  /**
   * Takes no new work, waits up to `graceMs` for what runs, and stops. Status checks and deliveries that go on longer are
   * handed back, for any process to take now; handlers still running are left to their lease.
   */
  stop(options?: { readonly graceMs?: number }): Promise<void>;
  /** Resolves when the store answers. */
  ready(): Promise<void>;
  /** Milliseconds since 1970, by the engine's clock. */
  now(): number;
};
