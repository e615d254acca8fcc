import { randomBytes, randomUUID } from "node:crypto";

/** Where all randomness comes from. */
export type Random = {
  /** `prefix` and at least 128 random bits in URL-safe characters. */
  id(prefix: string): string;
  /** 32 lower-case hex digits. */
  salt(): string;
  /** A key that no other write has: a version 4 UUID. */
  key(): string;
};

/** The machine's cryptographic randomness. */
export const systemRandom: Random = {
  id: (prefix) => prefix + randomBytes(18).toString("base64url"),
  salt: () => randomBytes(16).toString("hex"),
  key: () => randomUUID(),
};
