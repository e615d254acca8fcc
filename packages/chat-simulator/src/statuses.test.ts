import { afterEach, describe, expect, test } from "vitest";
import { openScene, type Scene } from "./fixtures.ts";
import type { PlatformName } from "./platform.ts";

let scene: Scene;
afterEach(async () => {
  await scene.close();
});

/** Asks, and returns the statuses that came of it. */
async function statuses(): Promise<readonly unknown[]> {
  await scene.simulator.idle();
  return scene.shop.events().flatMap((event) => {
    if (event.type === "status") {
      const code = event.failure?.code ?? null;
      return [[event.status, event.providerMessageId, event.attempt, code]];
    }
    return event.type === "watermark" ? [[event.status, "until", event.until, null]] : [];
  });
}

async function open(name: PlatformName): Promise<string> {
  scene = await openScene(name);
  return name === "whatsapp" ? "attempt-1" : "";
}

const twice = ["whatsapp", "twilio"] as const;

describe.each(twice)("statuses of %s", (name) => {
  test("SIM-9 tell that a message was sent, delivered and read, in this order", async () => {
    const attempt = (await open(name)) || null;
    await scene.ask();
    const before = await statuses();
    scene.phone.look();
    const id = scene.phone.messages().at(-1)?.id;
    expect([before.length, ...(await statuses())]).toEqual([
      2,
      ["sent", id, attempt, null],
      ["delivered", id, attempt, null],
      ["read", id, attempt, null],
    ]);
    expect(scene.phone.messages().at(-1)?.status).toBe("read");
  });

  test("SIM-9 come reversed, late, before the answer or never, as was set", async () => {
    await open(name);
    const words = async () => (await statuses()).map((status) => (status as readonly string[])[0]);
    scene.simulator.set({ statuses: "reversed" });
    await scene.ask();
    expect(await words()).toEqual(["delivered", "sent"]);
    scene.simulator.set({ statuses: "before_answer" });
    const sent = scene.ask().then(() => scene.shop.events().length);
    expect(await sent).toBe(4);
    scene.simulator.set({ statuses: "none" });
    await scene.ask();
    expect((await words()).length).toBe(4);
    scene.simulator.set({ statuses: "late" });
    await scene.ask();
    await scene.clock.advance(59_999);
    expect((await words()).length).toBe(4);
    await scene.clock.advance(1);
    expect((await words()).length).toBe(6);
  });

  test("SIM-10 tell of a message that fails after it was taken", async () => {
    const attempt = (await open(name)) || null;
    scene.simulator.set({ failLater: 1 });
    const sent = await scene.ask();
    const id = scene.phone.messages().at(-1)?.id;
    const code = name === "whatsapp" ? "131026" : "63024";
    expect([sent.kind, ...(await statuses())]).toEqual(["sent", ["failed", id, attempt, code]]);
    expect(scene.phone.messages().at(-1)?.status).toBe("failed");
  });

  test("SIM-10 tell of a closed window afterwards where that was set", async () => {
    const attempt = (await open(name)) || null;
    scene.simulator.set({ window: "closed", refusals: "later" });
    const sent = await scene.ask();
    const id = scene.phone.messages().at(-1)?.id;
    const code = name === "whatsapp" ? "131047" : "63016";
    expect([sent.kind, ...(await statuses())]).toEqual(["sent", ["failed", id, attempt, code]]);
  });
});

test("SIM-9 Messenger tells what was delivered, and up to when all was read", async () => {
  await open("messenger");
  await scene.ask();
  scene.phone.look();
  const now = scene.clock.now();
  expect(await statuses()).toEqual([
    ["delivered", scene.phone.messages().at(-1)?.id, null, null],
    ["delivered", "until", now, null],
    ["read", "until", now, null],
  ]);
});

test("SIM-9 Instagram tells what was seen, and nothing of a message that failed", async () => {
  await open("instagram");
  scene.simulator.set({ failLater: 1 });
  await scene.ask();
  await scene.ask();
  scene.phone.look();
  expect(await statuses()).toEqual([["read", scene.phone.messages().at(-1)?.id, null, null]]);
});

test("SIM-9 Instagram and Messenger send copies of what was sent, which are nobody's words", async () => {
  for (const name of ["instagram", "messenger"] as const) {
    scene = await openScene(name);
    await scene.ask();
    await scene.simulator.idle();
    const echoes = scene.shop.readings.map((reading) => reading.kind === "events" && reading.ignored.echo);
    expect(echoes.filter((count) => count === 1).length).toBe(1);
    if (name === "instagram") await scene.close();
  }
});
