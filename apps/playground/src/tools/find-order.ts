import type { Tool } from "@countersign/core";
import { defineTool } from "@countersign/core";
import { z } from "zod";
import type { ShopToolOptions } from "./shop-client.ts";
import { customerOf, readShop } from "./shop-client.ts";

const order = z.object({
  number: z.string(),
  status: z.enum(["open", "shipped", "cancelled"]),
  items: z.array(z.string()),
  totalMinor: z.number().int(),
  refundedMinor: z.number().int(),
  currency: z.string(),
  street: z.string(),
  city: z.string(),
  postalCode: z.string(),
});

/** Looks up one order of the customer; null where there is none of theirs. */
export function findOrder(options: ShopToolOptions): Tool {
  return defineTool({
    name: "find_order",
    title: "Find an order",
    description: "Looks up one order of the verified customer by its number.",
    effect: "read",
    customer: "verified",
    timeoutSeconds: options.timeoutSeconds,
    input: z.strictObject({ orderNumber: z.string().min(1).max(20) }),
    output: z.object({ order: order.nullable() }),
    async handler({ orderNumber }, context) {
      const path = `/orders/${encodeURIComponent(orderNumber)}?customerId=${encodeURIComponent(customerOf(context))}`;
      const found = await readShop(options, context, path, z.object({ order }));
      return { order: found?.order ?? null };
    },
  });
}
