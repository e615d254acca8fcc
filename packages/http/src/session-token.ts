import { type CardSession, makeSeal } from "@countersign/core";

/** Makes and checks the tokens of card sessions. */
export type SessionSeal = {
  /** The token of a session, sealed with the first secret. */
  seal(session: CardSession): string;
  /** The session of a token sealed with any of the secrets, or undefined. It may have ended. */
  open(token: string): CardSession | undefined;
};

function parse(text: string): CardSession | undefined {
  const parsed: unknown = JSON.parse(text);
  if (!Array.isArray(parsed)) return undefined;
  const [conversationId, epoch, expiresAt, mayConfirm] = parsed as unknown[];
  if (typeof conversationId !== "string" || typeof epoch !== "number" || typeof expiresAt !== "number")
    return undefined;
  const session = { conversationId, epoch, expiresAt };
  return mayConfirm === false ? { ...session, mayConfirm } : session;
}

/** Seals card sessions as `cs1.<claims>.<mac>`. */
export function sessionSeal(secrets: readonly string[]): SessionSeal {
  const { seal, open } = makeSeal({ purpose: "countersign card session", prefix: "cs1", secrets });
  return {
    seal: ({ conversationId, epoch, expiresAt, mayConfirm }) =>
      seal(
        JSON.stringify([conversationId, epoch, expiresAt, ...(mayConfirm === undefined ? [] : [mayConfirm])]),
      ),
    open(token) {
      const text = open(token);
      return text === undefined ? undefined : parse(text);
    },
  };
}
