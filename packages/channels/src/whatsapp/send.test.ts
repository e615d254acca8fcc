import { promptTokens, type SendResult } from "@countersign/core";
import { exampleCard, exampleContext } from "@countersign/core/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OpenChannel, openWhatsApp } from "../fixtures.ts";

let opened: OpenChannel;
beforeAll(async () => {
  opened = await openWhatsApp({ accessToken: ["new_token", "old_token"] });
});
afterAll(async () => {
  await opened.far.close();
});

const customer = "15550100200";
const card = exampleCard({
  description: null,
  fields: [],
  details: [],
  effects: [],
  warnings: [],
  reversible: null,
});
const time = { expiresAt: Date.UTC(2026, 11, 1, 14, 30), window: "open" } as const;
const text =
  "Cancel this order?\n\nOpen until Tue, Dec 1, 2026, 02:30 PM UTC.\nTap “Cancel order” or “Keep order”.";

async function sendTo(to: string): Promise<SendResult> {
  const prompt = opened.channel.prompt(card, promptTokens("k3"), time);
  if (prompt.kind !== "messages") throw new Error(prompt.kind);
  return await opened.channel.send(to, prompt.messages[0], exampleContext());
}

function lastBody(): unknown {
  return JSON.parse(opened.far.asked.at(-1)?.body ?? "null");
}

async function failureFor(status: number, error: object, headers: object = {}): Promise<unknown> {
  opened.far.reply(() => ({ status, json: { error }, headers }));
  const result = await sendTo(customer);
  return result.kind === "failed" ? result.failure : result;
}

describe("a message to WhatsApp", () => {
  test("CHAN-14 is the request that the Cloud API describes, to a number or to an id without one", async () => {
    opened.answer("sent");
    const button = (id: string, title: string) => ({ type: "reply", reply: { id, title } });
    const request = {
      messaging_product: "whatsapp",
      recipient_type: "individual",
      type: "interactive",
      interactive: {
        type: "button",
        body: { text },
        action: { buttons: [button("cs1.k3.c", "Cancel order"), button("cs1.k3.x", "Keep order")] },
      },
      biz_opaque_callback_data: "attempt-1",
    };
    expect(await sendTo(customer)).toEqual({
      kind: "sent",
      providerMessageId: "wamid.OUT",
      aliases: [customer],
    });
    expect(lastBody()).toEqual({ ...request, to: customer });
    const { method, path, headers } = opened.far.asked.at(-1) ?? {};
    expect([method, path, headers?.authorization]).toEqual([
      "POST",
      "/v26.0/300100200300/messages",
      "Bearer new_token",
    ]);
    await sendTo("US.90000000000000000001");
    expect(lastBody()).toEqual({ ...request, recipient: "US.90000000000000000001" });
  });

  test("CHAN-12 names every id under which its receiver may answer", async () => {
    const contacts = [{ input: "525550100200", wa_id: "5215550100200", user_id: "MX.77" }];
    opened.far.reply(() => ({ status: 200, json: { contacts, messages: [{ id: "wamid.1" }] } }));
    expect(await sendTo("525550100200")).toEqual({
      kind: "sent",
      providerMessageId: "wamid.1",
      aliases: ["525550100200", "5215550100200", "MX.77"],
    });
  });

  test("CHAN-12 goes out with the older of two access tokens where the newer one does not count yet", async () => {
    opened.far.reply(({ headers }) =>
      headers.authorization === "Bearer old_token"
        ? { status: 200, json: { messages: [{ id: "wamid.2" }] } }
        : { status: 401, json: { error: { code: 190, message: "Invalid OAuth access token" } } },
    );
    expect(await sendTo(customer)).toEqual({
      kind: "sent",
      providerMessageId: "wamid.2",
      aliases: [customer],
    });
  });

  const failure = { code: null, detail: "no", waitMs: null, tries: null, alert: false };
  test.each([
    [400, 131047, { class: "window_closed" }],
    [400, 131026, { class: "undeliverable" }],
    [400, 131056, { class: "retry_later", waitMs: 6000 }],
    [500, 131000, { class: "retry_later", tries: 2 }],
    [400, 131048, { class: "retry_later", waitMs: 3_600_000, alert: true }],
    [500, 1, { class: "retry_later" }],
    [400, 1, { class: "bad_request" }],
    [401, 190, { class: "auth", alert: true }],
    [403, 200, { class: "auth", alert: true }],
    [403, 299, { class: "auth", alert: true }],
    [400, 100, { class: "bad_request" }],
    [400, 132018, { class: "bad_request" }],
    [400, 999_999, { class: "bad_request" }],
    [503, 999_999, { class: "retry_later" }],
  ])("CHAN-12 that fails with HTTP %i and code %i says what to do", async (status, code, what) => {
    expect(await failureFor(status, { code, message: "no" })).toEqual({
      ...failure,
      code: String(code),
      ...what,
    });
  });

  test("CHAN-12 waits as long as the platform asks", async () => {
    expect(await failureFor(429, { code: 130429, message: "no" }, { "retry-after": "30" })).toEqual({
      ...failure,
      class: "retry_later",
      code: "130429",
      waitMs: 30_000,
    });
  });

  test("CHAN-12 an answer that is no JSON counts by its status", async () => {
    opened.far.reply(() => ({ status: 502, json: "<html>" }));
    expect(await sendTo(customer)).toEqual({
      kind: "failed",
      failure: { ...failure, class: "retry_later", detail: null },
    });
  });

  test("CHAN-18 tells a failure without numbers, tokens or long ids, and helps with a test number", async () => {
    const details = `Recipient 15550100200 (+1 555-010-0200) of cs1.k3.c with ${"EAAG".repeat(10)} is not in the list.`;
    expect(await failureFor(400, { code: 131030, error_data: { details }, message: "(#131030) no" })).toEqual(
      {
        class: "undeliverable",
        code: "131030",
        detail:
          "Recipient … (+…) of … with … is not in the list. A test number sends only to numbers on its list, perhaps in another spelling: in Mexico, Brazil and Argentina mobile numbers have two.",
        waitMs: null,
        tries: null,
        alert: true,
      },
    );
  });

  test("CHAN-12 is not tried to an address of another platform", async () => {
    const before = opened.far.asked.length;
    for (const to of ["whatsapp:+15550100200", "+15550100200", "", "m.e@shop.example"]) {
      expect(await sendTo(to)).toEqual({
        kind: "failed",
        failure: { ...failure, class: "undeliverable", detail: "the address is no WhatsApp id" },
      });
    }
    expect(opened.far.asked.length).toBe(before);
  });
});
