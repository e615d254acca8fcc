import type { FailureClass, SendFailure, SendResult } from "@countersign/core";

/** What a code means. The rest as in SendFailure; `hint` is added to what the platform said. */
export type Meaning = readonly [
  kind: FailureClass,
  more?: {
    readonly waitMs?: number;
    readonly tries?: number;
    readonly alert?: boolean;
    readonly hint?: string;
  },
];

/** The same meaning for several codes. */
export function each<Code>(
  codes: readonly Code[],
  ...meaning: Meaning
): readonly (readonly [Code, Meaning])[] {
  return codes.map((code) => [code, meaning]);
}

const longestDetail = 200;

// Tokens, phone numbers and other ids.
const telling = /cs1\.\S+|\d[\d\s().-]{4,}\d|[A-Za-z0-9_-]{24,}/g;

function tidy(text: string | undefined): string | undefined {
  const tidied = text?.replace(telling, "…").replace(/\s+/g, " ").trim().slice(0, longestDetail);
  return tidied === "" ? undefined : tidied;
}

/** The failure that a code means. A wait that the platform named wins over ours. */
export function failureOf(
  [kind, more = {}]: Meaning,
  said: {
    readonly code: string | null;
    readonly detail: string | undefined;
    readonly waitMs?: number | undefined;
  },
): SendFailure {
  const detail = [tidy(said.detail), more.hint].filter((part) => part !== undefined).join(" ");
  return {
    class: kind,
    code: said.code,
    detail: detail === "" ? null : detail,
    waitMs: kind === "retry_later" ? (said.waitMs ?? more.waitMs ?? null) : null,
    tries: more.tries ?? null,
    alert: more.alert ?? kind === "auth",
  };
}

/** What an answer means whose code nobody knows: trouble on the other side passes, everything else is our mistake. */
export function meaningOfStatus(status: number): Meaning {
  return status >= 500 || status === 429 ? ["retry_later"] : ["bad_request"];
}

/** A message that cannot be sent as it is; nothing was asked of the platform. */
export function cannotSend(kind: FailureClass, detail: string): SendResult {
  return { kind: "failed", failure: failureOf([kind], { code: null, detail }) };
}
