type Refund = {
  orderId: string;
  amount: number;
  currency: string;
  reason: string;
  lines: { sku: string; quantity: number; note: string }[];
};

/** Arguments of about 850 bytes, as a refund of a real order has them. */
export const refund: Refund = {
  orderId: "ord_1234567890",
  amount: 12_995,
  currency: "EUR",
  reason: "x".repeat(180),
  lines: Array.from({ length: 8 }, (_, index) => ({
    sku: `SKU-${index}`,
    quantity: index + 1,
    note: `Ana asked for it ${index}`,
  })),
};

/** What the shop answers. */
export const refunded: { ok: boolean; refundId: string; message: string } = {
  ok: true,
  refundId: "re_123",
  message: "The refund goes to the card it was paid with.",
};
