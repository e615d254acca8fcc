import type { Tool } from "@countersign/core";
import { defineTool, rejected } from "@countersign/core";
import { z } from "zod";
import type { ShopToolOptions } from "./shop-client.ts";
import { askShop, changeShop, lookAtOrder } from "./shop-client.ts";

/** Why a customer cancels, as sent and as shown. */
const cancelReasons: readonly { readonly value: string; readonly label: string }[] = [
  { value: "arrives_too_late", label: "Arrives too late" },
  { value: "ordered_by_mistake", label: "Ordered by mistake" },
  { value: "found_elsewhere", label: "Found it elsewhere" },
  { value: "other", label: "Another reason" },
];

const result = z.object({
  orderNumber: z.string(),
  status: z.literal("cancelled"),
  refundMinor: z.number().int(),
  currency: z.string(),
});

/** Cancels an open order. What became of it can be asked for by the write's key. */
export function cancelOrder(options: ShopToolOptions): Tool {
  return defineTool({
    name: "cancel_order",
    title: "Cancel order",
    description: "Cancels an order that has not been shipped. The customer confirms it on a card first.",
    effect: "write",
    recovery: "status",
    timeoutSeconds: options.timeoutSeconds,
    input: z.strictObject({
      orderNumber: z.string().min(1).max(20),
      reason: z.enum(["arrives_too_late", "ordered_by_mistake", "found_elsewhere", "other"]),
      channel: z.enum(["chat", "phone"]),
      internalNote: z.string().max(200).optional(),
    }),
    output: result,
    presentation: {
      title: "Cancel this order?",
      confirmLabel: "Cancel order",
      declineLabel: "Keep order",
      fields: [
        { argument: "orderNumber", label: "Order" },
        { argument: "reason", label: "Reason", format: "enum", editable: true, options: cancelReasons },
      ],
      omit: ["internalNote"],
      warnings: ["Refunds take 5 days."],
      reversible: false,
      receipt: {
        title: "Order cancelled",
        fields: [
          { argument: "orderNumber", label: "Order" },
          { argument: "reason", label: "Reason", format: "enum", options: cancelReasons },
          { result: "refundMinor", label: "You get back", format: "money", currency: "EUR" },
        ],
      },
    },
    async preview({ orderNumber }, context) {
      const order = await lookAtOrder(options, context, orderNumber);
      if (order === null) return rejected(`There is no order ${orderNumber} of yours.`);
      if (order.status === "cancelled") return { noop: true };
      if (order.status === "shipped") return rejected(`Order ${orderNumber} is on its way already.`);
      const refund = { after: order.totalMinor, format: "money", currency: order.currency } as const;
      return {
        targets: [order.target],
        effects: [
          { type: "status", target: orderNumber, label: "Status", before: "Open", after: "Cancelled" },
          { type: "refund", label: "You get back", before: null, ...refund },
        ],
      };
    },
    handler: ({ orderNumber, ...change }, context) =>
      changeShop(options, context, `/orders/${encodeURIComponent(orderNumber)}/cancel`, change, result),
    status: (_, context) => askShop(options, context, result),
  });
}
