import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { CardSession } from "@countersign/core";

const prefix = "cs1";
const longest = 1024;

/** Makes and checks the tokens of card sessions. */
export type SessionSeal = {
  /** The token of a session, sealed with the first secret. */
  seal(session: CardSession): string;
  /** The session of a token sealed with any of the secrets, or undefined. It may have ended. */
  open(token: string): CardSession | undefined;
};

const digest = (text: string): Buffer => createHash("sha256").update(text, "utf8").digest();

function parse(payload: string): CardSession | undefined {
  const parsed: unknown = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
  if (!Array.isArray(parsed)) return undefined;
  const [conversationId, epoch, expiresAt] = parsed as unknown[];
  if (typeof conversationId !== "string" || typeof epoch !== "number" || typeof expiresAt !== "number")
    return undefined;
  return { conversationId, epoch, expiresAt };
}

/**
 * Seals card sessions as `cs1.<claims>.<mac>`: HMAC-SHA256 over prefix and claims.
 *
 * The MAC is compared first, as text and in constant time, against every secret; only then are the claims read. So a
 * secret can be replaced by putting the new one in front and keeping the old one until the last session under it ended.
 */
export function sessionSeal(secrets: readonly string[]): SessionSeal {
  const macOf = (secret: string, payload: string): string =>
    createHmac("sha256", secret)
      .update(`countersign card session\n${prefix}.${payload}`, "utf8")
      .digest("base64url");
  return {
    seal({ conversationId, epoch, expiresAt }) {
      const payload = Buffer.from(JSON.stringify([conversationId, epoch, expiresAt]), "utf8").toString(
        "base64url",
      );
      return `${prefix}.${payload}.${macOf(secrets[0] as string, payload)}`;
    },
    open(token) {
      const [head, payload, mac, ...rest] = token.length > longest ? [] : token.split(".");
      if (head !== prefix || payload === undefined || mac === undefined || rest.length > 0) return undefined;
      const presented = digest(mac);
      let genuine = false;
      for (const secret of secrets) {
        if (timingSafeEqual(presented, digest(macOf(secret, payload)))) genuine = true;
      }
      return genuine ? parse(payload) : undefined;
    },
  };
}
