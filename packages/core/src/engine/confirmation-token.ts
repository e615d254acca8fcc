import { canonical } from "../base/canonical.ts";
import { sha256 } from "../base/digest.ts";
import { makeSeal } from "../base/seal.ts";
import type { OperatorPrincipal } from "../flow/principal.ts";

/** What a client hands back, unread, to confirm what it was shown: over MCP as `requestState`, at the command line as a token. */
export type Confirmation = {
  readonly writeId: string;
  readonly version: number;
  readonly digest: string;
};

/** The call that is confirmed, and by whom. */
export type ConfirmedCall = {
  readonly principal: OperatorPrincipal;
  /** The protocol's own name of the request, such as `tools/call`. */
  readonly method: string;
  readonly tool: string;
  readonly arguments: unknown;
};

/** Makes and checks confirmation tokens. */
export type ConfirmationSeal = {
  /** The token for a card that was shown as the preview of `call`, valid until `expiresAt` (milliseconds since 1970). */
  seal(confirmation: Confirmation, call: ConfirmedCall, expiresAt: number): string;
  /**
   * What the token of this very call confirms: by the same principal, with the same method, tool and arguments (the order of
   * members does not count). Undefined for any other token. `expired` is told apart, since a decision that counted is answered
   * again after that, and only a new one is refused.
   */
  open(
    token: string,
    call: ConfirmedCall,
    now: number,
  ): { readonly confirmation: Confirmation; readonly expired: boolean } | undefined;
};

/** What a call is known by in a token, which holds nothing that a reader could learn from. */
function fingerprint({ principal, method, tool, arguments: args }: ConfirmedCall): string | undefined {
  try {
    return sha256(canonical({ principal, method, tool, arguments: args }));
  } catch {
    // No token was ever made for arguments that have no canonical form.
    return undefined;
  }
}

/** Seals confirmations with the first of `secrets`; the others are still accepted. */
export function confirmationSeal(secrets: readonly string[]): ConfirmationSeal {
  const { seal, open } = makeSeal({ purpose: "countersign confirmation", prefix: "cc1", secrets });
  return {
    seal({ writeId, version, digest }, call, expiresAt) {
      const bound = fingerprint(call);
      if (bound === undefined) throw new TypeError("the arguments of the call have no canonical form");
      return seal(JSON.stringify([writeId, version, digest, bound, expiresAt]));
    },
    open(token, call, now) {
      const text = open(token);
      if (text === undefined) return undefined;
      const [writeId, version, digest, bound, expiresAt] = JSON.parse(text);
      if (bound !== fingerprint(call)) return undefined;
      return { confirmation: { writeId, version, digest }, expired: now >= expiresAt };
    },
  };
}
