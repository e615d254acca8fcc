import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openScene, type Scene, tokens } from "../fixtures.ts";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene("twilio");
});
afterEach(async () => {
  await scene.close();
});

const sid = "AC00000000000000000000000000000001";
const authorization = `Basic ${Buffer.from(`${sid}:demo_auth_token_do_not_use`).toString("base64")}`;

async function call(path: string, init: RequestInit = {}): Promise<[number, unknown]> {
  const response = await fetch(scene.simulator.url + path, { ...init, headers: { authorization } });
  return [response.status, await response.json()];
}

async function message(fields: { readonly [name: string]: string }): Promise<unknown> {
  const common = { From: "whatsapp:+15550109999", To: "whatsapp:+15550100200" };
  const [status, json] = await call(`/api.twilio.com/2010-04-01/Accounts/${sid}/Messages.json`, {
    method: "POST",
    body: new URLSearchParams({ ...common, ...fields }),
  });
  return [status, (json as { code?: number }).code ?? null];
}

async function content(change: object): Promise<[number, { sid?: string }]> {
  const types = {
    "twilio/quick-reply": { body: "{{1}}?", actions: [{ title: "Yes", id: "{{2}}" }], ...change },
  };
  const body = JSON.stringify({ friendly_name: "x", language: "en", variables: {}, types });
  return (await call("/content.twilio.com/v1/Content", { method: "POST", body })) as [
    number,
    { sid?: string },
  ];
}

describe("Twilio's APIs", () => {
  test("SIM-4 refuse what they do not take", async () => {
    const [, { sid: contentSid = "" }] = await content({});
    expect([
      await message({ Body: "a".repeat(1600) }),
      await message({ Body: "a".repeat(1601) }),
      await message({}),
      await message({ From: "whatsapp:+15550109998", Body: "a" }),
      await message({ To: "+15550100200", Body: "a" }),
      await message({ ContentSid: `HX${"f".repeat(32)}` }),
      await message({ ContentSid: contentSid, ContentVariables: "{" }),
      await message({ ContentSid: contentSid, ContentVariables: '{"1":1}' }),
      await message({ ContentSid: contentSid, ContentVariables: JSON.stringify({ 1: "a".repeat(1024) }) }),
      await message({ ContentSid: contentSid, ContentVariables: JSON.stringify({ 1: "a".repeat(1023) }) }),
    ]).toEqual([
      [201, null],
      [400, 21617],
      [400, 21619],
      [400, 63007],
      [400, 21211],
      [400, 21655],
      [400, 21656],
      [400, 21656],
      [400, 63021],
      [201, null],
    ]);
  });

  test("SIM-4 know contents by the names of the wire only, and list them", async () => {
    const [created, { sid: contentSid }] = await content({});
    const statuses = [
      created,
      (await content({ actions: [{ title: "a".repeat(21), id: "x" }] }))[0],
      (await content({ actions: [{ title: "a", id: "x".repeat(129) }] }))[0],
      (await content({ actions: [] }))[0],
      (await content({ body: "" }))[0],
    ];
    expect(statuses).toEqual([201, 400, 400, 400, 400]);
    const types = { twilioQuickReply: { body: "a", actions: [{ title: "Yes", id: "x" }] } };
    const body = JSON.stringify({ friendlyName: "x", language: "en", types });
    expect((await call("/content.twilio.com/v1/Content", { method: "POST", body }))[0]).toBe(400);
    const [, list] = await call("/content.twilio.com/v1/Content");
    expect((list as { contents: { sid: string }[] }).contents.map((one) => one.sid)).toEqual([
      `HX${"a".repeat(32)}`,
      contentSid,
    ]);
  });

  test("SIM-11 an approved content goes out in a closed window, and its tap is told as that of a template", async () => {
    scene.simulator.set({ window: "closed" });
    expect((await scene.ask("closed")).kind).toBe("sent");
    scene.phone.tap(scene.phone.messages().at(-1)?.id ?? "", 1);
    await scene.simulator.idle();
    expect(scene.shop.events().at(-1)).toMatchObject({
      type: "tap",
      token: tokens.decline,
      label: "No, keep it",
    });
  });
});
