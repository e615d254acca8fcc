import type { Clock } from "@countersign/core";
import { ConfigurationError, framesOf, systemClock } from "@countersign/core";
import type { ApiKey, KeyHolder } from "./api-keys.ts";
import { apiKeyRing } from "./api-keys.ts";
import type { SessionSeal } from "./session-token.ts";
import { sessionSeal } from "./session-token.ts";

/** Told about every request that ended in a fault of the program. The error may hold what a request held. */
export type HttpLogger = {
  fault(fault: { readonly requestId: string; readonly route: string; readonly error: unknown }): void;
};

/** How the HTTP handler is configured. */
export type HandlerOptions = {
  readonly apiKeys: readonly ApiKey[];
  /** At least 32 bytes of UTF-8; several for rotation, the newest first. */
  readonly sessionSecret: string | readonly string[];
  /** Origins of pages that may call from a browser, such as `https://shop.example`. Default: none. */
  readonly allowedOrigins?: readonly string[];
  /** How long a card session counts. Default: one hour. */
  readonly sessionLifetimeMs?: number;
  /** Default: `console.error` with the error's name and place in the code and a request id, never its message. */
  readonly logger?: HttpLogger;
  /** Times the event streams. Default: the machine's clock. */
  readonly clock?: Clock;
  /** Once aborted, event streams close and long waits are answered: the server is about to stop. */
  readonly closing?: AbortSignal;
};

/** Options after every check, as the routes use them. */
export type Handling = {
  holderOf(secret: string): KeyHolder | undefined;
  readonly seal: SessionSeal;
  readonly allowedOrigins: ReadonlySet<string>;
  readonly sessionLifetimeMs: number;
  readonly logger: HttpLogger;
  readonly clock: Clock;
  readonly closing: AbortSignal;
};

const hourMs = 3_600_000;
const shortestSecretBytes = 32;

export const consoleLogger: HttpLogger = {
  fault({ requestId, route, error }) {
    const name = error instanceof Error ? error.name : typeof error;
    const what = `countersign: ${name} in ${route}, request ${requestId}`;
    console.error([what, ...framesOf(error)].join("\n"));
  },
};

function checkSecrets(sessionSecret: string | readonly string[]): readonly string[] {
  const secrets = Array.isArray(sessionSecret)
    ? (sessionSecret as readonly string[])
    : [sessionSecret as string];
  if (secrets.length === 0) throw new ConfigurationError("sessionSecret: configure at least one secret");
  secrets.forEach((secret, index) => {
    if (typeof secret !== "string" || Buffer.byteLength(secret, "utf8") < shortestSecretBytes) {
      const where = secrets.length > 1 ? `sessionSecret[${index}]` : "sessionSecret";
      throw new ConfigurationError(
        `${where}: use at least ${shortestSecretBytes} bytes, such as the output of \`openssl rand -hex 32\``,
      );
    }
    if (secrets.indexOf(secret) !== index) {
      throw new ConfigurationError(
        `sessionSecret[${index}]: is the same as another secret of the list; give a new one, or leave it out`,
      );
    }
  });
  return secrets;
}

/** Whoever holds a key that seals sessions too could make a customer's session, and decide. */
function checkApart(apiKeys: readonly ApiKey[], sessionSecrets: readonly string[]): void {
  apiKeys.forEach(({ name, secret }, index) => {
    if (!sessionSecrets.includes(secret)) return;
    throw new ConfigurationError(
      `apiKeys[${index}].secret ("${name}"): is also a sessionSecret, so its holder could decide as the customer; give each its own`,
    );
  });
}

function checkOrigin(origin: string, index: number): string {
  const parsed = URL.canParse(origin) ? new URL(origin).origin : undefined;
  if (parsed !== origin || parsed === "null") {
    throw new ConfigurationError(
      `allowedOrigins[${index}]: write scheme and host only, such as "https://shop.example"; wildcards are not offered`,
    );
  }
  return origin;
}

/** Checks the options. Throws ConfigurationError, which names the option and what to do. */
export function checkOptions(options: HandlerOptions): Handling {
  const lifetime = options.sessionLifetimeMs ?? hourMs;
  if (!Number.isSafeInteger(lifetime) || lifetime < 1) {
    throw new ConfigurationError("sessionLifetimeMs: use a whole number of milliseconds, at least 1");
  }
  const holderOf = apiKeyRing(options.apiKeys);
  const sessionSecrets = checkSecrets(options.sessionSecret);
  checkApart(options.apiKeys, sessionSecrets);
  return {
    holderOf,
    seal: sessionSeal(sessionSecrets),
    allowedOrigins: new Set((options.allowedOrigins ?? []).map(checkOrigin)),
    sessionLifetimeMs: lifetime,
    logger: options.logger ?? consoleLogger,
    clock: options.clock ?? systemClock,
    closing: options.closing ?? new AbortController().signal,
  };
}
