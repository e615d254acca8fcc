import type { Tool } from "@countersign/core";
import { defineTool, rejected } from "@countersign/core";
import { z } from "zod";
import type { ShopToolOptions } from "./shop-client.ts";
import { changeShop, lookAtOrder } from "./shop-client.ts";

const address = { street: z.string(), city: z.string(), postalCode: z.string() };
const result = z.object({ orderNumber: z.string(), ...address, before: z.object(address) });

/** Changes where an open order goes. Safe to send again under the same key. */
export function changeAddress(options: ShopToolOptions): Tool {
  return defineTool({
    name: "change_address",
    title: "Change delivery address",
    description:
      "Changes the delivery address of an order that has not been shipped. The customer confirms it first.",
    effect: "write",
    recovery: "same_key",
    timeoutSeconds: options.timeoutSeconds,
    input: z.strictObject({
      orderNumber: z.string().min(1).max(20),
      street: z.string().min(3).max(80),
      city: z.string().min(2).max(60),
      postalCode: z.string().min(4).max(10),
    }),
    output: result,
    presentation: {
      title: "Send the order here?",
      confirmLabel: "Change address",
      declineLabel: "Keep old address",
      fields: [
        { argument: "orderNumber", label: "Order" },
        { argument: "street", label: "Street", editable: true, help: "Street and number" },
        { argument: "city", label: "City", editable: true },
        { argument: "postalCode", label: "Postal code", editable: true },
      ],
      reversible: true,
      receipt: {
        title: "Address changed",
        fields: [
          { result: "orderNumber", label: "Order" },
          { result: "street", label: "Street" },
          { result: "city", label: "City" },
          { result: "postalCode", label: "Postal code" },
        ],
        undo: {
          tool: "change_address",
          arguments: {
            orderNumber: { argument: "orderNumber" },
            street: { result: "/before/street" },
            city: { result: "/before/city" },
            postalCode: { result: "/before/postalCode" },
          },
          label: "Use the old address again",
        },
      },
    },
    async preview({ orderNumber, street, city, postalCode }, context) {
      const order = await lookAtOrder(options, context, orderNumber);
      if (order === null) return rejected(`There is no order ${orderNumber} of yours.`);
      if (order.status !== "open") return rejected(`Order ${orderNumber} is already ${order.status}.`);
      const same = order.street === street && order.city === city && order.postalCode === postalCode;
      return same ? { noop: true } : { targets: [order.target] };
    },
    handler: ({ orderNumber, ...change }, context) =>
      changeShop(options, context, `/orders/${encodeURIComponent(orderNumber)}/address`, change, result),
  });
}
