import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openScene, platforms, type Scene, sides, tokens } from "./fixtures.ts";

describe.each(platforms)("%s", (name) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(name);
  });
  afterEach(async () => {
    await scene.close();
  });

  const idOf = (): string => scene.phone.messages().at(-1)?.id ?? "";

  test("SIM-1 what a channel sends appears on the phone, whole, with its buttons", async () => {
    const sent = await scene.ask();
    await scene.simulator.idle();
    const message = scene.phone.messages().at(-1);
    expect(sent).toMatchObject({ kind: "sent", providerMessageId: message?.id });
    expect({ ...message, id: "", text: "", revision: 0 }).toEqual({
      id: "",
      from: "business",
      kind: "prompt",
      text: "",
      buttons: ["Cancel order", "Keep order"],
      about: null,
      at: scene.clock.now(),
      status: "delivered",
      revision: 0,
    });
    for (const text of ["Cancel this order?", "€48.00", "Refunds take 5 days."]) {
      expect(message?.text).toContain(text);
    }
    await scene.send(scene.shop.channel.tell("Done — “ä” 👍", "en")[0]);
    expect(scene.phone.messages().at(-1)?.text).toBe("Done — “ä” 👍");
  });

  test("SIM-2 a tap comes to the channel signed, as a tap with its token, as often as one taps", async () => {
    await scene.ask();
    await scene.simulator.idle();
    const id = idOf();
    scene.shop.readings.length = 0;
    scene.phone.tap(id, 0);
    scene.phone.tap(id, 1);
    scene.phone.tap(id, 1);
    await scene.simulator.idle();
    const taps = scene.shop.events().filter((event) => event.type === "tap");
    const named = name === "whatsapp" || name === "twilio" ? id : null;
    expect(
      taps.map(({ token, label, sender, providerMessageId }) => [
        token,
        label,
        sender.address,
        providerMessageId,
      ]),
    ).toEqual([
      [tokens.confirm, "Cancel order", sides[name].address, named],
      [tokens.decline, "Keep order", sides[name].address, named],
      [tokens.decline, "Keep order", sides[name].address, named],
    ]);
    expect(new Set(taps.map(({ messageId }) => messageId)).size).toBe(3);
    expect(
      scene.phone
        .messages()
        .slice(-3)
        .map(({ kind, text, about, status }) => [kind, text, about, status]),
    ).toEqual([
      ["tap", "Cancel order", id, "taken"],
      ["tap", "Keep order", id, "taken"],
      ["tap", "Keep order", id, "taken"],
    ]);
  });

  test("SIM-3 typed words, reactions and forwarded prompts come as what they are, with no token", async () => {
    await scene.ask();
    await scene.simulator.idle();
    scene.shop.readings.length = 0;
    const id = idOf();
    scene.phone.type("Cancel order", id);
    scene.phone.react(id, "👍");
    const prompt = scene.phone.messages().find((message) => message.id === id);
    if (prompt) scene.phone.forward(prompt);
    await scene.simulator.idle();
    const said = scene.shop.events().filter((event) => event.type === "message" || event.type === "tap");
    expect(
      said.map((event) => [event.type, "text" in event ? event.text : "", event.providerMessageId]),
    ).toEqual([
      ["message", "Cancel order", id],
      ["message", prompt?.text, null],
    ]);
    expect(scene.shop.readings.every(({ kind }) => kind === "events")).toBe(true);
  });

  test("SIM-4 a token that is not known is refused as the platform does", async () => {
    scene.simulator.set({ setup: ["token"] });
    const sent = await scene.ask();
    const code = name === "twilio" ? "20003" : "190";
    expect(sent).toMatchObject({ kind: "failed", failure: { class: "auth", code } });
    expect(scene.phone.messages().length).toBe(1);
  });

  test("SIM-4 a text that is too long is refused as the platform does", async () => {
    const [message] = scene.shop.channel.tell("x", "en");
    const long = "x".repeat(5000);
    const replaced = JSON.parse(JSON.stringify(message.body).replaceAll('"x"', `"${long}"`));
    const code = name === "twilio" ? "21617" : "100";
    expect(await scene.send({ ...message, body: replaced })).toMatchObject({
      kind: "failed",
      failure: { class: "bad_request", code },
    });
  });

  test("SIM-4 nobody is written to whom the platform does not know", async () => {
    const [message] = scene.shop.channel.tell("x", "en");
    const stranger = sides[name].address.replace(/\d$/, "9");
    const sent = await scene.shop.channel.send(stranger, message, {
      attempt: "attempt-2",
      contents: { find: async () => undefined, keep: async () => undefined },
      statusPath: "/s",
    });
    expect(sent).toMatchObject({ kind: "failed", failure: { class: "undeliverable" } });
  });

  test("SIM-5 the window closes 24 hours after the last message, and a message opens it again", async () => {
    await scene.clock.advance(24 * 3_600_000 - 1);
    expect((await scene.ask()).kind).toBe("sent");
    await scene.clock.advance(1);
    const code = { whatsapp: "131047", messenger: "10/2018278", instagram: "10/2534022", twilio: "63016" }[
      name
    ];
    expect(await scene.ask()).toMatchObject({ kind: "failed", failure: { class: "window_closed", code } });
    scene.phone.type("Hello again");
    expect((await scene.ask()).kind).toBe("sent");
    scene.simulator.set({ window: "closed" });
    expect(await scene.ask()).toMatchObject({ kind: "failed", failure: { class: "window_closed", code } });
  });

  test("SIM-6 too many requests and a broken server are answered as often as was set", async () => {
    scene.simulator.set({ busy: 1, broken: 1 });
    const kinds = [await scene.ask(), await scene.ask(), await scene.ask()];
    expect(kinds).toMatchObject([
      { kind: "failed", failure: { class: "retry_later" } },
      { kind: "failed", failure: { class: "retry_later" } },
      { kind: "sent" },
    ]);
  });

  test("SIM-6 a message that is taken without an answer is on the phone, and unknown to its sender", async () => {
    scene.simulator.set({ cut: 1 });
    expect((await scene.ask()).kind).toBe("unknown");
    scene.simulator.set({ silent: 1 });
    const stop = new AbortController();
    const [message] = scene.shop.channel.tell("x", "en");
    const arrived = scene.phone.next();
    const sending = scene.send(message, stop.signal);
    expect((await arrived).text).toBe("x");
    stop.abort();
    expect((await sending).kind).toBe("unknown");
    expect(scene.phone.messages().map(({ kind }) => kind)).toEqual(["text", "prompt", "text"]);
  });

  test("SIM-7 a webhook is delivered twice, or after the one behind it, as often as was set", async () => {
    scene.simulator.set({ duplicate: 1 });
    scene.phone.type("one");
    await scene.simulator.idle();
    scene.simulator.set({ overtake: 1 });
    scene.phone.type("two");
    scene.phone.type("three");
    scene.phone.type("four");
    await scene.simulator.idle();
    const texts = scene.shop.events().flatMap((event) => (event.type === "message" ? [event.text] : []));
    expect(texts).toEqual(["one", "one", "three", "two", "four"]);
    scene.simulator.set({ overtake: 1 });
    scene.phone.type("five");
    await scene.clock.advance(5000);
    await scene.simulator.idle();
    expect(scene.shop.events().at(-1)).toMatchObject({ type: "message", text: "five" });
  });

  test("SIM-8 a webhook that is not taken comes again, as the platform does it", async () => {
    scene.shop.fail(503);
    scene.phone.type("one");
    await scene.simulator.idle();
    scene.shop.fail(null);
    await scene.clock.advance(1000);
    await scene.simulator.idle();
    const comesAgain = name !== "twilio";
    expect(scene.shop.events().length).toBe(comesAgain ? 1 : 0);
    expect(scene.phone.messages().at(-1)?.status).toBe(comesAgain ? "taken" : "not_taken");
  });
});
