import { promptTokens } from "@countersign/core";
import { exampleCard, exampleContext } from "@countersign/core/testing";
import { describe, expect, test } from "vitest";
import { type OpenChannel, openInstagram, openMessenger } from "../fixtures.ts";
import { meaningOf } from "./messaging-errors.ts";

const card = exampleCard({
  description: null,
  fields: [],
  details: [],
  effects: [],
  warnings: [],
  reversible: null,
});
const time = { expiresAt: Date.UTC(2026, 11, 1, 14, 30), window: "open" } as const;

async function sentBy(opened: OpenChannel): Promise<unknown> {
  try {
    opened.answer("sent");
    const prompt = opened.channel.prompt(card, promptTokens("k3"), time);
    if (prompt.kind !== "messages") throw new Error(prompt.kind);
    const result = await opened.channel.send(opened.customer, prompt.messages[0], exampleContext());
    const { path, body, headers } = opened.far.asked[0] ?? { body: "null" };
    return { result, path, body: JSON.parse(body), authorization: headers?.authorization };
  } finally {
    await opened.far.close();
  }
}

const text =
  "Cancel this order?\n\nOpen until Tue, Dec 1, 2026, 02:30 PM UTC.\nTap “Cancel order” or “Keep order”.";
const bodyFor = (id: string, shown: string): object => ({
  recipient: { id },
  messaging_type: "RESPONSE",
  message: {
    attachment: {
      type: "template",
      payload: {
        template_type: "button",
        text: shown,
        buttons: [
          { type: "postback", title: "Cancel order", payload: "cs1.k3.c" },
          { type: "postback", title: "Keep order", payload: "cs1.k3.x" },
        ],
      },
    },
  },
});

describe("a prompt", () => {
  test("CHAN-14 in Messenger is a button template without any tag", async () => {
    expect(await sentBy(await openMessenger())).toEqual({
      result: { kind: "sent", providerMessageId: "m_out", aliases: ["7001001"] },
      path: "/v26.0/400100200/messages",
      body: bodyFor("7001001", text),
      authorization: "Bearer demo_access_token",
    });
  });

  test("CHAN-14 in Instagram is the same, and says what to do where there are no buttons", async () => {
    const sent = {
      result: { kind: "sent", providerMessageId: "m_out", aliases: ["910010020030"] },
      body: bodyFor("910010020030", `${text}\nNo buttons here? Open this chat in the app on your phone.`),
      authorization: "Bearer demo_access_token",
    };
    const own = await sentBy(await openInstagram());
    expect(own).toEqual({ ...sent, path: "/v26.0/17840000000000001/messages" });
    const facebook = await sentBy(await openInstagram({ login: "facebook", graphVersion: "v25.0" }));
    expect(facebook).toEqual({ ...sent, path: "/v25.0/me/messages" });
  });

  test("CHAN-5 outside the window in Messenger goes out as the approved utility message, whole on one line", async () => {
    const english = { text: "Please check: {{1}} Thank you.", confirmLabel: "Yes", declineLabel: "No" };
    const utilityTemplate = { name: "check_change", languages: { pt_BR: english, en: english } };
    const { channel, far } = await openMessenger({ utilityTemplate });
    await far.close();
    const said =
      "Cancel this order? · Open until Tue, Dec 1, 2026, 02:30 PM UTC. · “Yes” means: Cancel order. · “No” means: Keep order. · Tap “Yes” or “No”.";
    const template = {
      name: "check_change",
      language: { code: "en" },
      components: [
        { type: "body", parameters: [{ type: "text", text: said }] },
        {
          type: "buttons",
          parameters: [
            { type: "POSTBACK", payload: "cs1.k3.c" },
            { type: "POSTBACK", payload: "cs1.k3.x" },
          ],
        },
      ],
    };
    expect(channel.prompt(card, promptTokens("k3"), { ...time, window: "closed" })).toEqual({
      kind: "messages",
      messages: [
        {
          kind: "prompt",
          text: `Please check: ${said} Thank you.`,
          body: { messaging_type: "UTILITY", message: { template } },
        },
      ],
    });
  });
});

test.each([
  [10, 2018278, "", "window_closed"],
  [10, 2534022, "", "window_closed"],
  [10, 0, "This message is sent outside of allowed window.", "window_closed"],
  [10, 0, "This message is sent outside the allowed window.", "window_closed"],
  [10, 2018108, "", "undeliverable"],
  [10, 1893063, "", "auth"],
  [10, 0, "", "auth"],
  [551, 0, "", "undeliverable"],
  [200, 1545041, "", "undeliverable"],
  [200, 2018028, "", "auth"],
  [100, 2018001, "", "undeliverable"],
  [100, 33, "", "undeliverable"],
  [100, 0, "Invalid parameter", "bad_request"],
  [613, 0, "", "retry_later"],
  [613, 1893016, "", "auth"],
  [2, 1545133, "", "retry_later"],
  [2, 0, "", "retry_later"],
  [1, 99, "", "bad_request"],
  [5, 2534001, "", "undeliverable"],
  [190, 463, "", "auth"],
])("CHAN-12 Messenger's code %i/%i “%s” is %s", (code, subcode, message, kind) => {
  expect(meaningOf({ code, subcode, message, status: 400 })?.[0]).toBe(kind);
});
