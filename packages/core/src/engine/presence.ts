import type { Presence } from "../flow/principal.ts";
import type { ConversationRow } from "../ports/store.ts";

/** Who is in a conversation, from its row or the lack of one. */
export function presenceOf(conversation: ConversationRow | undefined): Presence {
  return { epoch: conversation?.epoch ?? 0, customerRef: conversation?.customerRef ?? null };
}

/** Whom a kept answer was given to: a customer's ref, or the visitor of one epoch, since visitors cannot be told apart. */
export function readerOf({ customerRef, epoch }: Presence): string {
  return customerRef ?? `visitor:${epoch}`;
}
