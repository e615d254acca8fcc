import { createHmac } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { ask, countersign, keys, makeFolder, openShop, type Run, shopConfig } from "./process-fixtures.ts";

const appSecret = "demo_app_secret_do_not_use";
const phoneNumberId = "300100200300";
const customer = "15550100200";
const running: Run[] = [];
const servers: Server[] = [];

afterEach(async () => {
  for (const run of running.splice(0)) {
    run.child.kill("SIGKILL");
    await run.ended;
  }
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A Graph API that takes every message and remembers the ids on the Confirm buttons of prompts. */
async function openGraph(): Promise<{ readonly url: string; readonly tokens: string[] }> {
  const tokens: string[] = [];
  let count = 0;
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const id = /"id":"(cs1\.[^"]*\.c)"/.exec(text)?.[1];
    if (id !== undefined) tokens.push(id);
    count += 1;
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        messaging_product: "whatsapp",
        contacts: [{ input: customer, wa_id: customer }],
        messages: [{ id: `wamid.OUT${count}` }],
      }),
    );
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tokens };
}

function configWith(graphUrl: string): string {
  return shopConfig
    .replace(
      'import { z } from "zod";',
      'import { whatsapp } from "@countersign/channels/whatsapp";\nimport { z } from "zod";',
    )
    .replace(
      "  sessionSecret:",
      `  channels: {
    shop_wa: whatsapp({
      phoneNumberId: "${phoneNumberId}",
      accessToken: "demo_access_token",
      appSecret: "${appSecret}",
      verifyToken: "demo_verify_token",
      graphBaseUrl: "${graphUrl}",
    }),
  },
  sessionSecret:`,
    );
}

/** Delivers one and the same tap; a server that is not there is asked again by the next delivery. */
async function deliver(url: string, token: string, messageId: string): Promise<number | "nobody"> {
  const message = {
    from: customer,
    id: messageId,
    timestamp: String(Math.floor(Date.now() / 1000)),
    type: "interactive",
    interactive: { type: "button_reply", button_reply: { id: token, title: "Confirm" } },
  };
  const value = {
    messaging_product: "whatsapp",
    metadata: { display_phone_number: "15550109999", phone_number_id: phoneNumberId },
    contacts: [{ wa_id: customer }],
    messages: [message],
  };
  const body = JSON.stringify({
    object: "whatsapp_business_account",
    entry: [{ id: "200100200100", changes: [{ field: "messages", value }] }],
  });
  const signature = createHmac("sha256", appSecret).update(body).digest("hex");
  try {
    const headers = { "content-type": "application/json", "x-hub-signature-256": `sha256=${signature}` };
    return (await fetch(`${url}/v1/channels/shop_wa/webhook`, { method: "POST", headers, body })).status;
  } catch {
    return "nobody";
  }
}

test("CHAT-21 fifty deliveries of one tap at once, over twenty kills of the server, run the write once", async () => {
  const shop = await openShop();
  shop.answer();
  const graph = await openGraph();
  const folder = makeFolder({ "countersign.config.ts": configWith(graph.url) });
  let port = "0";
  const start = async (): Promise<{ readonly run: Run; readonly url: string }> => {
    const run = countersign(folder, ["serve", "--port", port], {
      SHOP_URL: shop.url,
      COUNTERSIGN_SESSION_SECRET: "session-secret-of-at-least-32-bytes-0123456789",
    });
    running.push(run);
    const url = /(http:\S+)/.exec(await run.firstLine)?.[1] ?? "";
    port = new URL(url).port;
    return { run, url };
  };
  let server = await start();
  const { url } = server;
  const conversation = "/v1/conversations/c-1";
  const who = { customerId: "cus_ana", level: "standard", authenticatedAt: new Date().toISOString() };
  await ask(url, "PUT", `${conversation}/customer`, keys.host, who);
  await fetch(`${url}${conversation}/contact`, {
    method: "PUT",
    headers: { authorization: `Bearer ${keys.host}`, "content-type": "application/json" },
    body: JSON.stringify({ channel: "shop_wa", address: customer }),
  });
  const propose = async (orderId: string): Promise<{ readonly writeId: string; readonly token: string }> => {
    const before = graph.tokens.length;
    const call = { tool: "cancel_order", arguments: { orderId } };
    const { body } = await ask(url, "POST", `${conversation}/calls`, keys.agent, call);
    await expect.poll(() => graph.tokens.length, { timeout: 10_000 }).toBeGreaterThan(before);
    return { writeId: (body as { write: { id: string } }).write.id, token: graph.tokens.at(-1) ?? "" };
  };
  const stateOf = async (writeId: string): Promise<string> => {
    const { body } = await ask(url, "GET", `/v1/writes/${writeId}`, keys.agent);
    return (body as { state: string }).state;
  };
  // Half are copies of one delivery, half are taps of their own.
  const deliverMany = (token: string, name: string): Promise<number | "nobody">[] =>
    Array.from({ length: 50 }, (_, index) =>
      deliver(url, token, index % 2 === 0 ? "wamid.SAME" : `wamid.${name}.${index}`),
    );

  const first = await propose("A-1");
  expect(new Set(await Promise.all(deliverMany(first.token, "calm")))).toEqual(new Set([200]));
  await expect.poll(() => stateOf(first.writeId), { timeout: 10_000 }).toBe("applied");
  expect(shop.calls()).toBe(1);

  const second = await propose("A-2");
  for (let kills = 0; kills < 20; kills += 1) {
    const deliveries = deliverMany(second.token, `kill-${kills}`);
    // Killed with the first answer, while the others are on their way.
    await Promise.race(deliveries);
    server.run.child.kill("SIGKILL");
    await server.run.ended;
    await Promise.all(deliveries);
    server = await start();
  }
  expect(await deliver(url, second.token, "wamid.LAST")).toBe(200);
  // A run that a kill interrupted is found out when its lease ends; it is never begun again.
  await expect.poll(() => stateOf(second.writeId), { timeout: 20_000 }).not.toBe("proposed");
  const { body } = await ask(url, "GET", `/v1/writes/${second.writeId}/journal`, keys.operator);
  const types = (body as { events: { type: string }[] }).events.map(({ type }) => type);
  expect(types.filter((type) => type === "started")).toEqual(["started"]);
  expect(shop.calls() - 1).toBeLessThanOrEqual(1);
  shop.close();
}, 180_000);
