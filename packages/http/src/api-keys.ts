import { createHash, timingSafeEqual } from "node:crypto";
import { ConfigurationError } from "@countersign/core";

/** What an api key may do. */
export type Role = "agent" | "host" | "operator";

/** A key that a server or a bot authenticates with. */
export type ApiKey = {
  /** Names the key in journals and scopes its writes and idempotency keys. */
  readonly name: string;
  /** At least one; `agent` stands alone. */
  readonly roles: readonly Role[];
  /** At least 8 printable ASCII characters without spaces. */
  readonly secret: string;
};

/** Who presented a key. */
export type KeyHolder = { readonly name: string; readonly roles: readonly Role[] };

const shortestSecret = 8;
const roles: readonly string[] = ["agent", "host", "operator"];

const digest = (secret: string): Buffer => createHash("sha256").update(secret, "utf8").digest();

function check(key: ApiKey, index: number): void {
  const where = `apiKeys[${index}]`;
  if (typeof key.name !== "string" || !/^[A-Za-z0-9._:-]{1,64}$/.test(key.name)) {
    throw new ConfigurationError(`${where}.name: use 1 to 64 of A-Z a-z 0-9 . _ : - to name the key`);
  }
  if (
    !Array.isArray(key.roles) ||
    key.roles.length === 0 ||
    key.roles.some((role) => !roles.includes(role))
  ) {
    throw new ConfigurationError(
      `${where}.roles ("${key.name}"): list at least one of "agent", "host", "operator"`,
    );
  }
  if (key.roles.includes("agent") && key.roles.length > 1) {
    throw new ConfigurationError(
      `${where}.roles ("${key.name}"): "agent" cannot be combined with another role, because who proposes must not be able to decide; use a key of its own`,
    );
  }
  if (
    typeof key.secret !== "string" ||
    !/^[\x21-\x7e]+$/.test(key.secret) ||
    key.secret.length < shortestSecret
  ) {
    throw new ConfigurationError(
      `${where}.secret ("${key.name}"): use at least ${shortestSecret} printable ASCII characters without spaces, such as the output of \`openssl rand -hex 32\``,
    );
  }
}

/**
 * Checks the configured keys and answers with a function that finds the holder of a presented secret.
 *
 * Every comparison is made, each over SHA-256 digests and in constant time. Throws ConfigurationError on keys that are
 * missing, short, or equal to one another.
 */
export function apiKeyRing(apiKeys: readonly ApiKey[]): (presented: string) => KeyHolder | undefined {
  if (!Array.isArray(apiKeys) || apiKeys.length === 0) {
    throw new ConfigurationError(
      "apiKeys: configure at least one key; without any, nobody could use this server",
    );
  }
  apiKeys.forEach(check);
  const ring = apiKeys.map(({ name, roles: held, secret }) => ({
    holder: { name, roles: [...held] },
    digest: digest(secret),
  }));
  ring.forEach((one, index) => {
    const twin = ring
      .slice(0, index)
      .find((other) => other.holder.name === one.holder.name || other.digest.equals(one.digest));
    if (twin !== undefined) {
      throw new ConfigurationError(
        `apiKeys[${index}] ("${one.holder.name}") has the name or the secret of another key ("${twin.holder.name}"); give each its own`,
      );
    }
  });
  return (presented) => {
    const candidate = digest(presented);
    let found: KeyHolder | undefined;
    for (const { holder, digest: known } of ring) {
      if (timingSafeEqual(candidate, known)) found = holder;
    }
    return found;
  };
}
