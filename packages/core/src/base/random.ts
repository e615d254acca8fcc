import { randomFillSync, randomInt, randomUUID } from "node:crypto";

/** Where all randomness comes from. */
export type Random = {
  /** `prefix` and at least 128 random bits in URL-safe characters. */
  id(prefix: string): string;
  /** 32 lower-case hex digits. */
  salt(): string;
  /** A key that no other write has: a version 4 UUID. */
  key(): string;
  /** From 0 up to, not including, 1. Not for secrets. */
  fraction(): number;
};

// One call to the system fills many ids and salts: such calls cost more than all else that a salt is for.
const pool: Buffer = Buffer.alloc(4096);
let used = pool.length;

/** `length` random bytes as text, each byte of the pool used once and wiped. */
function take(length: number, encoding: "hex" | "base64url"): string {
  if (used + length > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const text = pool.toString(encoding, used, used + length);
  pool.fill(0, used, used + length);
  used += length;
  return text;
}

/** The machine's cryptographic randomness. */
export const systemRandom: Random = {
  id: (prefix) => prefix + take(18, "base64url"),
  salt: () => take(16, "hex"),
  key: () => randomUUID(),
  fraction: () => randomInt(2 ** 32) / 2 ** 32,
};
