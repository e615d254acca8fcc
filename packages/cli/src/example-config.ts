/** What `countersign init` writes: one tool that calls an HTTP API, and everything a server needs. */
export const exampleConfig: string = `import { defineConfig, defineTool, env, rejected } from "@countersign/core";
import { sqliteStore } from "@countersign/sql/sqlite";
import { z } from "zod";

const cancelOrder = defineTool({
  name: "cancel_order",
  title: "Cancel order",
  description: "Cancels an order that was not shipped yet.",
  // A write runs only after the customer has seen the card and confirmed it.
  effect: "write",
  // Your API knows the idempotency key, so after a lost answer the same call may be sent again.
  recovery: "same_key",
  input: z.strictObject({
    orderId: z.string().min(1).max(40),
    reason: z.enum(["late", "mistake", "other"]),
  }),
  output: z.object({ status: z.string() }),
  presentation: {
    title: "Cancel this order?",
    confirmLabel: "Cancel order",
    declineLabel: "Keep order",
    fields: [
      { argument: "orderId", label: "Order" },
      {
        argument: "reason",
        label: "Reason",
        format: "enum",
        editable: true,
        options: [
          { value: "late", label: "Arrives too late" },
          { value: "mistake", label: "Ordered by mistake" },
          { value: "other", label: "Something else" },
        ],
      },
    ],
    receipt: { title: "Order cancelled", fields: [{ result: "status", label: "Status" }] },
  },
  async handler({ orderId, reason }, ctx) {
    const answer = await fetch(\`https://shop.example/api/orders/\${encodeURIComponent(orderId)}/cancel\`, {
      method: "POST",
      headers: {
        authorization: \`Bearer \${ctx.secrets.get("SHOP_API_KEY")}\`,
        "content-type": "application/json",
        // The same for every attempt of this write, and for no other.
        "idempotency-key": ctx.idempotencyKey,
      },
      body: JSON.stringify({ reason, customerId: ctx.customer?.customerId }),
      signal: ctx.signal,
    });
    // Only where your API says for certain that nothing was changed.
    if (answer.status === 404) return rejected("There is no such order.");
    if (answer.status === 422) return rejected("This order can no longer be cancelled.");
    // Whatever else goes wrong counts as unknown, never as failed, until it is found out.
    if (!answer.ok) throw new Error(\`the shop answered \${answer.status}\`);
    const { status } = (await answer.json()) as { status: string };
    return { status };
  },
});

export default defineConfig({
  tools: [cancelOrder],
  store: sqliteStore({ file: "countersign.db" }),
  // Each caller has a key of its own. Who proposes ("agent") can never decide.
  apiKeys: [
    { name: "bot", roles: ["agent"], secret: env("COUNTERSIGN_AGENT_KEY") },
    { name: "shop", roles: ["host"], secret: env("COUNTERSIGN_HOST_KEY") },
    { name: "ops", roles: ["operator"], secret: env("COUNTERSIGN_OPERATOR_KEY") },
  ],
  sessionSecret: env("COUNTERSIGN_SESSION_SECRET"),
  // Pages that show the card, such as "https://shop.example".
  allowedOrigins: [],
  // What ctx.secrets.get() gives handlers.
  secrets: { SHOP_API_KEY: env("SHOP_API_KEY") },
});
`;
