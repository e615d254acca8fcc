import { defineTool, memoryStore } from "@countersign/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { checkConfig } from "./check-config.ts";

const tool = defineTool({
  name: "find_order",
  title: "Find order",
  description: "Looks an order up.",
  effect: "read",
  input: z.strictObject({}),
  output: z.null(),
  handler: () => null,
});
const good = {
  tools: [tool],
  store: memoryStore(),
  apiKeys: [{ name: "bot", roles: ["agent"], secret: "agent-secret-0123456789" }],
  sessionSecret: "session-secret-of-at-least-32-bytes",
};

test("CLI-10 a configuration with every option in shape is given back as it is", () => {
  const full = {
    ...good,
    allowedOrigins: ["https://shop.example"],
    secrets: { SHOP_API_KEY: "key" },
    verifyUrl: () => "https://shop.example/verify",
    mode: "eval",
    defaultLocale: "en",
    defaultTimeZone: "UTC",
    limits: { proposalsPerMinute: 0, repeatAfterDeclineSeconds: 0 },
    logger: console,
    onOutcome: () => {},
    outcomeWebhooks: [{ url: "https://bot.example/hook", secret: "whsec_x" }],
    retention: { keysHours: 48, plainDays: 365 },
  };
  expect(checkConfig(full, "here")).toBe(full);
});

const wrong: [string, unknown, string][] = [
  ["nothing", undefined, "here: export the configuration as default: `export default defineConfig({ … })`"],
  ["a near miss", { ...good, apiKey: [] }, 'here: there is no option "apiKey". Did you mean "apiKeys"?'],
  ["no object", { ...good, retention: 30 }, 'here: "retention" must be an object'],
  ["an outcome for nobody", { ...good, onOutcome: "log" }, 'here: "onOutcome" must be a function'],
  ["half a logger", { ...good, logger: { info() {} } }, 'here: "logger" must have the functions info'],
  ["one webhook", { ...good, outcomeWebhooks: {} }, 'here: "outcomeWebhooks" must be a list, such as'],
  [
    "a near miss in a webhook",
    { ...good, outcomeWebhooks: [{ uri: "https://bot.example" }] },
    'here, outcomeWebhooks[0]: there is no option "uri". Did you mean "url"?',
  ],
  [
    "a near miss within",
    { ...good, retention: { plainDay: 30 } },
    'here, retention: there is no option "plainDay". Did you mean "plainDays"?',
  ],
  ["a stranger", { ...good, colour: "red" }, 'here: there is no option "colour". There is: tools, store,'],
  [
    "no tools",
    { ...good, tools: undefined },
    'here: "tools" must be a list of tools made with defineTool({ … })',
  ],
  [
    "a tool as written",
    { ...good, tools: [tool, { name: "x" }] },
    'here: tools[1] ("x") is not a tool; make it with defineTool',
  ],
  ["no store", { ...good, store: "countersign.db" }, 'here: "store" must be a store, such as sqliteStore('],
  ["no keys", { ...good, apiKeys: {} }, 'here: "apiKeys" must be a list'],
  ["a text for a key", { ...good, apiKeys: ["secret"] }, "here: apiKeys[0] must be an object"],
  [
    "a role in the singular",
    { ...good, apiKeys: [{ role: "agent" }] },
    'here, apiKeys[0]: there is no option "role". Did you mean "roles"?',
  ],
  ["no session secret", { ...good, sessionSecret: undefined }, 'here: "sessionSecret" is missing'],
  [
    "an empty secret",
    { ...good, secrets: { SHOP_API_KEY: "" } },
    "here: secrets.SHOP_API_KEY must be a text",
  ],
  ["a list of secrets", { ...good, secrets: [] }, 'here: "secrets" must be an object'],
  [
    "a negative limit",
    { ...good, limits: { proposalsPerMinute: -1 } },
    "here: limits.proposalsPerMinute must be a number",
  ],
  ["an unknown limit", { ...good, limits: { perMinute: 1 } }, 'here, limits: there is no option "perMinute"'],
  [
    "one origin",
    { ...good, allowedOrigins: "https://shop.example" },
    'here: "allowedOrigins" must be a list',
  ],
  [
    "an address for a function",
    { ...good, verifyUrl: "https://shop.example" },
    'here: "verifyUrl" must be a function',
  ],
  ["another mode", { ...good, mode: "test" }, 'here: "mode" must be "live", "hosted" or "eval"'],
];

test.each(wrong)("CLI-9 %s is refused with what to do", (_, config, message) => {
  expect(() => checkConfig(config, "here")).toThrowError(
    expect.objectContaining({ name: "ConfigurationError", message: expect.stringContaining(message) }),
  );
});
