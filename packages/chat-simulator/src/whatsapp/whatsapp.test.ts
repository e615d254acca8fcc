import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openScene, type Scene, tokens } from "../fixtures.ts";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene("whatsapp");
});
afterEach(async () => {
  await scene.close();
});

const to = "15550100200";
const common = { messaging_product: "whatsapp", recipient_type: "individual", to };
const button = (title: string, id: string): object => ({ type: "reply", reply: { id, title } });
const interactive = (text: string, buttons: readonly object[]): object => ({
  ...common,
  type: "interactive",
  interactive: { type: "button", body: { text }, action: { buttons } },
});
const two = [button("Yes", "a"), button("No", "b")];

async function post(body: object, path = "/v26.0/300100200300/messages"): Promise<unknown> {
  const response = await fetch(scene.simulator.url + path, {
    method: "POST",
    headers: { authorization: "Bearer demo_access_token", "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const { error } = (await response.json()) as { error?: { code: number; error_data?: { details: string } } };
  return error ? [response.status, error.code, error.error_data?.details ?? null] : response.status;
}

describe("the WhatsApp Cloud API", () => {
  test("SIM-4 takes what is just within its limits", async () => {
    expect(await post(interactive("a".repeat(1024), [button("a".repeat(20), "i".repeat(256))]))).toBe(200);
    expect(await post({ ...common, type: "text", text: { body: "a".repeat(4096) } })).toBe(200);
  });

  const body = "Body text length invalid. Min length: 1, Max length: 1024";
  const count = "Invalid buttons count. Min allowed buttons: 1, Max allowed buttons: 3";
  const long = "i".repeat(257);
  test.each<[what: string, body: object, code: number, details: string]>([
    ["a long body", interactive("a".repeat(1025), two), 131009, body],
    ["no body", interactive("", two), 131009, body],
    [
      "a long title",
      interactive("a", [button("a".repeat(21), "a")]),
      131009,
      "Button title length invalid. Min length: 1, Max length: 20",
    ],
    [
      "a long id",
      interactive("a", [button("a", long)]),
      131009,
      "Button reply id length invalid. Min length: 1, Max length: 256",
    ],
    [
      "an id with a space",
      interactive("a", [button("a", " i")]),
      131009,
      "Button reply id has leading or trailing spaces",
    ],
    ["no button", interactive("a", []), 131009, count],
    ["four buttons", interactive("a", [...two, ...two]), 131009, count],
    [
      "a title twice",
      interactive("a", [button("Yes", "a"), button("Yes ", "b")]),
      131009,
      "Duplicated button titles",
    ],
    [
      "an id twice",
      interactive("a", [button("Yes", "a"), button("No", "a")]),
      131009,
      "Duplicated reply ids",
    ],
    ["no text", { ...common, type: "text" }, 131008, "Required parameter is missing: text['body']"],
    [
      "another product",
      { ...common, messaging_product: "x" },
      131008,
      "Required parameter is missing: messaging_product",
    ],
    ["an unknown type", { ...common, type: "poem" }, 131009, "Unexpected message type: poem"],
  ])("SIM-4 refuses what is beyond its limits: %s", async (_, sent, code, details) => {
    expect(await post(sent)).toEqual([400, code, details]);
    expect(scene.phone.messages().length).toBe(1);
  });

  test("SIM-4 knows no other number than its own", async () => {
    expect(await post(interactive("a", two), "/v26.0/999/messages")).toEqual([400, 100, null]);
  });

  test("SIM-11 an approved template goes out in a closed window, and its tap is told as that of a template", async () => {
    scene.simulator.set({ window: "closed" });
    expect((await scene.ask("closed")).kind).toBe("sent");
    const prompt = scene.phone.messages().at(-1);
    expect([prompt?.buttons, prompt?.text.startsWith("Please check: Cancel this order?")]).toEqual([
      ["Yes, do it", "No, keep it"],
      true,
    ]);
    scene.phone.tap(prompt?.id ?? "", 0);
    await scene.simulator.idle();
    expect(scene.shop.events().at(-1)).toMatchObject({
      type: "tap",
      token: tokens.confirm,
      label: "Yes, do it",
    });
  });

  test.each([
    [{ name: "other", language: { code: "en" } }, 132001],
    [{ name: "check_it", language: { code: "de" } }, 132001],
    [{ name: "check_it", language: { code: "en" }, components: [] }, 132000],
    [
      {
        name: "check_it",
        language: { code: "en" },
        components: [{ type: "body", parameters: [{ type: "text", text: "a\nb" }] }],
      },
      132018,
    ],
  ])("SIM-11 a template that is not as it was approved is refused: %j", async (template, code) => {
    expect(await post({ ...common, type: "template", template })).toMatchObject([
      400,
      code,
      expect.anything(),
    ]);
  });

  test("SIM-12 somebody without a number is written to and heard under the id that stays", async () => {
    const id = "US.90000000000000000001";
    const phone = scene.simulator.phone("whatsapp", id, { name: "Ben" });
    phone.type("Hi");
    await scene.simulator.idle();
    const said = scene.shop.events().at(-1);
    expect(said).toMatchObject({ type: "message", sender: { address: id, phone: null, userId: id } });
    const [message] = scene.shop.channel.tell("Hello", "en");
    const sent = await scene.shop.channel.send(id, message, {
      attempt: "attempt-2",
      contents: { find: async () => undefined, keep: async () => undefined },
      statusPath: "/s",
    });
    expect(sent).toMatchObject({ kind: "sent", aliases: [id] });
    expect(phone.messages().at(-1)?.text).toBe("Hello");
  });

  test("SIM-12 a person whose id becomes another is written to and heard under the new one only", async () => {
    const [former, current] = ["US.90000000000000000002", "US.90000000000000000077"];
    const phone = scene.simulator.phone("whatsapp", "15550100202", { userId: former });
    phone.changeUserId(current);
    phone.type("Hi");
    await scene.simulator.idle();
    expect(scene.shop.events()).toMatchObject([
      { type: "identity_changed", former: [former], current: [current] },
      { type: "message", sender: { address: "15550100202", userId: current } },
    ]);
    const statuses = [
      await post({ ...common, to: undefined, recipient: current, type: "text", text: { body: "a" } }),
      await post({ ...common, to: undefined, recipient: former, type: "text", text: { body: "a" } }),
    ];
    expect(statuses).toEqual([200, [400, 131030, "Recipient phone number not in allowed list"]]);
    expect(() => scene.phone.changeUserId(current)).toThrow("no business-scoped id");
  });
});
