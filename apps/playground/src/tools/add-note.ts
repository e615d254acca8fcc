import type { Tool } from "@countersign/core";
import { defineTool } from "@countersign/core";
import { z } from "zod";
import type { ShopToolOptions } from "./shop-client.ts";
import { askShop, changeShop } from "./shop-client.ts";

const result = z.object({ orderNumber: z.string() });

/** Leaves a note for the warehouse. Low risk, so it runs as soon as it is asked for. */
export function addNote(options: ShopToolOptions): Tool {
  return defineTool({
    name: "add_note",
    title: "Add a note",
    description: "Adds a note for the warehouse to an order. Runs at once.",
    effect: "write",
    confirmation: "none",
    risk: "low",
    recovery: "status",
    timeoutSeconds: options.timeoutSeconds,
    input: z.strictObject({ orderNumber: z.string().min(1).max(20), text: z.string().min(1).max(500) }),
    output: result,
    presentation: {
      title: "Add this note?",
      confirmLabel: "Add note",
      declineLabel: "No note",
      fields: [
        { argument: "orderNumber", label: "Order" },
        { argument: "text", label: "Note", format: "multiline" },
      ],
      receipt: {
        title: "Note added",
        fields: [
          { argument: "orderNumber", label: "Order" },
          { argument: "text", label: "Note", format: "multiline" },
        ],
      },
    },
    handler: ({ orderNumber, text }, context) =>
      changeShop(options, context, `/orders/${encodeURIComponent(orderNumber)}/note`, { text }, result),
    status: (_, context) => askShop(options, context, result),
  });
}
