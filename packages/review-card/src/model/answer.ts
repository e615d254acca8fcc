import type { Card } from "@countersign/core/card";

/** Why a card session ended. */
export type SessionEnd = "expired" | "customer_changed" | "signed_out";

/** What is wrong with one submitted value, as the server words it. */
export type AnswerIssue = { readonly pointer: string; readonly message: string };

/** A value that an edit submits; null removes an optional one. */
export type EditValue = string | number | boolean | null;

/** The server took the request; `card` is how the write stands now, null where there is none. */
export type OkAnswer = {
  readonly type: "ok";
  readonly card: Card | null;
  /** RFC 3339. Without it the card neither counts down nor expires by itself. */
  readonly serverTime?: string;
  /** Edits: false only if nothing but the edited fields differs. Default: true. */
  readonly consequencesChanged?: boolean;
};

/** The server answered that it changed nothing; `code` is the one of the wire. */
export type RefusalAnswer = {
  readonly type: "refusal";
  readonly code: string;
  /** The truth that belongs to the refusal, where the server sent it. */
  readonly card?: Card | null;
  readonly serverTime?: string;
  readonly issues?: readonly AnswerIssue[];
  /** Only with `session_ended` and `customer_changed`. */
  readonly reason?: SessionEnd;
};

/** No answer came: it is not known whether the request was received. */
export type UnreachableAnswer = { readonly type: "unreachable" };

/** What became of one request of a card. */
export type CardAnswer = OkAnswer | RefusalAnswer | UnreachableAnswer;

/** What a confirm sends: the version and digest that were shown, never values. */
export type ConfirmRequest = { readonly writeId: string; readonly version: number; readonly digest: string };

/** What an edit sends: changed values by JSON pointer. */
export type EditRequest = {
  readonly writeId: string;
  readonly version: number;
  readonly values: { readonly [argument: string]: EditValue };
};

/** What a decline or more time sends. */
export type VersionRequest = { readonly writeId: string; readonly version: number };

/**
 * How a card reaches its server. Each promise resolves to an answer; a rejected promise counts as unreachable.
 * A missing command removes its control from the card.
 */
export type CardCommands = {
  readonly onEdit?: (request: EditRequest) => Promise<CardAnswer>;
  readonly onConfirm?: (request: ConfirmRequest) => Promise<CardAnswer>;
  readonly onDecline?: (request: VersionRequest) => Promise<CardAnswer>;
  readonly onExtend?: (request: VersionRequest) => Promise<CardAnswer>;
  readonly onUndo?: (request: { readonly writeId: string }) => Promise<CardAnswer>;
  /** Asks how the write stands. Used when an answer was lost, and after the connection was. */
  readonly onRefetch?: () => Promise<CardAnswer>;
};
