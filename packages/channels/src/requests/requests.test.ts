import process from "node:process";
import { promptTokens } from "@countersign/core";
import { exampleCard, exampleContext } from "@countersign/core/testing";
import { expect, test } from "vitest";
import {
  type Asked,
  channels,
  type OpenChannel,
  openMessenger,
  openTwilio,
  openWhatsApp,
} from "../fixtures.ts";
import { bodyOf, judges } from "./fixtures.ts";

const tokens = promptTokens("0123456789abcdefABCD_-");
const expiresAt = Date.UTC(2026, 11, 1, 14, 30);
const contentSid = `HX${"a".repeat(32)}`;
const english = { text: "Please check: {{1}} Thank you.", confirmLabel: "Yes", declineLabel: "No" };
const template = { name: "check_it", languages: { en: english } };

const long = "The shop stops packing, and tells the carrier. ".repeat(25).trim();
const cards = [exampleCard(), exampleCard({ description: long }), exampleCard({ locale: "ar" })];

async function sendAll(opened: OpenChannel, windows: readonly ("open" | "closed")[]): Promise<void> {
  const context = exampleContext();
  for (const window of windows) {
    for (const card of window === "open" ? cards : cards.slice(0, 1)) {
      const prompt = opened.channel.prompt(card, tokens, { expiresAt, window });
      const messages = prompt.kind === "messages" ? prompt.messages : [];
      expect(messages.length).toBeGreaterThan(0);
      for (const message of [...messages, ...opened.channel.tell(long.repeat(5), "en")]) {
        await opened.channel.send(opened.customer, message, context);
      }
    }
  }
  await opened.far.close();
}

/** Every kind of request that we make, by platform. */
async function requests(): Promise<readonly (readonly [platform: string, asked: Asked])[]> {
  const withTemplate: readonly (readonly [string, Promise<OpenChannel>])[] = [
    ["whatsapp", openWhatsApp({ template })],
    ["messenger", openMessenger({ utilityTemplate: template })],
    ["twilio", openTwilio({ contentTemplate: { languages: { en: { ...english, contentSid } } } })],
  ];
  const found: (readonly [string, Asked])[] = [];
  const collect = async (name: string, opened: OpenChannel, windows: readonly ("open" | "closed")[]) => {
    opened.far.reply(({ path }) =>
      path.startsWith("/content.")
        ? { status: 201, json: { sid: contentSid } }
        : { status: 200, json: { sid: "SM1" } },
    );
    await sendAll(opened, windows);
    for (const asked of opened.far.asked) found.push([name, asked]);
  };
  for (const [name, open] of channels) await collect(name, await open(), ["open"]);
  for (const [name, opened] of withTemplate) await collect(name, await opened, ["closed"]);
  return found;
}

test("CHAN-14 every request is as the platform describes it", async () => {
  const sent = await requests();
  const counts: { [judge: string]: number } = {};
  for (const { name, judge } of judges(process.env.COUNTERSIGN_ORACLES)) {
    const verdicts = sent.map(([platform, asked]) => [judge(platform, asked), asked] as const);
    counts[name] = verdicts.filter(([verdict]) => verdict !== undefined).length;
    for (const [verdict, asked] of verdicts)
      expect([verdict ?? null, bodyOf(asked)]).toEqual([null, bodyOf(asked)]);
  }
  expect(Object.values(counts).filter((count) => count === 0)).toEqual([]);
  expect(sent.length).toBeGreaterThan(40);
});

test("CHAN-14 the schemas find a label, a body and a payload that are too long, and a third button", () => {
  const [whatsapp] = judges(undefined);
  const button = (title: string, id = "cs1.k3.c"): object => ({ type: "reply", reply: { id, title } });
  const request = (text: string, buttons: readonly object[]): Asked => {
    const interactive = { type: "button", body: { text }, action: { buttons } };
    const common = { messaging_product: "whatsapp", recipient_type: "individual", to: "15550100200" };
    const body = JSON.stringify({
      ...common,
      type: "interactive",
      interactive,
      biz_opaque_callback_data: "a",
    });
    return { method: "POST", path: "/", headers: {}, body };
  };
  const isRight = (asked: Asked): boolean => whatsapp?.judge("whatsapp", asked) === null;
  const two = [button("Yes"), button("No")];
  expect(isRight(request("Go?", two))).toBe(true);
  const wrong = [
    request("Go?", [button("a".repeat(21)), button("No")]),
    request("a".repeat(1025), two),
    request("", two),
    request("Go?", [button("Yes", "a".repeat(257)), button("No")]),
    request("Go?", [...two, button("Maybe")]),
  ];
  expect(wrong.filter(isRight)).toEqual([]);
});
