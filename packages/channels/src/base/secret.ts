import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** True when `given` is one of `secrets`, in a time that tells nothing about them. */
export function isOneOf(given: string, secrets: readonly string[]): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text, "utf8").digest();
  const asked = digest(given);
  return secrets.map((secret) => timingSafeEqual(digest(secret), asked)).includes(true);
}

/** True when `signature` is the HMAC of `signed` under one of `secrets`. */
export function isSigned(
  algorithm: "sha256" | "sha1",
  signed: Uint8Array | string,
  signature: Uint8Array,
  secrets: readonly string[],
): boolean {
  const matches = secrets.map((secret) => {
    const expected = createHmac(algorithm, secret).update(signed).digest();
    return expected.length === signature.length && timingSafeEqual(expected, signature);
  });
  return matches.includes(true);
}

/** An id for something that the platform gave none: the same for the same parts, and telling nothing about them. */
export function derivedId(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts), "utf8").digest("hex").slice(0, 32);
}
