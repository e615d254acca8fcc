/** A customer of one conversation, as of one epoch. `customerRef` is internal and random, or null while nobody is verified. */
export type CustomerPrincipal = {
  readonly kind: "customer";
  readonly conversationId: string;
  readonly epoch: number;
  readonly customerRef: string | null;
};

/** Who acts for a merchant. */
export type OperatorPrincipal = {
  readonly kind: "operator";
  readonly actorId: string;
  readonly authMethod: string;
  readonly clientApplicationId: string;
  readonly merchantId: string;
  readonly role: string;
  readonly scopes: readonly string[];
};

/** Who a write belongs to. */
export type Principal = CustomerPrincipal | OperatorPrincipal;

/** Who is in a conversation right now. */
export type Presence = { readonly epoch: number; readonly customerRef: string | null };

/**
 * True when the write is the present customer's own. A verified customer owns what they were ever shown here; without a
 * verified customer only the very same epoch counts, since nobody can tell two visitors apart.
 */
export function belongsTo(principal: Principal, presence: Presence): boolean {
  if (principal.kind === "operator") return false;
  if (principal.customerRef !== presence.customerRef) return false;
  return principal.customerRef !== null || principal.epoch === presence.epoch;
}
