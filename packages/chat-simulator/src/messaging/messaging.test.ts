import { afterEach, expect, test } from "vitest";
import { openScene, type Scene, tokens } from "../fixtures.ts";
import { openChatSimulator } from "../simulator.ts";

let scene: Scene;
afterEach(async () => {
  await scene.close();
});

async function post(account: string, to: string, body: object): Promise<unknown> {
  const response = await fetch(`${scene.simulator.url}/v26.0/${account}/messages`, {
    method: "POST",
    headers: { authorization: "Bearer demo_access_token", "content-type": "application/json" },
    body: JSON.stringify({ recipient: { id: to }, messaging_type: "RESPONSE", ...body }),
  });
  const { error } = (await response.json()) as { error?: { code: number; message: string } };
  return error ? [error.code, error.message] : response.status;
}

const buttons = (text: string, list: readonly object[]): object => ({
  message: { attachment: { type: "template", payload: { template_type: "button", text, buttons: list } } },
});
const button = (title: string, payload = "p"): object => ({ type: "postback", title, payload });
const length = (name: string, most: number) => [
  100,
  `(#100) Length of param ${name} must be less than or equal to ${most}`,
];

test("SIM-4 Messenger takes what is within its limits and refuses what is beyond", async () => {
  scene = await openScene("messenger");
  const ask = (body: object) => post("400100200", "7001001", body);
  expect([
    await ask(buttons("a".repeat(640), [button("a".repeat(20), "p".repeat(1000))])),
    await ask({ message: { text: "ä".repeat(2000) } }),
    await ask(buttons("a".repeat(641), [button("a")])),
    await ask(buttons("a", [button("a".repeat(21))])),
    await ask(buttons("a", [button("a", "p".repeat(1001))])),
    await ask(buttons("a", [button("1"), button("2"), button("3"), button("4")])),
    await ask({ message: { text: "a".repeat(2001) } }),
    await ask({ message: { text: "a" }, messaging_type: "MESSAGE_TAG", tag: "ACCOUNT_UPDATE" }),
  ]).toEqual([
    200,
    200,
    length("text", 640),
    length("title", 20),
    length("payload", 1000),
    [100, "(#100) Param buttons must have 1 to 3 items"],
    length("message[text]", 2000),
    [100, "(#100) Invalid parameter"],
  ]);
});

test("SIM-4 Instagram counts the bytes of a text", async () => {
  scene = await openScene("instagram");
  const ask = (text: string) => post("me", "910010020030", { message: { text } });
  expect([await ask("ä".repeat(500)), await ask("ä".repeat(501))]).toEqual([
    200,
    length("message[text]", 1000),
  ]);
});

test("SIM-11 an approved utility message goes out in a closed window of Messenger", async () => {
  scene = await openScene("messenger");
  scene.simulator.set({ window: "closed" });
  expect((await scene.ask("closed")).kind).toBe("sent");
  const prompt = scene.phone.messages().at(-1);
  scene.phone.tap(prompt?.id ?? "", 1);
  await scene.simulator.idle();
  expect(scene.shop.events().filter(({ type }) => type === "tap")).toMatchObject([
    { token: tokens.decline, label: "No, keep it" },
  ]);
});

test("SIM-2 a quick reply comes as a message with its payload", async () => {
  scene = await openScene("instagram");
  const quick = { content_type: "text", title: "Yes", payload: tokens.confirm };
  await post("me", "910010020030", { message: { text: "Go?", quick_replies: [quick] } });
  scene.phone.tap(scene.phone.messages().at(-1)?.id ?? "", 0);
  await scene.simulator.idle();
  expect(scene.shop.events().filter(({ type }) => type === "tap")).toMatchObject([
    { token: tokens.confirm, label: "Yes" },
  ]);
});

test("SIM-13 without a subscription to postbacks a tap reaches nobody", async () => {
  scene = await openScene("messenger", { account: { fields: ["messages"] } });
  await scene.ask();
  scene.phone.tap(scene.phone.messages().at(-1)?.id ?? "", 0);
  await scene.simulator.idle();
  expect([
    scene.shop.events().filter(({ type }) => type === "tap"),
    scene.phone.messages().at(-1)?.status,
  ]).toEqual([[], "not_taken"]);
});

test("SIM-14 an address that gives no challenge back is not connected", async () => {
  scene = await openScene("messenger");
  const stranger = await openChatSimulator({ accounts: [] });
  await expect(scene.simulator.connect("messenger", `${stranger.url}/hook`)).rejects.toThrow("not verified");
  await stranger.close();
});
