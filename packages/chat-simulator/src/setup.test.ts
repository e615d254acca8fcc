import { instagram } from "@countersign/channels/instagram";
import { messenger } from "@countersign/channels/messenger";
import { twilio } from "@countersign/channels/twilio";
import { whatsapp } from "@countersign/channels/whatsapp";
import type { SetupProblem } from "@countersign/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openScene, platforms, type Scene, sides, webhookPath } from "./fixtures.ts";
import type { PlatformName } from "./platform.ts";
import type { SetupFault } from "./switches.ts";

let scene: Scene;
afterEach(async () => {
  await scene.close();
});

async function problems(): Promise<readonly SetupProblem[]> {
  return await scene.shop.channel.check({ webhookPath });
}

async function told(): Promise<readonly string[]> {
  return (await problems()).map(({ what, where }) => `${where}: ${what}`);
}

const tokenEnded = "accessToken: Meta takes the access token no longer, or never did";
const versionEnded = "graphVersion: Graph API v26.0 has ended: Meta answers with v27.0";
const secretWrong =
  "appSecret: the app secret is not that of the app that the access token is of: webhooks would be refused";

const expected: { readonly [name in PlatformName]: { readonly [fault in SetupFault]?: readonly string[] } } =
  {
    whatsapp: {
      token: [tokenEnded],
      account: ["phoneNumberId: the number does not exist, or the access token may not see it"],
      other_account: ["businessAccountId: the number belongs to another account"],
      subscription: [
        "the account's subscribed apps at Meta: the app is not subscribed to the WhatsApp Business account: nothing that customers write arrives",
      ],
      field: [
        "the app's webhook for whatsapp_business_account at Meta: the app's webhook for whatsapp_business_account leaves out user_id_update",
      ],
      address: ["the app's webhook at Meta: the app's webhook goes to another address"],
      secret: [secretWrong],
      version: [versionEnded],
    },
    messenger: {
      token: [tokenEnded],
      account: ["pageId: the page does not exist, or the access token may not see it"],
      other_account: ["accessToken, or pageId: the access token is not one of the page that is configured"],
      subscription: [
        "the subscribed apps at Meta: the app is not subscribed to the page: nothing that customers write arrives",
      ],
      field: [
        "the app's webhook for page at Meta: the app's webhook for page leaves out messaging_postbacks",
        "the subscription of the page at Meta: the subscription of the page leaves out messaging_postbacks",
      ],
      address: ["the app's webhook for page at Meta: the app's webhook for page goes to another address"],
      secret: [secretWrong],
      version: [versionEnded],
    },
    instagram: {
      token: [tokenEnded],
      account: ["accountId: the Instagram account does not exist, or the access token may not see it"],
      other_account: [
        "accessToken, or accountId: the access token is not one of the Instagram account that is configured",
      ],
      subscription: [
        "the subscribed apps at Meta: the app is not subscribed to the Instagram account: nothing that customers write arrives",
      ],
      field: [
        "the subscription of the Instagram account at Meta: the subscription of the Instagram account leaves out messaging_postbacks",
      ],
      version: [versionEnded],
    },
    twilio: {
      token: ["accountSid, or the first authToken: Twilio does not take the credentials"],
      account: ["the sender at Twilio: the sender is not online (OFFLINE)"],
      other_account: ["from: the account has no such WhatsApp sender"],
      subscription: [
        "the sender's webhook at Twilio, or the option publicUrl: the sender has no webhook for incoming messages: taps arrive nowhere",
      ],
      address: [
        "the sender's webhook at Twilio, or the option publicUrl: the sender's webhook for incoming messages is another address: taps do not arrive here",
      ],
    },
  };

describe.each(platforms)("the setup of %s", (name) => {
  beforeEach(async () => {
    scene = await openScene(name);
  });

  test("CHAN-23 a right setup has no problem, and finding that out writes to nobody", async () => {
    expect(await problems()).toEqual([]);
    expect(scene.phone.messages().length).toBe(1);
  });

  test.each(Object.entries(expected[name]))(
    "CHAN-23 what is wrong is named: %s",
    async (fault, sentences) => {
      scene.simulator.set({ setup: [fault as SetupFault] });
      expect(await told()).toEqual(sentences);
    },
  );

  test("CHAN-24 what is told of a setup holds no secret and says what to do next", async () => {
    const faults = Object.keys(expected[name]) as SetupFault[];
    const all: SetupProblem[] = [];
    for (const fault of faults) {
      scene.simulator.set({ setup: [fault] });
      all.push(...(await problems()));
    }
    const text = JSON.stringify(all);
    for (const secret of ["demo_access_token", "demo_app_secret", "demo_auth_token", "demo_verify", "1555"]) {
      expect(text).not.toContain(secret);
    }
    expect(all.filter(({ what, where, next }) => [what, where, next].includes(""))).toEqual([]);
  });

  test("CHAN-25 a platform that is busy, broken or not there is a problem, and no guess is made", async () => {
    scene.simulator.set({ broken: 1 });
    const broken = await told();
    scene.simulator.set({ busy: 1 });
    const busy = await told();
    const stop = AbortSignal.abort();
    const stopped = await scene.shop.channel.check({ webhookPath, signal: stop });
    await scene.simulator.close();
    const gone = await told();
    expect([broken.length, busy.length, stopped.length, gone.length]).toEqual([1, 1, 1, 1]);
    expect(broken[0]).toMatch(/^(Meta|Twilio): .*HTTP 500/);
    expect(busy[0]).toMatch(/^(Meta|Twilio): .*HTTP 4/);
    expect(stopped[0]?.what).toMatch(/did not answer/);
    expect(gone[0]).toMatch(
      /^the network, or the option (graphBaseUrl|baseUrl): .* did not answer \([A-Z_]+\)/,
    );
  });
});

const secrets = { appSecret: "demo_app_secret_do_not_use", verifyToken: "demo_verify_token" };

test("CHAN-23 of several tokens the one that has ended is named, and the rest is checked with the other", async () => {
  scene = await openScene("messenger");
  const graphBaseUrl = scene.simulator.url;
  const accessToken = ["demo_access_token", "old_token"];
  const channel = messenger({ ...secrets, pageId: "400100200", accessToken, graphBaseUrl });
  const where = (await channel.check({ webhookPath })).map((one) => one.where);
  expect(where).toEqual(["accessToken[1]"]);
});

test("CHAN-23 of several app secrets one that is right suffices", async () => {
  scene = await openScene("messenger");
  const appSecret = ["new_secret", secrets.appSecret];
  const own = { ...secrets, pageId: "400100200", accessToken: "demo_access_token", appSecret };
  const channel = messenger({ ...own, graphBaseUrl: scene.simulator.url });
  expect(await channel.check({ webhookPath })).toEqual([]);
});

test("CHAN-23 an Instagram account behind a page is checked with the app's fields and address", async () => {
  scene = await openScene("instagram", { account: { pageId: "400100200" } });
  const own = { ...secrets, accountId: "17840000000000001", accessToken: "demo_access_token" };
  const channel = instagram({ ...own, login: "facebook", graphBaseUrl: scene.simulator.url });
  const whats: (readonly string[])[] = [];
  for (const setup of [[], ["field"], ["address"], ["other_account"], ["secret"]] as const) {
    scene.simulator.set({ setup });
    whats.push((await channel.check({ webhookPath })).map(({ what }) => what));
  }
  expect(whats).toEqual([
    [],
    ["the app's webhook for instagram leaves out messaging_postbacks"],
    ["the app's webhook for instagram goes to another address"],
    ["the access token is not one of the Instagram account that is configured"],
    ["the app secret is not that of the app that the access token is of: webhooks would be refused"],
  ]);
});

test("CHAN-25 without the id of its account a number's subscription is said to be unchecked", async () => {
  scene = await openScene("whatsapp");
  const own = { ...secrets, phoneNumberId: "300100200300", accessToken: "demo_access_token" };
  const channel = whatsapp({ ...own, graphBaseUrl: scene.simulator.url });
  expect((await channel.check({ webhookPath })).map(({ where }) => where)).toEqual(["businessAccountId"]);
});

test("CHAN-23 a sender's webhook must be this server's address to the letter", async () => {
  scene = await openScene("twilio");
  const { account } = sides.twilio;
  if (account.platform !== "twilio") throw new Error("another platform");
  const { accountSid, authToken, from } = account;
  const publicUrl = "https://shop.example";
  const channel = twilio({ accountSid, authToken, from, publicUrl, baseUrl: scene.simulator.url });
  expect(await channel.check({ webhookPath })).toEqual([
    {
      what: "the sender's webhook for incoming messages is another address: taps do not arrive here",
      where: "the sender's webhook at Twilio, or the option publicUrl",
      next: "set it to https://shop.example/v1/channels/shop/webhook",
    },
  ]);
});

test("SIM-13 a setup with a fault behaves like one: nothing arrives, or nothing that is signed rightly", async () => {
  scene = await openScene("messenger");
  await scene.ask();
  const id = scene.phone.messages().at(-1)?.id ?? "";
  const outcomes: unknown[] = [];
  for (const setup of [["field"], ["subscription"], ["address"], ["secret"], []] as const) {
    await scene.simulator.idle();
    scene.shop.readings.length = 0;
    scene.simulator.set({ setup });
    scene.phone.tap(id, 0);
    await scene.simulator.idle();
    const refused = scene.shop.readings.filter(({ kind }) => kind === "refused").length > 0;
    outcomes.push([scene.shop.events().filter(({ type }) => type === "tap").length, refused]);
  }
  expect(outcomes).toEqual([
    [0, false],
    [0, false],
    [0, false],
    [0, true],
    [1, false],
  ]);
});
