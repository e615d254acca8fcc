import process from "node:process";
import { applied, defineConfig, defineTool, rejected } from "@countersign/core";
import { sqliteStore } from "@countersign/sql/sqlite";
import { z } from "zod";

const shop = process.env.SHOP_URL ?? "";

const cancelOrder = defineTool({
  name: "cancel_order",
  title: "Cancel order",
  description: "Cancels an open order.",
  effect: "write",
  customer: "verified",
  recovery: "status",
  timeoutSeconds: 2,
  input: z.object({ orderId: z.string() }),
  output: z.object({ status: z.string() }),
  async handler({ orderId }, { idempotencyKey, signal }) {
    const headers = { "idempotency-key": idempotencyKey };
    const response = await fetch(`${shop}/orders/${orderId}/cancel`, { method: "POST", headers, signal });
    if (!response.ok) throw new Error(`the shop answered ${response.status}`);
    return response.json();
  },
  async status(_known, { idempotencyKey, signal }) {
    const response = await fetch(`${shop}/operations`, {
      headers: { "idempotency-key": idempotencyKey },
      signal,
    });
    const { status } = await response.json();
    return status === "applied" ? applied({ status: "cancelled" }) : rejected("The order was not cancelled.");
  },
});

export default defineConfig({
  tools: [cancelOrder],
  store: sqliteStore({ file: process.env.CRASH_DB ?? "" }),
  apiKeys: [
    { name: "bot", roles: ["agent"], secret: process.env.AGENT_KEY ?? "" },
    { name: "shop", roles: ["host"], secret: process.env.HOST_KEY ?? "" },
    { name: "ops", roles: ["operator"], secret: process.env.OPERATOR_KEY ?? "" },
  ],
  sessionSecret: process.env.SESSION_SECRET ?? "",
  limits: { proposalsPerMinute: 0, repeatAfterDeclineSeconds: 0 },
});
