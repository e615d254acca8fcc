import { ConfigurationError, type SendFailure, type SendResult } from "@countersign/core";
import { cannotSend, failureOf, type Meaning, meaningOfStatus } from "../base/failure.ts";
import { addressOf } from "../base/options.ts";
import { askJson, type Posted } from "../base/post.ts";
import { at, idAt, textAt } from "../base/walk.ts";

// Current on 2026-11-30, by Meta's changelog of the Graph API.
const defaultVersion = "v26.0";

/** Which Graph API to talk to. */
export type GraphOptions = {
  /** Such as `v26.0`. Default: the one this release was made for. */
  readonly graphVersion?: string;
  /** Where the Graph API is; another address for tests. */
  readonly graphBaseUrl?: string;
};

/** The address of the Graph API, with the version, which is always named. */
export function graphAddress(where: string, options: GraphOptions, host: string): string {
  const version = options.graphVersion ?? defaultVersion;
  if (!/^v\d+\.\d+$/.test(version)) {
    throw new ConfigurationError(`${where} has a wrong option graphVersion: write it as ${defaultVersion}`);
  }
  return `${addressOf(where, "graphBaseUrl", options.graphBaseUrl ?? host)}/${version}`;
}

/** Tells what an error of the Graph API means; undefined where nothing is known of it. Status 0: from a webhook. */
export type MeaningOf = (error: {
  readonly code: number;
  readonly subcode: number;
  readonly message: string;
  readonly status: number;
}) => Meaning | undefined;

/** The failure that an error object of Meta describes. */
export function graphFailure(
  error: unknown,
  status: number,
  meaningOf: MeaningOf,
  waitMs?: number | undefined,
): SendFailure {
  const code = idAt(error, "code");
  const subcode = idAt(error, "error_subcode");
  const message =
    textAt(error, "error_data", "details") ?? textAt(error, "message") ?? textAt(error, "title");
  const facts = { code: Number(code), subcode: Number(subcode ?? 0), message: message ?? "", status };
  const meaning = code === undefined ? undefined : meaningOf(facts);
  return failureOf(meaning ?? meaningOfStatus(status), {
    code: code === undefined ? null : [code, ...(subcode ? [subcode] : [])].join("/"),
    detail: message,
    waitMs,
  });
}

/** How to read an answer of the Graph API. */
export type GraphReading = {
  readonly meaningOf: MeaningOf;
  /** The message's id and the receiver's ids in a good answer; undefined where there is no id. */
  readonly sent: (json: unknown) => { readonly id: string; readonly aliases: readonly string[] } | undefined;
};

/** What an answer of the Graph API says about a message. A good answer without an id proves nothing. */
function graphResult(posted: Posted, reading: GraphReading): SendResult {
  if (posted.kind === "unknown") return posted;
  if (posted.kind === "unreached") return cannotSend("retry_later", posted.detail);
  const { status, json, waitMs } = posted;
  const error = at(json, "error");
  if (status >= 200 && status < 300 && error === undefined) {
    const sent = reading.sent(json);
    return sent
      ? { kind: "sent", providerMessageId: sent.id, aliases: sent.aliases }
      : { kind: "unknown", detail: "the answer names no message" };
  }
  return { kind: "failed", failure: graphFailure(error, status, reading.meaningOf, waitMs) };
}

const expiredToken = /^190(\/|$)/;

/** Sends to the Graph API's node of an account, with the next of several access tokens where one has expired. */
export async function sendToGraph(
  account: { readonly url: string; readonly accessTokens: readonly [string, ...string[]] },
  request: { readonly body: object; readonly signal: AbortSignal | undefined },
  reading: GraphReading,
): Promise<SendResult> {
  const [accessToken, next, ...others] = account.accessTokens;
  const headers = { authorization: `Bearer ${accessToken}` };
  const result = graphResult(await askJson(`${account.url}/messages`, { ...request, headers }), reading);
  const expired = result.kind === "failed" && expiredToken.test(result.failure.code ?? "");
  if (!expired || next === undefined) return result;
  return await sendToGraph({ ...account, accessTokens: [next, ...others] }, request, reading);
}
