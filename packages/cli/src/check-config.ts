import type { ServerConfig } from "@countersign/core";
import { ConfigurationError } from "@countersign/core";
import { nearest } from "./suggest.ts";

const members: { readonly [Name in keyof Required<ServerConfig>]: true } = {
  tools: true,
  store: true,
  apiKeys: true,
  sessionSecret: true,
  allowedOrigins: true,
  secrets: true,
  channels: true,
  onMessage: true,
  reviewUrl: true,
  logger: true,
  onOutcome: true,
  outcomeWebhooks: true,
  verifyUrl: true,
  mode: true,
  defaultLocale: true,
  defaultTimeZone: true,
  limits: true,
  retention: true,
};

const limits = ["proposalsPerMinute", "repeatAfterDeclineSeconds"];

function fail(where: string, message: string): never {
  throw new ConfigurationError(`${where}: ${message}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function checkMembers(where: string, object: Record<string, unknown>, known: readonly string[]): void {
  for (const name of Object.keys(object)) {
    if (known.includes(name)) continue;
    const near = nearest(name, known);
    fail(
      where,
      `there is no option "${name}". ${near ? `Did you mean "${near}"?` : `There is: ${known.join(", ")}.`}`,
    );
  }
}

function checkTool(where: string, tool: unknown, index: number): void {
  if (isObject(tool) && typeof tool.parseInput === "function" && typeof tool.handler === "function") return;
  const name = isObject(tool) && typeof tool.name === "string" ? ` ("${tool.name}")` : "";
  fail(where, `tools[${index}]${name} is not a tool; make it with defineTool({ … }) from @countersign/core`);
}

function checkTexts(where: string, name: string, object: unknown): void {
  if (!isObject(object)) fail(where, `"${name}" must be an object of names and texts`);
  for (const [key, value] of Object.entries(object)) {
    if (typeof value !== "string" || value === "") {
      fail(where, `${name}.${key} must be a text that is not empty; read it with env("${key}")`);
    }
  }
}

function checkLimits(where: string, given: unknown): void {
  if (!isObject(given)) fail(where, `"limits" must be an object`);
  checkMembers(`${where}, limits`, given, limits);
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== "number" || !Number.isFinite(value) || value < 0) {
      fail(where, `limits.${name} must be a number, 0 or more; 0 switches the limit off`);
    }
  }
}

function checkLogger(where: string, given: unknown): void {
  for (const level of ["info", "warn", "error"]) {
    if (!isObject(given) || typeof given[level] !== "function")
      fail(where, `"logger" must have the functions info, warn and error, as pino has`);
  }
}

function checkWebhooks(where: string, given: unknown): void {
  if (!Array.isArray(given)) {
    fail(
      where,
      `"outcomeWebhooks" must be a list, such as [{ url: "https://bot.example/hook", secret: env("HOOK_SECRET") }]`,
    );
  }
  for (const [index, webhook] of given.entries()) {
    if (!isObject(webhook)) fail(where, `outcomeWebhooks[${index}] must be an object with url and secret`);
    checkMembers(`${where}, outcomeWebhooks[${index}]`, webhook, ["url", "secret"]);
  }
}

function checkRetention(where: string, given: unknown): void {
  if (!isObject(given)) fail(where, `"retention" must be an object`);
  checkMembers(`${where}, retention`, given, ["keysHours", "plainDays"]);
}

/**
 * Checks the shape of a configuration of unknown origin. Throws ConfigurationError that names `where`, the option and
 * what to do. Keys, secrets and tools are checked more closely by what uses them.
 */
export function checkConfig(config: unknown, where: string): ServerConfig {
  if (!isObject(config))
    fail(where, "export the configuration as default: `export default defineConfig({ … })`");
  checkMembers(where, config, Object.keys(members));
  const { tools, store, verifyUrl, mode } = config;
  if (!Array.isArray(tools)) fail(where, `"tools" must be a list of tools made with defineTool({ … })`);
  for (const [index, tool] of tools.entries()) checkTool(where, tool, index);
  if (!isObject(store) || typeof store.append !== "function") {
    fail(
      where,
      `"store" must be a store, such as sqliteStore({ file: "countersign.db" }) from @countersign/sql/sqlite`,
    );
  }
  if (!Array.isArray(config.apiKeys)) {
    fail(
      where,
      `"apiKeys" must be a list, such as [{ name: "bot", roles: ["agent"], secret: env("COUNTERSIGN_AGENT_KEY") }]`,
    );
  }
  for (const [index, key] of config.apiKeys.entries()) {
    if (!isObject(key)) fail(where, `apiKeys[${index}] must be an object with name, roles and secret`);
    checkMembers(`${where}, apiKeys[${index}]`, key, ["name", "roles", "secret"]);
  }
  if (config.sessionSecret === undefined) {
    fail(
      where,
      `"sessionSecret" is missing; set it to env("COUNTERSIGN_SESSION_SECRET"), at least 32 random bytes`,
    );
  }
  if (config.secrets !== undefined) checkTexts(where, "secrets", config.secrets);
  if (config.limits !== undefined) checkLimits(where, config.limits);
  if (config.retention !== undefined) checkRetention(where, config.retention);
  if (config.allowedOrigins !== undefined && !Array.isArray(config.allowedOrigins)) {
    fail(where, `"allowedOrigins" must be a list, such as ["https://shop.example"]`);
  }
  if (config.logger !== undefined) checkLogger(where, config.logger);
  if (config.onOutcome !== undefined && typeof config.onOutcome !== "function")
    fail(where, `"onOutcome" must be a function`);
  if (config.onMessage !== undefined && typeof config.onMessage !== "function")
    fail(where, `"onMessage" must be a function`);
  if (config.channels !== undefined && !isObject(config.channels))
    fail(
      where,
      `"channels" must be an object of names and channels, such as { support_wa: whatsapp({ … }) }`,
    );
  if (config.outcomeWebhooks !== undefined) checkWebhooks(where, config.outcomeWebhooks);
  if (verifyUrl !== undefined && typeof verifyUrl !== "function")
    fail(where, `"verifyUrl" must be a function`);
  if (mode !== undefined && !["live", "hosted", "eval"].includes(mode as string)) {
    fail(where, `"mode" must be "live", "hosted" or "eval"`);
  }
  return config as ServerConfig;
}
