import { expect, test } from "vitest";
import type { ApiKey } from "./api-keys.ts";
import type { HandlerOptions } from "./options.ts";
import { checkOptions } from "./options.ts";

const secret = (seed: string): string => seed.repeat(16);
const bot: ApiKey = { name: "bot", roles: ["agent"], secret: secret("a") };
const shop: ApiKey = { name: "shop", roles: ["host", "operator"], secret: secret("b") };
const good: HandlerOptions = { apiKeys: [bot, shop], sessionSecret: secret("ss") };

test("HTTP-38 keys with a role each and a long session secret are taken", () => {
  const handling = checkOptions(good);
  expect(handling.holderOf(bot.secret)).toEqual({ name: "bot", roles: ["agent"] });
  expect(handling.holderOf(shop.secret)).toEqual({ name: "shop", roles: ["host", "operator"] });
  expect(handling.holderOf(`${bot.secret}x`)).toBeUndefined();
});

const wrong: [string, Partial<Record<keyof HandlerOptions, unknown>>, RegExp][] = [
  ["no keys", { apiKeys: [] }, /^apiKeys: configure at least one key/],
  ["missing keys", { apiKeys: undefined }, /^apiKeys: configure at least one key/],
  [
    "an empty secret",
    { apiKeys: [{ ...bot, secret: "" }] },
    /^apiKeys\[0\]\.secret \("bot"\): use at least 8/,
  ],
  ["a missing secret", { apiKeys: [{ ...bot, secret: undefined }] }, /^apiKeys\[0\]\.secret \("bot"\)/],
  ["a secret of 7 characters", { apiKeys: [{ ...bot, secret: "a".repeat(7) }] }, /^apiKeys\[0\]\.secret/],
  ["a secret with a space", { apiKeys: [{ ...bot, secret: `${secret("a")} b` }] }, /^apiKeys\[0\]\.secret/],
  ["no role", { apiKeys: [{ ...bot, roles: [] }] }, /^apiKeys\[0\]\.roles \("bot"\): list at least one/],
  ["an unknown role", { apiKeys: [{ ...bot, roles: ["admin"] }] }, /^apiKeys\[0\]\.roles/],
  ["agent with host", { apiKeys: [{ ...bot, roles: ["agent", "host"] }] }, /"agent" cannot be combined/],
  [
    "agent with operator",
    { apiKeys: [{ ...bot, roles: ["operator", "agent"] }] },
    /"agent" cannot be combined/,
  ],
  ["a nameless key", { apiKeys: [{ ...bot, name: "" }] }, /^apiKeys\[0\]\.name/],
  [
    "two keys of one name",
    { apiKeys: [bot, { ...shop, name: "bot" }] },
    /^apiKeys\[1\] \("bot"\) has the name or/,
  ],
  ["two keys of one secret", { apiKeys: [bot, { ...shop, secret: bot.secret }] }, /^apiKeys\[1\] \("shop"\)/],
  ["no session secret", { sessionSecret: undefined }, /^sessionSecret: use at least 32 bytes/],
  ["an empty list of session secrets", { sessionSecret: [] }, /^sessionSecret: configure at least one/],
  [
    "a session secret of 31 bytes",
    { sessionSecret: "s".repeat(31) },
    /^sessionSecret: use at least 32 bytes/,
  ],
  [
    "a short second secret",
    { sessionSecret: [secret("ss"), "s"] },
    /^sessionSecret\[1\]: use at least 32 bytes/,
  ],
  [
    "the same session secret twice",
    { sessionSecret: [secret("ss"), secret("ss")] },
    /^sessionSecret\[1\]: is the same as another secret/,
  ],
  [
    "an api key's secret that seals sessions too",
    { apiKeys: [{ ...bot, secret: secret("ss") }] },
    /^apiKeys\[0\]\.secret \("bot"\): is also a sessionSecret/,
  ],
  ["any origin", { allowedOrigins: ["*"] }, /^allowedOrigins\[0\]: write scheme and host only/],
  ["an origin with a path", { allowedOrigins: ["https://shop.example/"] }, /^allowedOrigins\[0\]/],
  ["the null origin", { allowedOrigins: ["null"] }, /^allowedOrigins\[0\]/],
  ["a lifetime of nothing", { sessionLifetimeMs: 0 }, /^sessionLifetimeMs/],
];

test.each(wrong)("HTTP-38 %s is refused at the start, with what to do", (_, members, message) => {
  const check = (): unknown => checkOptions({ ...good, ...members } as HandlerOptions);
  expect(check).toThrowError(expect.objectContaining({ name: "ConfigurationError" }));
  expect(check).toThrowError(message);
});

test("HTTP-38 a session secret of 32 bytes in fewer characters is taken", () => {
  expect(() => checkOptions({ ...good, sessionSecret: "é".repeat(16) })).not.toThrow();
});

test("HTTP-38 no message of a refused configuration holds a secret", () => {
  const apiKeys = [bot, { ...shop, secret: bot.secret }];
  expect(() => checkOptions({ ...good, apiKeys })).toThrowError(
    expect.objectContaining({ message: expect.not.stringContaining(bot.secret) }),
  );
});
