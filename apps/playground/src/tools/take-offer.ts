import type { Tool } from "@countersign/core";
import { defineTool } from "@countersign/core";
import { z } from "zod";
import type { ShopToolOptions } from "./shop-client.ts";
import { askShop, changeShop } from "./shop-client.ts";

const result = z.object({ orderNumber: z.string(), totalMinor: z.number().int(), currency: z.string() });

/** Takes a discount that is offered for a short time only, so that one can watch a card expire. */
export function takeOffer(options: ShopToolOptions & { readonly offerSeconds: number }): Tool {
  return defineTool({
    name: "take_offer",
    title: "Take the offer",
    description: "Applies a discount that stands for a short time. The customer confirms it first.",
    effect: "write",
    recovery: "status",
    timeoutSeconds: options.timeoutSeconds,
    expiresInSeconds: options.offerSeconds,
    input: z.strictObject({
      orderNumber: z.string().min(1).max(20),
      percent: z.number().int().min(1).max(50),
    }),
    output: result,
    presentation: {
      title: "Take this offer?",
      confirmLabel: "Take the offer",
      declineLabel: "Leave it",
      fields: [
        { argument: "orderNumber", label: "Order" },
        { argument: "percent", label: "Discount in percent", format: "number" },
      ],
      receipt: {
        title: "Offer taken",
        fields: [
          { argument: "orderNumber", label: "Order" },
          { result: "totalMinor", label: "New total", format: "money", currency: "EUR" },
        ],
      },
    },
    handler: ({ orderNumber, percent }, context) =>
      changeShop(options, context, `/orders/${encodeURIComponent(orderNumber)}/offer`, { percent }, result),
    status: (_, context) => askShop(options, context, result),
  });
}
