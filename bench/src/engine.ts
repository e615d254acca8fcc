import { createEngine, defineTool, type Store } from "@countersign/core";
import { z } from "zod";
import type { Contender } from "./measure.ts";
import { refund, refunded } from "./order.ts";

const refundOrder = defineTool({
  name: "refund_order",
  title: "Refund order",
  description: "Refunds an order.",
  effect: "write",
  customer: "any",
  recovery: "operator",
  input: z.object({
    orderId: z.string(),
    amount: z.number().int(),
    currency: z.string(),
    reason: z.string(),
    lines: z.array(z.object({ sku: z.string(), quantity: z.number().int(), note: z.string() })),
  }),
  output: z.object({ ok: z.boolean(), refundId: z.string(), message: z.string() }),
  presentation: {
    title: "Refund this order?",
    confirmLabel: "Refund",
    declineLabel: "Do not refund",
    fields: [
      { argument: "amount", label: "Refund", format: "money", currency: "/currency" },
      { argument: "orderId", label: "Order" },
      { argument: "reason", label: "Reason" },
    ],
    omit: ["lines"],
    warnings: ["Refunds take 5 days."],
  },
  handler: () => refunded,
});

/** The whole engine: propose, confirm, run a handler that does nothing, record the outcome. */
export function engine(store: Store): Contender {
  const running = createEngine({
    tools: [refundOrder],
    store,
    limits: { proposalsPerMinute: 0, repeatAfterDeclineSeconds: 0 },
  });
  // Operators, because their preview hands over the card with its digest: a customer's page is a read, and no part of a cycle.
  const operators = Array.from({ length: 64 }, (_, index) =>
    running.principal({
      kind: "operator",
      actorId: `ana-${index}`,
      authMethod: "token",
      clientApplicationId: "bench",
      merchantId: "shop",
      role: "owner",
      scopes: ["mcp:write"],
    }),
  );
  return {
    name: "engine",
    async cycle(conversation) {
      const proposed = await operators[conversation % operators.length]?.preview({
        tool: "refund_order",
        arguments: refund,
        surface: "cli",
      });
      if (!proposed || !("card" in proposed)) throw new Error("not proposed");
      const { writeId, version, digest } = proposed.card;
      const confirm = { writeId, version, digest, surface: "cli" } as const;
      const confirmed = await operators[conversation % operators.length]?.confirm(confirm);
      if (!confirmed || "refused" in confirmed || confirmed.card.state !== "applied")
        throw new Error("not applied");
    },
    async close() {
      await running.stop();
      await store.close();
    },
  };
}
