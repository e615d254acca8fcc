import { ConfigurationError } from "../base/errors.ts";

/** Throws where the platform has no SHA-256, so that this is never taken for a fault of a journal. */
export function requireSha256(): void {
  if (globalThis.crypto?.subtle === undefined) {
    throw new ConfigurationError(
      "verifying a journal needs crypto.subtle: serve the page over https, or use Node 20 or later",
    );
  }
}

/** Lower-case hexadecimal SHA-256 of the UTF-8 bytes of `text`, by the Web Crypto API. */
export async function sha256(text: string): Promise<string> {
  const bytes = await globalThis.crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
