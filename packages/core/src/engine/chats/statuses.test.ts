import { describe, expect, test } from "vitest";
import type { InboundEvent } from "../../ports/channel.ts";
import { call, granted, writeIn } from "../fixtures.ts";
import { rawChat, sender, tapOf } from "./raw-fixtures.ts";

describe("CHAT-19 a prompt that the platform took and could not deliver", () => {
  const failed = (
    providerMessageId: string,
    failureClass: "undeliverable" | "window_closed",
  ): InboundEvent => ({
    type: "status",
    providerMessageId,
    status: "failed",
    at: null,
    attempt: null,
    failure: {
      class: failureClass,
      code: "131026",
      detail: null,
      waitMs: null,
      tries: null,
      alert: false,
    },
  });

  test("is told to the agent, and a later `delivered` does not take it back", async () => {
    const chat = await rawChat("15550100");
    const { id } = writeIn(await call(chat));
    await chat.engine.runDue();
    await chat.hear(failed("paper-1", "undeliverable"));
    const write = async () => granted(await chat.engine.agent.read({ agent: "bot", writeId: id }));
    expect(await write()).toMatchObject({ state: "proposed", undelivered: "undeliverable" });
    await chat.hear({
      type: "status",
      providerMessageId: "paper-1",
      status: "delivered",
      at: null,
      attempt: null,
      failure: null,
    });
    expect((await write()).undelivered).toBe("undeliverable");
  });

  test("and is tapped all the same has evidently arrived", async () => {
    const chat = await rawChat("15550100");
    const { id } = writeIn(await call(chat));
    await chat.engine.runDue();
    await chat.hear(failed("paper-1", "undeliverable"));
    await chat.hear(tapOf("m2", sender("15550100", null), String(chat.tokens().confirm)));
    expect(granted(await chat.engine.agent.read({ agent: "bot", writeId: id })).state).toBe("applied");
  });

  test("because the window was closed is asked by a template, or not at all", async () => {
    const chat = await rawChat("15550100");
    const { id } = writeIn(await call(chat));
    await chat.engine.runDue();
    await chat.hear(failed("paper-1", "window_closed"));
    expect(granted(await chat.engine.agent.read({ agent: "bot", writeId: id })).undelivered).toBe(
      "window_closed",
    );
  });

  test("that came before the answer to its request is known by the attempt", async () => {
    const chat = await rawChat("15550100");
    chat.paper.answer("no_id");
    const { id } = writeIn(await call(chat));
    await chat.engine.runDue();
    const [prompt] = await chat.store.listPrompts(id);
    await chat.hear({
      type: "status",
      providerMessageId: "wamid.1",
      status: "sent",
      at: null,
      attempt: prompt?.token ?? "",
      failure: null,
    });
    await chat.clock.advance(60_000);
    await chat.engine.runDue();
    expect(await chat.store.listPrompts(id)).toMatchObject([
      { status: "sent", providerMessageId: "wamid.1" },
    ]);
    const journal = granted(await chat.engine.operator.journal(id));
    expect(journal.events.map(({ type }) => type)).toEqual(["proposed", "presented"]);
  });
});
