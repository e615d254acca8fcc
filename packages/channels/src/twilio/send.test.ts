import { promptTokens, type SendResult } from "@countersign/core";
import { exampleCard, exampleContext } from "@countersign/core/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { accountSid, authToken, type OpenChannel, openTwilio, type Reply } from "../fixtures.ts";

let opened: OpenChannel;
beforeEach(async () => {
  opened = await openTwilio();
});
afterEach(async () => {
  await opened.far.close();
});

const customer = "whatsapp:+15550100200";
const card = exampleCard({
  description: null,
  fields: [],
  details: [],
  effects: [],
  warnings: [],
  reversible: null,
});
const time = { expiresAt: Date.UTC(2026, 11, 1, 14, 30), window: "open" } as const;
const contentSid = `HX${"a".repeat(32)}`;
const messageSid = `SM${"b".repeat(32)}`;

async function sendPrompt(context = exampleContext(), title = card.title): Promise<SendResult> {
  const prompt = opened.channel.prompt({ ...card, title }, promptTokens("k3"), time);
  if (prompt.kind !== "messages") throw new Error(prompt.kind);
  return await opened.channel.send(customer, prompt.messages[0], context);
}

const works = ({ path }: { readonly path: string }): Reply =>
  path.startsWith("/content.")
    ? { status: 201, json: { sid: contentSid, friendly_name: "x" } }
    : { status: 201, json: { sid: messageSid, status: "queued", to: customer } };

describe("a prompt over Twilio", () => {
  test("CHAN-14 registers its content under the names of the wire, and is sent as a form", async () => {
    opened.far.reply(works);
    expect(await sendPrompt()).toEqual({ kind: "sent", providerMessageId: messageSid, aliases: [customer] });
    const [content, message] = opened.far.asked;
    expect([content?.method, content?.path, JSON.parse(content?.body ?? "")]).toEqual([
      "POST",
      "/content.twilio.com/v1/Content",
      {
        friendly_name: expect.stringMatching(/^countersign_[0-9a-f]{16}$/),
        language: "en",
        variables: { "1": "text", "2": "text", "3": "text", "4": "text", "5": "text" },
        types: {
          "twilio/quick-reply": {
            body: "{{1}}\n\n{{2}}\n{{3}}",
            actions: [
              { type: "QUICK_REPLY", title: "Cancel order", id: "{{4}}" },
              { type: "QUICK_REPLY", title: "Keep order", id: "{{5}}" },
            ],
          },
        },
      },
    ]);
    expect([message?.path, Object.fromEntries(new URLSearchParams(message?.body))]).toEqual([
      `/api.twilio.com/2010-04-01/Accounts/${accountSid}/Messages.json`,
      {
        From: "whatsapp:+15550109999",
        To: customer,
        ContentSid: contentSid,
        ContentVariables: JSON.stringify({
          1: "Cancel this order?",
          2: "Open until Tue, Dec 1, 2026, 02:30 PM UTC.",
          3: "Tap “Cancel order” or “Keep order”.",
          4: "cs1.k3.c",
          5: "cs1.k3.x",
        }),
        StatusCallback: "https://hooks.example/v1/channels/shop/status",
      },
    ]);
    const basic = Buffer.from(`${accountSid}:${authToken}`).toString("base64");
    expect(message?.headers.authorization).toBe(`Basic ${basic}`);
  });

  test("CHAN-22 registers one content for all prompts of the same shape, and nothing of a customer in it", async () => {
    opened.far.reply(works);
    const context = exampleContext();
    await sendPrompt(context, "Cancel the order of Ana?");
    await sendPrompt(context, "Cancel the order of Ben?");
    const contents = opened.far.asked.filter(({ path }) => path.startsWith("/content."));
    expect(contents.length).toBe(1);
    expect(contents[0]?.body).not.toMatch(/Ana|Ben|cs1/);
    expect(opened.far.asked.length).toBe(3);
  });

  test("CHAN-13 that could not be registered was not sent to anybody, and may be tried again", async () => {
    const failed = { code: null, detail: null, waitMs: null, tries: null, alert: false };
    opened.far.reply(({ path }) =>
      path.startsWith("/content.") ? { status: 503, json: {} } : works({ path }),
    );
    expect(await sendPrompt()).toEqual({
      kind: "failed",
      failure: { ...failed, class: "retry_later" },
    });
    expect(opened.far.asked.length).toBe(1);
  });

  test.each([
    [400, 63016, "window_closed"],
    [400, 21211, "undeliverable"],
    [429, 20429, "retry_later"],
    [401, 20003, "auth"],
    [400, 21656, "bad_request"],
    [500, 1, "retry_later"],
    [400, 1, "bad_request"],
  ])("CHAN-12 that fails with HTTP %i and code %i is %s", async (status, code, kind) => {
    const message = "The 'To' number whatsapp:+15550100200 is not valid";
    opened.far.reply((asked) =>
      asked.path.startsWith("/content.") ? works(asked) : { status, json: { status, code, message } },
    );
    expect(await sendPrompt()).toEqual({
      kind: "failed",
      failure: {
        class: kind,
        code: String(code),
        detail: "The 'To' number whatsapp:+… is not valid",
        waitMs: null,
        tries: null,
        alert: kind === "auth",
      },
    });
  });

  test("CHAN-13 whose platform cannot be reached was not sent", async () => {
    await opened.far.close();
    const result = await opened.channel.send(
      customer,
      opened.channel.tell("Done.", "en")[0],
      exampleContext(),
    );
    expect(result).toEqual({
      kind: "failed",
      failure: {
        class: "retry_later",
        code: null,
        detail: "ECONNREFUSED",
        waitMs: null,
        tries: null,
        alert: false,
      },
    });
    opened = await openTwilio();
  });
});
