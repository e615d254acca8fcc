import { describe, expect, test } from "vitest";
import { createEngine } from "../create.ts";
import { call, granted, quietLogger, writeIn } from "../fixtures.ts";
import { account, asked, type ChatScene, chatScene } from "./fixtures.ts";
import { rawChat, sender, tapOf, text } from "./raw-fixtures.ts";

const read = async ({ engine }: ChatScene, writeId: string) =>
  granted(await engine.agent.read({ agent: "bot", writeId }));

describe("CHAT-15 what is written goes to the bot and decides nothing", () => {
  test("with the write that waits", async () => {
    const { chat, writeId } = await asked();
    await chat.type("yes please");
    expect(chat.messages).toEqual([
      {
        messageId: "in-1",
        account,
        channel: "whatsapp",
        address: chat.paper.customer,
        conversationId: "c-1",
        text: "yes please",
        at: "2026-11-30T00:00:00.000Z",
        openWrite: { id: writeId, tool: "cancel_order", state: "proposed" },
      },
    ]);
    expect((await read(chat, writeId)).state).toBe("proposed");
    expect(chat.texts()).toHaveLength(1);
  });

  test("the very words of a button show the prompt once more", async () => {
    const { chat, writeId } = await asked();
    await chat.type(" cancel ORDER ");
    expect((await read(chat, writeId)).state).toBe("proposed");
    expect(chat.calls).toEqual([]);
    expect(chat.paper.sent.map(({ message }) => message.kind)).toEqual(["prompt", "prompt"]);
    await chat.tap(chat.prompt().tokens.confirm);
    expect(chat.calls).toHaveLength(1);
  });

  test("a button that is none of ours is no decision either", async () => {
    const { chat, writeId } = await asked();
    await chat.tap("Cancel order");
    expect((await read(chat, writeId)).state).toBe("proposed");
    expect(chat.paper.sent.map(({ message }) => message.kind)).toEqual(["prompt", "prompt"]);
    expect(chat.messages.map(({ text: said }) => said)).toEqual(["Cancel order"]);
  });

  test("of somebody in no conversation", async () => {
    const { chat } = await asked();
    await chat.type("hello", { from: chat.paper.stranger });
    expect(chat.messages.at(-1)).toMatchObject({ conversationId: null, openWrite: null });
  });
});

describe("CHAT-16 a message is handed over at least once", () => {
  test("again when the bot failed", async () => {
    let fails = 1;
    const seen: string[] = [];
    const chat = await chatScene({
      report: () => {},
      onMessage: ({ text: said }) => {
        seen.push(said);
        fails -= 1;
        if (fails >= 0) throw new Error("the bot is down");
      },
    });
    await chat.type("hello");
    await chat.clock.advance(10_000);
    await chat.engine.runDue();
    await chat.engine.runDue();
    expect(seen).toEqual(["hello", "hello"]);
  });

  test("once for a message that is delivered twice", async () => {
    const { chat } = await asked();
    await chat.type("hello", { messageId: "same" });
    await chat.type("hello", { messageId: "same" });
    expect(chat.messages).toHaveLength(1);
  });

  test("by another process when the first one died after its answer", async () => {
    const { chat } = await asked();
    const act = { type: "text", from: chat.paper.customer, messageId: "late", text: "hello" } as const;
    await chat.engine.receiveWebhook(account, chat.paper.inbound(act));
    const seen: string[] = [];
    const next = createEngine({
      tools: [],
      store: chat.store,
      clock: chat.clock,
      logger: quietLogger,
      channels: { [account]: chat.paper.channel },
      onMessage: ({ text: said }) => void seen.push(said),
    });
    await next.runDue();
    expect(seen).toEqual(["hello"]);
  });
});

test("CHAT-17 a webhook that is not signed is refused, and nothing of it is kept", async () => {
  const { chat } = await asked();
  const forged = {
    ...chat.paper.inbound({
      type: "tap",
      from: chat.paper.customer,
      messageId: "forged",
      payload: chat.prompt().tokens.confirm,
      label: "",
    }),
    header: () => null,
  };
  expect(await chat.engine.receiveWebhook(account, forged)).toMatchObject({ status: 401 });
  await chat.engine.runDue();
  expect(chat.calls).toEqual([]);
  expect(await chat.engine.receiveWebhook("other", forged)).toEqual({ refused: "not_found" });
});

test("CHAT-17 whoever set the webhook up is told why it is refused, and nothing of what it held", async () => {
  const warned: string[] = [];
  const logger = { ...quietLogger, warn: (_fields: object, message: string) => void warned.push(message) };
  const { chat } = await asked({ logger });
  const act = { type: "text", from: chat.paper.customer, messageId: "m", text: "my secret" } as const;
  await chat.engine.receiveWebhook(account, { ...chat.paper.inbound(act), header: () => null });
  expect(warned).toEqual([`a webhook of ${account} was refused: not on paper`]);
});

describe("CHAT-18 a person is known by all their ids, and a number that changed hands is another person", () => {
  test("a tap that comes with the user id only, of somebody whose number the prompt was sent to", async () => {
    const chat = await rawChat("15550100");
    await chat.hear(text("m1", sender("15550100", "US.1")));
    const { id } = writeIn(await call(chat));
    await chat.engine.runDue();
    await chat.hear(tapOf("m2", sender(null, "US.1"), String(chat.tokens().confirm)));
    expect(granted(await chat.engine.agent.read({ agent: "bot", writeId: id })).state).toBe("applied");
  });

  test("a tap under the other spelling of the number that the platform named when it took the prompt", async () => {
    const chat = await rawChat("5491155501000", { named: "541155501000" });
    const { id } = writeIn(await call(chat));
    await chat.engine.runDue();
    const taps = tapOf("m1", sender("541155501000", null), String(chat.tokens().confirm));
    await chat.hear(taps);
    expect(granted(await chat.engine.agent.read({ agent: "bot", writeId: id })).state).toBe("applied");
  });

  test("a tap from the number with another user id", async () => {
    const chat = await rawChat("15550100");
    await chat.hear(text("m1", sender("15550100", "US.1")));
    const { id } = writeIn(await call(chat));
    await chat.engine.runDue();
    await chat.hear(tapOf("m2", sender("15550100", "US.2"), String(chat.tokens().confirm)));
    expect(chat.calls).toEqual([]);
    expect(granted(await chat.engine.operator.read(id))).toMatchObject({
      state: "superseded",
      reason: "customer_changed",
    });
    const { customer } = await chat.engine.host.readConversation("c-1");
    expect(customer.verified).toBe(false);
  });

  test("ids that the platform says are others now", async () => {
    const chat = await rawChat("15550100");
    const { id } = writeIn(await call(chat));
    await chat.engine.runDue();
    await chat.hear({
      type: "identity_changed",
      messageId: "m1",
      at: null,
      former: ["15550100"],
      current: ["15550101"],
    });
    expect(granted(await chat.engine.operator.read(id)).state).toBe("superseded");
    await chat.hear(tapOf("m2", sender("15550100", null), String(chat.tokens().confirm)));
    expect(chat.calls).toEqual([]);
  });
});

test("CHAT-22 three hundred people who write at once are all heard without a look in between", async () => {
  const paper = paperChannel();
  const answer = { status: 200, contentType: "text/plain", body: "" };
  const people = Array.from({ length: 300 }, (_, n) => `p-${n}`);
  const events = people.map((name) => text(`m-${name}`, sender(null, name)));
  const read = () => ({ kind: "events", events, ignored: {}, answer }) as const;
  const heard: string[] = [];
  let hearLast = (): void => {};
  const all = new Promise<void>((resolve) => {
    hearLast = resolve;
  });
  // Its clock stands still, so a look that waits for its time never comes.
  const { engine } = makeScene({
    channels: { [account]: { ...paper.channel, read } },
    onMessage: async ({ address }) => {
      heard.push(address);
      if (heard.length === people.length) hearLast();
    },
  });
  engine.start();
  await engine.receiveWebhook(account, {
    method: "POST",
    target: "/",
    header: () => null,
    body: new Uint8Array(),
  });
  await all;
  await engine.stop({ graceMs: 0 });
  expect([...heard].sort()).toEqual([...people].sort());
});
