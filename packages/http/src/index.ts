export type { ApiKey, Role } from "./api-keys.ts";
export type { Handler } from "./handler.ts";
export { createHandler } from "./handler.ts";
export type { HandlerOptions, HttpLogger } from "./options.ts";
export { type OutcomeWebhook, outcomeWebhook } from "./outcome-webhook.ts";
export type { ProblemCode } from "./problem-table.ts";
export type { Host } from "./route.ts";
export { webhookListener } from "./webhook-listener.ts";
