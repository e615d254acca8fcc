import { createHash, createHmac } from "node:crypto";
import {
  ConfigurationError,
  type OutcomeNotice,
  type Receiver,
  type ReceiverAnswer,
} from "@countersign/core";

/** An endpoint that outcomes are pushed to. */
export type OutcomeWebhook = {
  /** `https:`; plain `http:` only to this machine itself. */
  readonly url: string;
  /** `whsec_` and base64 of 24 to 64 bytes, or a text of at least 16 bytes. Several for rotation: each signs. */
  readonly secret: string | readonly string[];
};

// Standard Webhooks asks for 24 to 64 bytes in `whsec_` secrets (standardwebhooks.com, read November 2026).
const leastEncodedBytes = 24;
const leastTextBytes = 16;
const longestRetryAfterMs = 6 * 3_600_000;

function fail(where: string, problem: string): never {
  throw new ConfigurationError(`${where}: ${problem}`);
}

function keyOf(secret: unknown, where: string): Buffer {
  if (typeof secret !== "string") fail(where, "the secret must be a text; read it with env(…)");
  const encoded = (secret as string).startsWith("whsec_");
  const key = encoded
    ? Buffer.from((secret as string).slice("whsec_".length), "base64")
    : Buffer.from(secret as string, "utf8");
  const least = encoded ? leastEncodedBytes : leastTextBytes;
  if (key.length < least) {
    fail(
      where,
      `the secret has ${key.length} bytes; give at least ${least}, such as whsec_ and the output of \`openssl rand -base64 32\``,
    );
  }
  return key;
}

function checkUrl(text: unknown, where: string): URL {
  const url =
    typeof text === "string" && URL.canParse(text)
      ? new URL(text)
      : fail(where, "the url is no absolute URL");
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLocal))
    fail(where, "the url must begin with https: (http: only for this machine itself)");
  if (url.username !== "" || url.password !== "") fail(where, "the url must not hold a user or password");
  return url;
}

/** Seconds or a date (RFC 9110, 10.2.3), as milliseconds from now; undefined for anything else. */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, longestRetryAfterMs) : undefined;
}

/** The body of one push: `type` is `write.` and the state, `data` the write. */
function bodyOf({ timestamp, write }: OutcomeNotice): string {
  return JSON.stringify({ type: `write.${write.state}`, timestamp, data: write });
}

/**
 * A receiver that pushes outcomes to an endpoint, signed as Standard Webhooks has it: `webhook-id` is the same at every attempt,
 * `webhook-signature` is HMAC-SHA256 over id, timestamp and raw body.
 *
 * Any 2xx is received; 410 ends it for good; everything else, a redirect too, is tried again, after `Retry-After` at the
 * earliest. The answer's body is not read. Throws a `ConfigurationError` that names `where` for a url or secret that will not do.
 */
export function outcomeWebhook(webhook: OutcomeWebhook, where = "outcomeWebhooks"): Receiver {
  const url = checkUrl(webhook.url, where);
  const secrets = typeof webhook.secret === "string" ? [webhook.secret] : webhook.secret;
  if (!Array.isArray(secrets) || secrets.length === 0) fail(where, "the secret is missing");
  const keys = secrets.map((secret) => keyOf(secret, where));
  // The url may hold a token, so the name that is stored and logged is made of its host and a hash.
  const hash = createHash("sha256").update(url.href, "utf8").digest("hex").slice(0, 12);
  return {
    name: `webhook:${url.hostname.replaceAll(/[^\w.-]/g, "_")}:${hash}`.slice(0, 100),
    async receive(notice, signal): Promise<ReceiverAnswer> {
      const body = bodyOf(notice);
      const timestamp = Math.floor(Date.now() / 1000);
      const signatures = keys.map((key) =>
        createHmac("sha256", key).update(`${notice.id}.${timestamp}.${body}`, "utf8").digest("base64"),
      );
      const response = await fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "user-agent": "Countersign",
          "webhook-id": notice.id,
          "webhook-timestamp": String(timestamp),
          "webhook-signature": signatures.map((signature) => `v1,${signature}`).join(" "),
        },
        body,
        redirect: "manual",
        signal,
      });
      await response.body?.cancel();
      if (response.ok) return { kind: "received" };
      if (response.status === 410) return { kind: "gone" };
      const afterMs = retryAfterMs(response.headers.get("retry-after"));
      return { kind: "retry", ...(afterMs !== undefined && { afterMs }) };
    },
  };
}
