import { createEngine, defineTool, type Store } from "@countersign/core";
import { sqliteStore } from "@countersign/sql/sqlite";
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
    warnings: ["Refunds take 5 days."],
  },
  handler: () => refunded,
});

/** The whole engine: propose, read the digest, confirm, run a handler that does nothing, record the outcome. */
export function engine(file: string, store: Store = sqliteStore({ file })): Contender {
  const running = createEngine({
    tools: [refundOrder],
    store,
    limits: { proposalsPerMinute: 0, repeatAfterDeclineSeconds: 0 },
  });
  let cycles = 0;
  return {
    name: "engine",
    async cycle(conversation) {
      cycles += 1;
      // A conversation of its own, as most writes of a shop have.
      const conversationId = `c${conversation}-${cycles}`;
      const called = await running.agent.call({
        agent: "bot",
        conversationId,
        tool: "refund_order",
        arguments: refund,
      });
      if ("refused" in called || called.kind !== "write")
        throw new Error(`not proposed: ${JSON.stringify(called)}`);
      const { id: writeId, version } = called.write;
      const proposed = await running.operator.read(writeId);
      if ("refused" in proposed) throw new Error(`not readable: ${proposed.refused}`);
      const { digest } = proposed;
      const session = { conversationId, epoch: 0, expiresAt: Number.MAX_SAFE_INTEGER };
      const confirmed = await running.customer.confirm({ session, writeId, version, digest });
      if ("refused" in confirmed || confirmed.card.state !== "applied") throw new Error("not applied");
    },
    async close() {
      await running.stop();
      await store.close();
    },
  };
}
