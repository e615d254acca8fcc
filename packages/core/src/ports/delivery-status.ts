/** How far a message came, as far as the platform told. */
export type DeliveryStatus = "sent" | "delivered" | "read" | "failed";

const ranks: { readonly [status in DeliveryStatus]: number } = { sent: 0, delivered: 1, read: 2, failed: 3 };

/**
 * What is known of a message after one more status, which may come late, twice or out of order.
 *
 * It never goes back. A failure counts only where nothing better than `sent` was known, and is not undone by a late
 * `sent` or `delivered`; `read` proves that the message arrived after all.
 */
export function laterStatus(known: DeliveryStatus | null, said: DeliveryStatus): DeliveryStatus {
  if (known === null) return said;
  if (said === "failed") return known === "sent" ? "failed" : known;
  if (known === "failed") return said === "read" ? "read" : "failed";
  return ranks[said] > ranks[known] ? said : known;
}
