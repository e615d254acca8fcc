import { describe, expect, test } from "vitest";
import { channels, openMessenger, openWhatsApp, type Reply } from "./fixtures.ts";

const webhookPath = "/v1/channels/shop/webhook";
const context = { webhookPath };

describe.each(channels)("a check of %s", (_, open) => {
  test("CHAN-23 only asks, with the credentials in their header and never in the address", async () => {
    const opened = await open();
    opened.far.reply(() => ({ status: 200, json: {} }));
    await opened.channel.check(context);
    expect(opened.far.asked.length).toBeGreaterThan(0);
    for (const { method, path, headers, body } of opened.far.asked) {
      expect([method, body, path.includes("demo_")]).toEqual(["GET", "", false]);
      expect(headers.authorization).toMatch(/^(Bearer|Basic) /);
    }
    await opened.far.close();
  });

  test.each<[what: string, reply: Reply]>([
    ["an answer that says nothing", { status: 200, json: {} }],
    ["lists in place of objects", { status: 200, json: [] }],
    ["no JSON", { status: 200, json: undefined }],
    ["an error without a code", { status: 500, json: { error: "no" } }],
    ["an error of another shape", { status: 418, json: null }],
  ])("CHAN-25 takes nothing for right that was not said: %s", async (_what, reply) => {
    const opened = await open();
    opened.far.reply(() => reply);
    expect((await opened.channel.check(context)).length).toBeGreaterThan(0);
    await opened.far.close();
  });
});

const node = (path: string): string => path.replace(/^\/v26\.0\//, "");

test("CHAN-23 asks about a number, its app and its account", async () => {
  const { channel, far } = await openWhatsApp({ businessAccountId: "200100200100" });
  const app = { whatsapp_business_api_data: { id: "100100" } };
  const webhook = {
    object: "whatsapp_business_account",
    active: true,
    callback_url: `https://shop.example/countersign${webhookPath}`,
    fields: [{ name: "messages" }, { name: "user_id_update" }],
  };
  const answers: { readonly [path: string]: object } = {
    "300100200300?fields=id,webhook_configuration": { id: "300100200300" },
    "app?fields=id": { id: "100100" },
    "100100/subscriptions": { data: [webhook] },
    "200100200100/phone_numbers?fields=id&limit=1000": { data: [{ id: "300100200300" }] },
    "200100200100/subscribed_apps": { data: [app] },
  };
  far.reply(({ path }) => ({ status: 200, json: answers[node(path)] ?? {} }));
  expect(await channel.check(context)).toEqual([]);
  expect(far.asked.map(({ path }) => node(path))).toEqual(Object.keys(answers));
  await far.close();
});

test.each<[where: string, configuration: object, whose: string]>([
  [
    "its own",
    { phone_number: "https://a.example/x", application: `https://b.example${webhookPath}` },
    "the number's webhook",
  ],
  [
    "its account's",
    { whatsapp_business_account: "https://a.example/x", application: `https://b.example${webhookPath}` },
    "the WhatsApp Business account's webhook",
  ],
])("CHAN-23 a number's webhooks go to the nearest address: %s", async (_, configuration, whose) => {
  const { channel, far } = await openWhatsApp({ businessAccountId: "200100200100" });
  far.reply(({ path }) =>
    node(path).startsWith("300100200300")
      ? { status: 200, json: { id: "300100200300", webhook_configuration: configuration } }
      : { status: 400, json: { error: { code: 4 } } },
  );
  expect((await channel.check(context))[0]).toEqual({
    what: `${whose} goes to another address`,
    where: `${whose} at Meta`,
    next: `set it to the address of this server with the path ${webhookPath}`,
  });
  await far.close();
});

test.each<[code: number, subcode: number | undefined, where: string]>([
  [200, undefined, "accessToken"],
  [10, undefined, "accessToken"],
  [803, undefined, "pageId"],
  [100, 33, "pageId"],
  [100, undefined, "Meta"],
  [2500, undefined, "graphVersion"],
  [4, undefined, "Meta"],
])("CHAN-23 code %i/%s of the Graph API points to %s", async (code, subcode, where) => {
  const { channel, far } = await openMessenger();
  far.reply(() => ({ status: 400, json: { error: { code, error_subcode: subcode, message: "no" } } }));
  expect((await channel.check(context)).map((one) => one.where)).toEqual([where]);
  await far.close();
});
