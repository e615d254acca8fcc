import type { Cancel, Instant } from "../base/clock.ts";
import { framesOf } from "../base/errors.ts";
import type { WriteState } from "../card/model.ts";
import type { EventType } from "../flow/events.ts";
import type { FailureClass } from "../ports/channel.ts";
import type { WriteRow } from "../ports/store.ts";

/**
 * Something that happened in this process, for metrics and traces: ids, names, states, counts and durations. Never an argument,
 * a shown text, a result, a message, a customer's id, a token or a key.
 */
export type EngineEvent =
  /** An event was appended to a write's journal, by this process. `outcome` and `reason` where the event has them. */
  | {
      readonly type: "recorded";
      readonly at: Instant;
      readonly writeId: string;
      readonly conversationId: string;
      readonly tool: string;
      readonly event: EventType;
      readonly seq: number;
      readonly version: number;
      /** Of the write after the append that the event was part of. */
      readonly state: WriteState;
      readonly attempt: number | null;
      readonly outcome: string | null;
      readonly reason: string | null;
    }
  /** An author's function was called. `writeId` is null for reads and for previews of what is not stored yet. */
  | {
      readonly type: "called";
      readonly at: Instant;
      readonly what: "handler" | "status" | "preview" | "read";
      readonly tool: string;
      readonly writeId: string | null;
      readonly ending: "returned" | "threw" | "timed_out";
      readonly durationMs: number;
    }
  /** A receiver was told of a write, or could not be. */
  | {
      readonly type: "told";
      readonly at: Instant;
      readonly receiver: string;
      readonly writeId: string | null;
      readonly attempts: number;
      readonly result: "received" | "retry" | "given_up";
      readonly durationMs: number;
    }
  /** A message was sent in a chat, or was not. `result`: `sent`, `unknown`, or the class of the failure. */
  | {
      readonly type: "sent";
      readonly at: Instant;
      readonly account: string;
      readonly what: "prompt" | "outcome" | "answer";
      readonly result: "sent" | "unknown" | FailureClass;
      readonly code: string | null;
      readonly durationMs: number;
    }
  /** A webhook came in: how many events it held, how many of them were new, and how many items were left out, by reason. */
  | {
      readonly type: "webhook";
      readonly at: Instant;
      readonly account: string;
      readonly result: "stored" | "refused" | "handshake";
      readonly events: number;
      readonly fresh: number;
      readonly ignored: { readonly [reason: string]: number };
    }
  /** Something failed that nobody waits for. `error` is its class; `during` says what was going on, with ids and names only. */
  | { readonly type: "fault"; readonly at: Instant; readonly error: string; readonly during: string };

/** Takes one line of a structured log: fields first, as pino has it. */
export type Logger = {
  info(fields: { readonly [name: string]: unknown }, message: string): void;
  warn(fields: { readonly [name: string]: unknown }, message: string): void;
  error(fields: { readonly [name: string]: unknown }, message: string): void;
};

/** Tells listeners and the log what happens. */
export type Observer = {
  on(listener: (event: EngineEvent) => void): Cancel;
  /** False while nobody listens: then nothing has to be put together. */
  readonly isWatched: () => boolean;
  emit(event: EngineEvent): void;
  /** Tells of something that is worth a look. Never hand it arguments, numbers or secrets. */
  warn(sentence: string): void;
  /** Tells of a failure that nobody waits for. Never hand it arguments or secrets in `during`. */
  report(error: unknown, during: string): void;
};

/** Writes warnings and errors to stderr, one line each, and what is good to know nowhere. */
export const stderrLogger: Logger = {
  info: () => {},
  warn: (_fields, message) => console.error(`countersign: ${message}`),
  error: (_fields, message) => console.error(`countersign: ${message}`),
};

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

/** Makes an observer over a log. `why`: the sentence of an error that is safe to write down; messages of foreign errors are not. */
export function makeObserver(
  logger: Logger,
  now: () => Instant,
  why: (error: unknown) => string | undefined,
): Observer {
  const listeners = new Set<(event: EngineEvent) => void>();
  const emit = (event: EngineEvent): void => {
    for (const listener of [...listeners]) {
      try {
        listener(event);
      } catch (error) {
        logger.error({ error: nameOf(error) }, `${nameOf(error)} in a listener of engine events`);
      }
    }
  };
  return {
    on(listener) {
      // Wrapped, so that the same function may listen twice and stop once.
      const own = (event: EngineEvent): void => listener(event);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    isWatched: () => listeners.size > 0,
    emit,
    warn: (sentence) => logger.warn({}, sentence),
    report(error, during) {
      const name = nameOf(error);
      const sentence = why(error);
      logger.error(
        { error: name, during, ...(sentence !== undefined && { why: sentence }), frames: framesOf(error) },
        `${name} while ${during}${sentence === undefined ? "" : `: ${sentence}`}`,
      );
      emit({ type: "fault", at: now(), error: name, during });
    },
  };
}

/** The events of one append, as listeners are told of them. */
export function recordedEvents(
  row: WriteRow,
  events: readonly {
    readonly type: string;
    readonly seq: number;
    readonly at: Instant;
    readonly body: string;
  }[],
): readonly EngineEvent[] {
  return events.map(({ type, seq, at, body }) => {
    const { attempt = null, outcome = null, reason = null } = JSON.parse(body);
    return {
      type: "recorded",
      at,
      writeId: row.id,
      conversationId: row.conversationId,
      tool: row.tool,
      event: type as EventType,
      seq,
      version: row.version,
      state: row.state,
      attempt,
      outcome,
      reason,
    };
  });
}
