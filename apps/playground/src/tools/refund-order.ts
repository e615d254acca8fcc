import type { Tool } from "@countersign/core";
import { defineTool } from "@countersign/core";
import { z } from "zod";
import type { ShopToolOptions } from "./shop-client.ts";
import { askShop, changeShop } from "./shop-client.ts";

const result = z.object({
  orderNumber: z.string(),
  amountMinor: z.number().int(),
  currency: z.literal("EUR"),
});

/** Pays money back for an order. The amount is in minor units and cannot be edited. */
export function refundOrder(options: ShopToolOptions): Tool {
  return defineTool({
    name: "refund_order",
    title: "Refund order",
    description:
      "Pays back what an order cost, to the card it was paid with. The customer confirms it first.",
    effect: "write",
    recovery: "status",
    timeoutSeconds: options.timeoutSeconds,
    input: z.strictObject({
      amountMinor: z.number().int().min(1).max(1_000_000),
      currency: z.literal("EUR"),
      orderNumber: z.string().min(1).max(20),
    }),
    output: result,
    presentation: {
      title: "Refund this order?",
      confirmLabel: "Refund",
      declineLabel: "Do not refund",
      fields: [
        { argument: "amountMinor", label: "Refund to your card", format: "money", currency: "/currency" },
        { argument: "orderNumber", label: "Order" },
      ],
      warnings: ["Your bank may take up to 5 working days to show it."],
      reversible: false,
      receipt: {
        title: "Refunded",
        fields: [
          { result: "amountMinor", label: "Amount", format: "money", currency: "EUR" },
          { result: "orderNumber", label: "Order" },
        ],
      },
    },
    handler: ({ orderNumber, ...change }, context) =>
      changeShop(options, context, `/orders/${encodeURIComponent(orderNumber)}/refund`, change, result),
    status: (_, context) => askShop(options, context, result),
  });
}
