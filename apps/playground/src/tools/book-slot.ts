import type { Tool } from "@countersign/core";
import { defineTool } from "@countersign/core";
import { z } from "zod";
import type { ShopToolOptions } from "./shop-client.ts";
import { askShop, changeShop } from "./shop-client.ts";

const result = z.object({ orderNumber: z.string(), date: z.iso.date() });

/** Books a delivery day. The shop takes the booking and finishes it later. */
export function bookSlot(options: ShopToolOptions): Tool {
  return defineTool({
    name: "book_slot",
    title: "Book a delivery day",
    description:
      "Books the day on which an order is delivered. The courier confirms later. The customer confirms it first.",
    effect: "write",
    recovery: "status",
    timeoutSeconds: options.timeoutSeconds,
    extend: { seconds: 1800, times: 3 },
    input: z.strictObject({ orderNumber: z.string().min(1).max(20), date: z.iso.date() }),
    output: result,
    presentation: {
      title: "Book this delivery day?",
      confirmLabel: "Book day",
      declineLabel: "Do not book",
      fields: [
        { argument: "orderNumber", label: "Order" },
        { argument: "date", label: "Delivery day", format: "date", editable: true },
      ],
      receipt: {
        title: "Delivery day booked",
        fields: [
          { argument: "orderNumber", label: "Order" },
          { argument: "date", label: "Delivery day", format: "date" },
        ],
      },
    },
    handler: ({ orderNumber, date }, context) =>
      changeShop(options, context, `/orders/${encodeURIComponent(orderNumber)}/booking`, { date }, result),
    status: (_, context) => askShop(options, context, result),
  });
}
