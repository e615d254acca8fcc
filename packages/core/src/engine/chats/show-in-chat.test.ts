import { describe, expect, test } from "vitest";
import { call, granted, writeIn } from "../fixtures.ts";
import { order, plan } from "../preview-fixtures.ts";
import { account, asked, chatScene } from "./fixtures.ts";

const read = async ({ engine }: Awaited<ReturnType<typeof chatScene>>, writeId: string) =>
  granted(await engine.agent.read({ agent: "bot", writeId }));

describe("CHAT-10 what cannot be shown in the chat is told to the agent", () => {
  test("a write of high risk is not proposed there", async () => {
    const chat = await chatScene({ tool: { risk: "high" } });
    expect(await call(chat)).toEqual({ refused: "surface_unsupported" });
    expect(chat.paper.sent).toEqual([]);
  });

  test("a confirmation that does not fit is not proposed, and how much too long it is, is told", async () => {
    const chat = await chatScene({ tool: { presentation: { title: `Cancel? ${"x".repeat(1200)}` } } });
    expect(await call(chat)).toMatchObject({
      refused: "confirmation_too_long",
      part: "prompt",
      limit: 900,
      unit: "characters",
    });
  });

  test("a closed window, by the platform's own word", async () => {
    const chat = await chatScene();
    chat.paper.answer("window_closed");
    const { id } = writeIn(await call(chat));
    await chat.engine.runDue();
    expect(await read(chat, id)).toMatchObject({ state: "proposed", undelivered: "window_closed" });
    const journal = granted(await chat.engine.operator.journal(id));
    expect(journal.events.at(-1)).toMatchObject({
      type: "undelivered",
      body: { version: 1, account, reason: "window_closed", code: null },
    });
  });

  test("a window that closed by the time that went by is not tried", async () => {
    const chat = await chatScene();
    await chat.type("hello");
    await chat.clock.advance(24 * 3_600_000);
    await chat.engine.host.customerVerified({
      conversationId: "c-1",
      customerId: "cus_ana",
      level: "standard",
      authenticatedAt: chat.clock.now(),
    });
    const { id } = writeIn(await call(chat));
    await chat.engine.runDue();
    expect(chat.paper.sent).toEqual([]);
    expect((await read(chat, id)).undelivered).toBe("window_closed");
  });

  test("a closed window right after the customer wrote is tried once more, later", async () => {
    const chat = await chatScene();
    await chat.type("hello");
    chat.paper.answer("window_closed");
    const { id } = writeIn(await call(chat));
    await chat.engine.runDue();
    expect((await read(chat, id)).undelivered).toBeNull();
    chat.paper.answer("sent");
    await chat.clock.advance(5_000);
    await chat.engine.runDue();
    expect(chat.prompt().to).toBe(chat.paper.customer);
    expect((await read(chat, id)).undelivered).toBeNull();
  });
});

describe("CHAT-11 a platform that is busy is asked again until the time to decide is over", () => {
  test("and shows the prompt then", async () => {
    const chat = await chatScene();
    chat.paper.answer("busy");
    const { id } = writeIn(await call(chat));
    await chat.engine.runDue();
    expect(chat.paper.sent).toEqual([]);
    chat.paper.answer("sent");
    await chat.clock.advance(7_000);
    await chat.engine.runDue();
    await chat.tap(chat.prompt().tokens.confirm);
    expect((await read(chat, id)).state).toBe("applied");
  });

  test("and is given up when it would be too late", async () => {
    const chat = await chatScene({ tool: { expiresInSeconds: 60 } });
    chat.paper.answer("busy");
    const { id } = writeIn(await call(chat));
    for (let tries = 0; tries < 3; tries += 1) {
      await chat.engine.runDue();
      await chat.clock.advance(20_000);
    }
    expect(await read(chat, id)).toMatchObject({ state: "proposed", undelivered: "out_of_time" });
  });
});

test("CHAT-12 every attempt to send has a name of its own, so that a late status is known by it", async () => {
  const attempts: string[] = [];
  const chat = await chatScene();
  const { send } = chat.paper.channel;
  chat.paper.channel.send = (to, message, context) => {
    attempts.push(context.attempt);
    return send(to, message, context);
  };
  chat.paper.answer("busy");
  writeIn(await call(chat));
  for (let tries = 0; tries < 4; tries += 1) {
    await chat.engine.runDue();
    await chat.clock.advance(120_000);
  }
  expect(attempts.length).toBeGreaterThan(2);
  expect(new Set(attempts).size).toBe(attempts.length);
});

test("CHAT-12 a platform that takes a prompt and does not say so is asked once more at the most, and either prompt counts", async () => {
  const chat = await chatScene();
  chat.paper.answer("no_id");
  const { id } = writeIn(await call(chat));
  for (let tries = 0; tries < 5; tries += 1) {
    await chat.engine.runDue();
    await chat.clock.advance(60_000);
  }
  const prompts = await chat.store.listPrompts(id);
  expect(prompts.map(({ status }) => status)).toEqual(["asked", "asked"]);
  expect((await read(chat, id)).undelivered).toBeNull();
});

test("CHAT-13 a prompt waits twelve hours, and at most until 23 hours after the customer wrote last", async () => {
  const chat = await chatScene();
  const first = writeIn(await call(chat));
  expect(Date.parse(first.expiresAt) - chat.clock.now()).toBe(12 * 3_600_000);
  await chat.engine.agent.withdraw({ agent: "bot", writeId: first.id });
  await chat.type("hello");
  await chat.clock.advance(20 * 3_600_000);
  const second = writeIn(await call(chat));
  expect(Date.parse(second.expiresAt) - chat.clock.now()).toBe(3 * 3_600_000);
});

test("CHAT-14 what differs at the tap is shown anew after a word about it, and the tap before runs nothing", async () => {
  const world = { look: (): unknown => plan };
  const { chat, writeId } = await asked({ tool: { preview: () => world.look() } });
  const { confirm } = chat.prompt().tokens;
  world.look = () => ({ ...plan, targets: [order("8")] });
  await chat.tap(confirm);
  expect(chat.calls).toEqual([]);
  expect(chat.paper.sent.slice(1).map(({ message }) => message.kind)).toEqual(["text", "prompt"]);
  expect(chat.texts()[1]).toBe("Something changed in the meantime. Please look at the new message.");
  await chat.tap(chat.prompt().tokens.confirm);
  expect((await read(chat, writeId)).state).toBe("applied");
});

test("CHAT-14 a tap while nobody can look runs nothing, and can be made again", async () => {
  const world = { look: (): unknown => plan };
  const { chat, writeId } = await asked({ tool: { preview: () => world.look() } });
  const { confirm } = chat.prompt().tokens;
  world.look = () => {
    throw new Error("the shop is down");
  };
  await chat.tap(confirm);
  expect(chat.texts().at(-1)).toMatch(/^This cannot be checked right now/);
  world.look = () => plan;
  await chat.tap(confirm);
  expect((await read(chat, writeId)).state).toBe("applied");
  expect(chat.calls).toHaveLength(1);
});
