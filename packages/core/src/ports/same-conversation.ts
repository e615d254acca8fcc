import type { ConversationRow } from "./store.ts";

/** True when two conversations' rows say the same: for adapter authors, who compare a guard's row with the stored one. */
export function isSameConversation(one: ConversationRow | null, other: ConversationRow | null): boolean {
  if (one === null || other === null) return one === other;
  return (
    one.id === other.id &&
    one.epoch === other.epoch &&
    one.customerRef === other.customerRef &&
    one.level === other.level &&
    one.authenticatedAt === other.authenticatedAt &&
    one.channel === other.channel &&
    one.address === other.address &&
    one.locale === other.locale &&
    one.timeZone === other.timeZone
  );
}
