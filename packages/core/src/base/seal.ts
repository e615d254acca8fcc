import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** Seals texts into tokens that only a holder of one of its secrets can make. */
export type Seal = {
  /** The token of a text, sealed with the first secret. */
  seal(text: string): string;
  /** The text of a token that was sealed with any of the secrets, or undefined. */
  open(token: string): string | undefined;
};

const longest = 4096;

const digest = (text: string): Buffer => createHash("sha256").update(text, "utf8").digest();

/**
 * Makes tokens `<prefix>.<text>.<mac>`: HMAC-SHA256 over purpose, prefix and text, so that a token for one purpose is none for
 * another, whatever secret they share.
 *
 * The MAC is compared first, as text and in constant time, against every secret; only then is the text read. So a secret can be
 * replaced by putting the new one in front and keeping the old one until the last token under it ended.
 */
export function makeSeal(kind: {
  readonly purpose: string;
  readonly prefix: string;
  readonly secrets: readonly string[];
}): Seal {
  const { purpose, prefix, secrets } = kind;
  const macOf = (secret: string, payload: string): string =>
    createHmac("sha256", secret).update(`${purpose}\n${prefix}.${payload}`, "utf8").digest("base64url");
  return {
    seal(text) {
      const payload = Buffer.from(text, "utf8").toString("base64url");
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
      return genuine ? Buffer.from(payload, "base64url").toString("utf8") : undefined;
    },
  };
}
