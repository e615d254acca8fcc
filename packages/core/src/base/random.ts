import { randomBytes, randomInt, randomUUID } from "node:crypto";

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

/** The machine's cryptographic randomness. */
export const systemRandom: Random = {
  id: (prefix) => prefix + randomBytes(18).toString("base64url"),
  salt: () => randomBytes(16).toString("hex"),
  key: () => randomUUID(),
  fraction: () => randomInt(2 ** 32) / 2 ** 32,
};
