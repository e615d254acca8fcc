import type { InboundRequest, Reading } from "@countersign/core";
import { type Collector, collector } from "../base/collect.ts";
import { refused } from "../base/refused.ts";
import { isOneOf, isSigned } from "../base/secret.ts";
import { parsedJson } from "../base/walk.ts";

/** What proves that a webhook request is from Meta. */
export type MetaSecrets = {
  readonly appSecrets: readonly string[];
  readonly verifyTokens: readonly string[];
};

function readHandshake(target: string, tokens: readonly string[]): Reading {
  const query = new URLSearchParams(target.includes("?") ? target.slice(target.indexOf("?") + 1) : "");
  const token = query.get("hub.verify_token");
  const challenge = query.get("hub.challenge");
  if (query.get("hub.mode") !== "subscribe" || token === null || challenge === null) {
    return refused("token", "hub.mode, hub.verify_token or hub.challenge is missing");
  }
  if (!isOneOf(token, tokens)) {
    return refused("token", "hub.verify_token is another one than the option verifyToken");
  }
  return { kind: "handshake", answer: { status: 200, contentType: "text/plain", body: challenge } };
}

function isMetaSigned(body: Uint8Array, header: string | null, secrets: readonly string[]): boolean {
  const [, digits] = /^sha256=([0-9a-f]{64})$/.exec(header ?? "") ?? [];
  return digits !== undefined && isSigned("sha256", body, Buffer.from(digits, "hex"), secrets);
}

/**
 * Reads one webhook request of Meta: GET is the verification of the address, POST is signed over its raw bytes.
 *
 * Meta's webhook pages, read 2026-11-30. What is signed and cannot be read is acknowledged: it would only come again.
 */
export function readMetaWebhook(
  request: InboundRequest,
  secrets: MetaSecrets,
  read: (body: unknown, into: Collector) => void,
): Reading {
  if (request.method === "GET") return readHandshake(request.target, secrets.verifyTokens);
  if (request.method !== "POST") return refused("method", "only GET and POST are known");
  const signature = request.header("x-hub-signature-256");
  if (!isMetaSigned(request.body, signature, secrets.appSecrets)) {
    return refused(
      "signature",
      signature === null ? "no signature" : "a signature of none of the app secrets",
      { request, secrets: secrets.appSecrets.length, option: "appSecret" },
    );
  }
  const body = parsedJson(new TextDecoder().decode(request.body));
  const into = collector();
  if (typeof body === "object" && body !== null) read(body, into);
  else into.take("malformed");
  return into.done({ status: 200, contentType: "text/plain", body: "" });
}
