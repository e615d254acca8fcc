import { hash } from "node:crypto";

/** Lower-case hexadecimal SHA-256 of the UTF-8 bytes of `text`: 64 characters. */
export function sha256(text: string): string {
  return hash("sha256", text, "hex");
}

/** What stands in the journal for a plain value: SHA-256 of the salt's text followed by the value's canonical JSON. */
export function commit(salt: string, canonicalText: string): string {
  return sha256(salt + canonicalText);
}
