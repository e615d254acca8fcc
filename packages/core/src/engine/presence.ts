import type { Presence } from "../flow/principal.ts";
import type { ConversationRow } from "../ports/store.ts";

/** Who is in a conversation, from its row or the lack of one. */
export function presenceOf(conversation: ConversationRow | undefined): Presence {
  return { epoch: conversation?.epoch ?? 0, customerRef: conversation?.customerRef ?? null };
}
