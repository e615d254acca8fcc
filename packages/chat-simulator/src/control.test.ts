import { afterEach, beforeEach, expect, test } from "vitest";
import { openScene, type Scene } from "./fixtures.ts";
import type { ThreadMessage } from "./thread.ts";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene("whatsapp");
});
afterEach(async () => {
  await scene.close();
});

const phonePath = "/phones/whatsapp/15550100200";

async function call(method: string, path: string, body?: object): Promise<[number, unknown]> {
  const response = await fetch(scene.simulator.url + path, {
    method,
    ...(body ? { body: JSON.stringify(body), headers: { "content-type": "application/json" } } : {}),
  });
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  return [response.status, response.status === 204 ? null : await response.json()];
}

test("SIM-15 a page reads the phones and a thread, and types and taps for the customer", async () => {
  await scene.ask();
  await scene.simulator.idle();
  const id = scene.phone.messages().at(-1)?.id;
  expect(await call("GET", "/phones")).toEqual([
    200,
    { phones: [{ platform: "whatsapp", id: "15550100200", name: "Ana" }] },
  ]);
  await call("POST", `${phonePath}/text`, { text: "Hm" });
  await call("POST", `${phonePath}/tap`, { messageId: id, button: 1 });
  await call("POST", `${phonePath}/reaction`, { messageId: id, emoji: "👍" });
  await call("POST", `${phonePath}/forward`, { messageId: id });
  await call("POST", `${phonePath}/look`);
  await scene.simulator.idle();
  const [, thread] = await call("GET", phonePath);
  expect(thread).toEqual({ platform: "whatsapp", id: "15550100200", messages: scene.phone.messages() });
  expect(scene.phone.messages().map(({ kind }) => kind)).toEqual([
    "text",
    "prompt",
    "text",
    "tap",
    "reaction",
    "text",
  ]);
});

test("SIM-15 what a person could not do is refused with the reason", async () => {
  expect([
    await call("POST", `${phonePath}/tap`, { messageId: "none", button: 0 }),
    await call("POST", `${phonePath}/dance`, {}),
    await call("GET", "/phones/whatsapp/1"),
    await call("POST", "/switches", { busy: -1 }),
    await call("POST", "/switches", { speed: 1 }),
    await call("POST", "/switches", { platform: "pigeon", busy: 1 }),
  ]).toEqual([
    [400, { error: "no message none in this chat: take an id of messages()" }],
    [404, { error: "no such act or message" }],
    [404, { error: "no such phone" }],
    [400, { error: "no such switch or value: busy" }],
    [400, { error: "no such switch or value: speed" }],
    [404, { error: "no such platform: pigeon" }],
  ]);
});

test("SIM-15 a page sets the switches", async () => {
  const [status] = await call("POST", "/switches", { platform: "whatsapp", busy: 2, window: "closed" });
  expect([
    status,
    scene.simulator.switches("whatsapp").busy,
    scene.simulator.switches("whatsapp").window,
  ]).toEqual([200, 2, "closed"]);
  expect((await call("OPTIONS", "/switches"))[0]).toBe(204);
  expect(await call("GET", "/switches")).toEqual([200, { whatsapp: scene.simulator.switches("whatsapp") }]);
});

test("SIM-16 a page hears every change of a thread, and after a pause what it missed", async () => {
  const follow = async (headers: { readonly [name: string]: string }, count: number) => {
    const stop = new AbortController();
    const response = await fetch(`${scene.simulator.url}${phonePath}/events`, {
      headers,
      signal: stop.signal,
    });
    const heard: ThreadMessage[] = [];
    const reading = (async () => {
      let text = "";
      for await (const chunk of response.body ?? []) {
        text += new TextDecoder().decode(chunk);
        const data = [...text.matchAll(/^data: (.+)$/gm)].map(([, json = ""]) => JSON.parse(json));
        heard.splice(0, heard.length, ...data);
        if (heard.length >= count) return;
      }
    })();
    return { heard, reading, stop };
  };
  const first = await follow({}, 3);
  scene.phone.type("One");
  await scene.simulator.idle();
  await first.reading;
  first.stop.abort();
  expect(first.heard.map(({ text, status, revision }) => [text, status, revision])).toEqual([
    ["Hello", "taken", 2],
    ["One", "sending", 3],
    ["One", "taken", 4],
  ]);
  scene.phone.type("Two");
  await scene.simulator.idle();
  const second = await follow({ "last-event-id": "4" }, 1);
  await second.reading;
  second.stop.abort();
  expect(second.heard.map(({ text, status }) => [text, status])).toEqual([["Two", "taken"]]);
});
