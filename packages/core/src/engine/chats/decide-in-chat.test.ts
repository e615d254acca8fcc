import { describe, expect, test } from "vitest";
import { call, cardOf, confirm, granted, later, signIn, writeIn } from "../fixtures.ts";
import { account, asked, chatScene } from "./fixtures.ts";

const read = async ({ engine }: Awaited<ReturnType<typeof chatScene>>, writeId: string) =>
  granted(await engine.agent.read({ agent: "bot", writeId }));

test("CHAT-1 one tap on Confirm runs the write once, and the receipt comes into the chat", async () => {
  const { chat, writeId } = await asked();
  expect(chat.paper.sent.map(({ to, message }) => [to, message.kind])).toEqual([["7001001", "prompt"]]);
  await chat.tap(chat.prompt().tokens.confirm);
  expect(chat.calls.map(({ args }) => args)).toEqual([{ orderId: "A-1042", reason: "late" }]);
  expect(chat.texts().slice(1)).toEqual([`Order cancelled\n\nStatus: cancelled\n${writeId}`]);
  const journal = granted(await chat.engine.operator.journal(writeId));
  expect(journal.events.map(({ type }) => type)).toEqual([
    "proposed",
    "presented",
    "confirmed",
    "started",
    "settled",
  ]);
  expect(journal.events[1]?.body).toEqual({ version: 1, account });
  expect(journal.events[2]?.body).toMatchObject({ surface: "whatsapp", version: 1 });
});

test("CHAT-1 one tap on Decline runs nothing, and the chat is told so", async () => {
  const { chat, writeId } = await asked();
  await chat.tap(chat.prompt().tokens.decline);
  expect(chat.calls).toEqual([]);
  expect((await read(chat, writeId)).state).toBe("declined");
  expect(chat.texts()[1]).toContain("You decided against it. Nothing was changed.");
});

test("CHAT-2 a second tap, of either button, runs nothing and hears what became of the write", async () => {
  const { chat } = await asked();
  const { confirm, decline } = chat.prompt().tokens;
  await chat.tap(confirm);
  await chat.tap(decline);
  await chat.tap(confirm);
  expect(chat.calls).toHaveLength(1);
  const [, receipt, ...answers] = chat.texts();
  expect(answers).toEqual(["You already answered this.", receipt, "You already answered this.", receipt]);
});

test("CHAT-2 the same tap delivered fifty times at once runs once and is answered once", async () => {
  const { chat } = await asked();
  const request = chat.paper.inbound({
    type: "tap",
    from: chat.paper.customer,
    messageId: "same",
    payload: chat.prompt().tokens.confirm,
    label: "Cancel order",
  });
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => chat.engine.receiveWebhook(account, request)),
  );
  await chat.engine.runDue();
  expect(answers).toEqual(Array(50).fill({ contentType: "text/plain", body: "", status: 200 }));
  expect(chat.calls).toHaveLength(1);
  expect(chat.texts()).toHaveLength(2);
});

test("CHAT-2 fifty taps at once, each its own message, run once", async () => {
  const { chat } = await asked();
  const { confirm } = chat.prompt().tokens;
  const taps = Array.from({ length: 50 }, (_, index) =>
    chat.paper.inbound({
      type: "tap",
      from: chat.paper.customer,
      messageId: `tap-${index}`,
      payload: confirm,
      label: "Cancel order",
    }),
  );
  await Promise.all(taps.map((request) => chat.engine.receiveWebhook(account, request)));
  await chat.engine.runDue();
  expect(chat.calls).toHaveLength(1);
});

test("CHAT-2 of two taps that come in one after the other, the first one decides", async () => {
  const { chat, writeId } = await asked();
  const { confirm, decline } = chat.prompt().tokens;
  for (const [messageId, payload] of [
    ["a", decline],
    ["b", confirm],
  ] as const) {
    const act = { type: "tap", from: chat.paper.customer, messageId, payload, label: "" } as const;
    await chat.engine.receiveWebhook(account, chat.paper.inbound(act));
  }
  await chat.engine.runDue();
  expect((await read(chat, writeId)).state).toBe("declined");
  expect(chat.calls).toEqual([]);
});

test("CHAT-3 a tap after the time to decide runs nothing and hears that it is over", async () => {
  const { chat, writeId } = await asked();
  const { confirm } = chat.prompt().tokens;
  await chat.clock.advance(12 * 3_600_000);
  await chat.tap(confirm);
  expect(chat.calls).toEqual([]);
  expect((await read(chat, writeId)).state).toBe("expired");
  expect(chat.texts().slice(1)).toEqual([
    "Cancel this order?\nThe time to decide is over. Nothing was changed.",
    "You already answered this.",
    "Cancel this order?\nThe time to decide is over. Nothing was changed.",
  ]);
});

describe("CHAT-4 a tap decides only for whom the prompt was sent to", () => {
  const notHere = "This button is not for this chat, so nothing was done.";

  test("a forwarded prompt, tapped by somebody else", async () => {
    const { chat, writeId } = await asked();
    await chat.tap(chat.prompt().tokens.confirm, { from: chat.paper.stranger });
    expect(chat.calls).toEqual([]);
    expect((await read(chat, writeId)).state).toBe("proposed");
    expect(chat.paper.sent.at(-1)).toMatchObject({ to: chat.paper.stranger, message: { text: notHere } });
  });

  test("a token with one character changed", async () => {
    const { chat } = await asked();
    const { confirm } = chat.prompt().tokens;
    const other = confirm.replace(/^cs1\.(.)/, (_, first) => `cs1.${first === "A" ? "B" : "A"}`);
    await chat.tap(other);
    expect(chat.calls).toEqual([]);
    expect(chat.texts().at(-1)).toBe(notHere);
  });

  test("after the customer changed", async () => {
    const { chat, writeId } = await asked();
    const { confirm } = chat.prompt().tokens;
    await signIn(chat, "cus_ben");
    await chat.tap(confirm);
    expect(chat.calls).toEqual([]);
    expect((await read(chat, writeId)).state).toBe("superseded");
    expect(chat.texts().at(-1)).toBe(notHere);
  });

  test("after the conversation moved to another chat", async () => {
    const { chat } = await asked();
    const { confirm } = chat.prompt().tokens;
    await chat.engine.host.setContact({ conversationId: "c-1", channel: account, address: "7001009" });
    await chat.tap(confirm);
    expect(chat.calls).toEqual([]);
    expect(chat.texts().at(-1)).toBe(notHere);
  });
});

describe("CHAT-5 a tap on a prompt of an older version gets a fresh prompt", () => {
  test("after an edit on the web", async () => {
    const { chat, writeId } = await asked();
    const old = chat.prompt().tokens;
    const { version } = await cardOf(chat, chat.session);
    const values = { "/reason": "other" };
    granted(await chat.engine.customer.edit({ session: chat.session, writeId, version, values }));
    await chat.engine.runDue();
    const fresh = chat.prompt().tokens;
    expect(fresh).not.toEqual(old);
    await chat.tap(old.confirm);
    expect(chat.calls).toEqual([]);
    expect(chat.prompt().message.text).toContain("Reason: Another reason");
    await chat.tap(chat.prompt().tokens.confirm);
    expect(chat.calls.map(({ args }) => args.reason)).toEqual(["other"]);
  });
});

describe("CHAT-6 a conversation may be on the web and in a chat at once", () => {
  test("the first decision wins, and the chat is told of one on the web", async () => {
    const { chat } = await asked();
    const { confirm: token } = chat.prompt().tokens;
    granted(await confirm(chat, chat.session, await cardOf(chat, chat.session)));
    await chat.engine.runDue();
    expect(chat.texts()[1]).toContain("Order cancelled");
    await chat.tap(token);
    expect(chat.calls).toHaveLength(1);
  });

  test("the card on the web follows a tap", async () => {
    const { chat } = await asked();
    await chat.tap(chat.prompt().tokens.confirm);
    expect(await cardOf(chat, chat.session)).toMatchObject({ state: "applied" });
  });

  test("a contact that is stated while a write waits gets its prompt, and the session goes on", async () => {
    const chat = await chatScene();
    await chat.engine.host.setContact({ conversationId: "c-2", channel: account, address: "7001009" });
    const session = await signIn(chat, "cus_ben", "c-3");
    writeIn(await call(chat, "cancel_order", undefined, { conversationId: "c-3" }));
    await chat.engine.host.setContact({ conversationId: "c-3", channel: account, address: "7001008" });
    await chat.engine.runDue();
    expect(chat.prompt().to).toBe("7001008");
    expect(await cardOf(chat, session)).toMatchObject({ state: "proposed" });
  });
});

test("CHAT-7 a run that takes long is told of while it runs, and then its receipt", async () => {
  const { chat } = await asked();
  const end = later<{ status: string }>();
  chat.handler = () => end.promise;
  const act = { type: "tap", from: chat.paper.customer, messageId: "x", label: "" } as const;
  const { confirm: payload } = chat.prompt().tokens;
  await chat.engine.receiveWebhook(account, chat.paper.inbound({ ...act, payload }));
  const doing = chat.engine.runDue();
  await chat.clock.advance(8_000);
  await doing;
  expect(chat.texts()[1]).toContain("It is being sent, and the result is not known yet.");
  end.finish({ status: "cancelled" });
  await chat.clock.settle();
  await chat.engine.runDue();
  expect(chat.texts()[2]).toContain("Order cancelled");
});

test("CHAT-8 who signs in as another customer is not shown the former one's receipt", async () => {
  const { chat } = await asked();
  const end = later<{ status: string }>();
  chat.handler = () => end.promise;
  const confirming = confirm(chat, chat.session, await cardOf(chat, chat.session));
  await chat.clock.settle();
  await signIn(chat, "cus_ben");
  end.finish({ status: "cancelled" });
  await confirming;
  await chat.engine.runDue();
  expect(chat.texts()).toHaveLength(1);
});

test("CHAT-9 a step-up is asked for in the chat with the way to verify, and goes on after it", async () => {
  const { stepUpRequired } = await import("../../tool/outcome.ts");
  const { chat } = await asked({ verifyUrl: ({ id }) => `https://shop.example/verify/${id}` });
  let asks = 0;
  chat.handler = () => {
    asks += 1;
    return asks === 1 ? stepUpRequired({ level: "high" }) : { status: "cancelled" };
  };
  await chat.tap(chat.prompt().tokens.confirm);
  expect(chat.texts()[1]).toMatch(
    /^Cancel this order\?\nYou confirmed, and have to verify .*\nhttps:\/\/shop\.example\/verify\/wr_/,
  );
  await chat.clock.advance(1000);
  await chat.engine.host.customerVerified({
    conversationId: "c-1",
    customerId: "cus_ana",
    level: "high",
    authenticatedAt: chat.clock.now(),
  });
  await chat.clock.settle();
  await chat.engine.runDue();
  expect(chat.texts().at(-1)).toContain("Order cancelled");
});
