import { type PaperChannel, paperChannel } from "@countersign/core/testing";
import { describe, expect, test } from "vitest";
import { type Answer, type Api, makeApi, propose, secrets, signIn } from "./fixtures.ts";

const hook = "/v1/channels/shop_wa/webhook";
const reviewUrl = "https://confirm.shop.example";

type Chat = { readonly api: Api; readonly paper: PaperChannel; readonly token: string };

/** Ana is signed in, and her conversation c-1 lives in a chat. */
async function chat(): Promise<Chat> {
  const paper = paperChannel();
  const api = makeApi({ engine: { channels: { shop_wa: paper.channel }, reviewUrl } });
  const token = await signIn(api);
  const body = { channel: "shop_wa", address: paper.customer };
  const stated = await api.ask("PUT", "/v1/conversations/c-1/contact", { as: secrets.host, body });
  expect(stated.status).toBe(204);
  return { api, paper, token };
}

function tapOn({ api, paper }: Chat, which: "confirm" | "decline"): Promise<Answer> {
  const prompt = paper.sent.findLast(({ message }) => message.kind === "prompt");
  const payload = String(prompt?.message.body[which]);
  const act = { type: "tap", from: paper.customer, messageId: `m-${paper.sent.length}`, payload, label: "" };
  const { header, body } = paper.inbound(act as never);
  const signature = header("x-paper-signature") ?? "";
  return api.ask("POST", hook, { headers: { "x-paper-signature": signature }, body });
}

/** The code of the link in the latest prompt. */
function codeIn(paper: PaperChannel): string {
  const { text = "" } = paper.sent.findLast(({ message }) => message.kind === "prompt")?.message ?? {};
  return /\/review#([0-9a-f]+)/.exec(text)?.[1] ?? "";
}

test("HTTP-43 a tap that a platform delivers confirms, and the platform hears that it was kept", async () => {
  const made = await chat();
  await propose(made.api, made.token);
  await made.api.engine.runDue();
  expect((await tapOn(made, "confirm")).status).toBe(200);
  await made.api.engine.runDue();
  const { body } = await made.api.ask("GET", "/v1/card", { as: made.token });
  expect(body).toMatchObject({ card: { state: "applied" } });
});

test("HTTP-43 a webhook without a signature is 401, of no account 404, and too large 413", async () => {
  const { api, paper } = await chat();
  const { body, header } = paper.inbound({ type: "text", from: "1", messageId: "m", text: "hello" });
  expect((await api.ask("POST", hook, { body })).status).toBe(401);
  const headers = { "x-paper-signature": header("x-paper-signature") ?? "" };
  expect((await api.ask("POST", "/v1/channels/nobody/webhook", { body, headers })).status).toBe(404);
  expect((await api.ask("POST", hook, { body: new Uint8Array(4 * 1024 * 1024 + 1) })).status).toBe(413);
  expect((await api.ask("POST", hook, { body: new Uint8Array(3 * 1024 * 1024) })).status).toBe(401);
});

test("HTTP-44 a contact in a chat that is not configured is refused with the place", async () => {
  const { api } = await chat();
  const body = { channel: "other", address: "1" };
  const answer = await api.ask("PUT", "/v1/conversations/c-1/contact", { as: secrets.host, body });
  expect(answer).toMatchObject({
    status: 422,
    body: { code: "invalid_request", issues: [{ pointer: "/channel" }] },
  });
});

test("HTTP-44 what a chat cannot show whole is refused to the agent, with how much too long it is", async () => {
  const { api } = await chat();
  const note = "x".repeat(5_000);
  const answer = await api.ask("POST", "/v1/conversations/c-1/calls", {
    as: secrets.agent,
    body: { tool: "cancel_order", arguments: { orderId: "A-1", reason: "late", note } },
  });
  expect(answer).toMatchObject({
    status: 422,
    body: { code: "confirmation_too_long", part: "details", limit: 1, unit: "messages" },
  });
});

describe("HTTP-45 a link in a chat opens the card once", () => {
  test("and may see and decline there, but not confirm: that is asked in the chat", async () => {
    const made = await chat();
    const { api, paper } = made;
    await propose(api, made.token);
    await api.engine.runDue();
    const opened = await api.ask("POST", "/v1/review-sessions", { body: { code: codeIn(paper) } });
    expect(opened).toMatchObject({ status: 201, body: { mayConfirm: false } });
    const { token } = opened.body as { token: string };
    const { body } = await api.ask("GET", "/v1/card", { as: token });
    const { card } = body as { card: { writeId: string; version: number; digest: string } };
    const { version, digest } = card;
    const confirmed = await api.ask("POST", `/v1/card/${card.writeId}/confirm`, {
      as: token,
      body: { version, digest },
    });
    expect(confirmed).toMatchObject({ status: 409, body: { code: "surface_unsupported" } });
    expect(api.handled).toEqual([]);
    await api.engine.runDue();
    expect(paper.sent.filter(({ message }) => message.kind === "prompt")).toHaveLength(2);
    await tapOn(made, "confirm");
    await api.engine.runDue();
    expect(api.handled).toHaveLength(1);
  });

  test("a second time, or with another code, is 410", async () => {
    const { api, paper, token } = await chat();
    await propose(api, token);
    await api.engine.runDue();
    const code = codeIn(paper);
    const open = (given: string) => api.ask("POST", "/v1/review-sessions", { body: { code: given } });
    const answers = await Promise.all(Array.from({ length: 20 }, () => open(code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(410)]);
    expect(await open("0".repeat(32))).toMatchObject({ status: 410, body: { code: "expired" } });
  });

  test("in a browser that the host has verified, may confirm", async () => {
    const { api, paper, token } = await chat();
    await propose(api, token);
    await api.engine.runDue();
    const body = { code: codeIn(paper) };
    const opened = await api.ask("POST", "/v1/review-sessions", { as: token, body });
    expect(opened).toMatchObject({ status: 201, body: { mayConfirm: true } });
  });

  test("after the customer changed is 410", async () => {
    const { api, paper, token } = await chat();
    await propose(api, token);
    await api.engine.runDue();
    await signIn(api, "c-1", "cus_ben");
    const opened = await api.ask("POST", "/v1/review-sessions", { body: { code: codeIn(paper) } });
    expect(opened.status).toBe(410);
  });
});
