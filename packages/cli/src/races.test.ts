import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool } from "@countersign/core";
import { sqliteStore } from "@countersign/sql/sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { type RunningServer, serveConfig } from "./serve-config.ts";

const folder = mkdtempSync(join(tmpdir(), "countersign-races-"));
const agentKey = "agent-secret-0123456789";
const hostKey = "host-secret-0123456789";
/** The order of every call that reached the shop. */
const reached: string[] = [];
let server: RunningServer;

beforeAll(async () => {
  const cancelOrder = defineTool({
    name: "cancel_order",
    title: "Cancel order",
    description: "Cancels an open order.",
    effect: "write",
    customer: "any",
    recovery: "operator",
    input: z.object({ orderId: z.string() }),
    output: z.object({ status: z.string() }),
    handler: async ({ orderId }) => {
      reached.push(orderId);
      return { status: "cancelled" };
    },
  });
  server = await serveConfig(
    {
      tools: [cancelOrder],
      store: sqliteStore({ file: join(folder, "races.db") }),
      apiKeys: [
        { name: "bot", roles: ["agent"], secret: agentKey },
        { name: "shop", roles: ["host"], secret: hostKey },
      ],
      sessionSecret: "session-secret-of-at-least-32-bytes",
    },
    { port: 0 },
  );
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

async function send(method: string, path: string, token: string, body?: object) {
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

function propose(conversation: string, orderId: string) {
  const call = { tool: "cancel_order", arguments: { orderId } };
  return send("POST", `/v1/conversations/${conversation}/calls`, agentKey, call);
}

test("FLOW-3 of two parallel proposals over HTTP and SQLite exactly one wins, 200 times of 200", async () => {
  const wrong: unknown[] = [];
  for (let round = 0; round < 200; round += 1) {
    const answers = await Promise.all(["A-1", "A-2"].map((order) => propose(`c-${round}`, order)));
    const winner = answers.find(({ status }) => status === 201)?.body.write.id;
    const loser = answers.find(({ status }) => status === 409)?.body;
    if (loser?.code !== "write_in_progress" || loser.writeId !== winner) wrong.push(answers);
  }
  expect(wrong).toEqual([]);
}, 60_000);

test("HTTP-2 of 100 parallel confirms over SQLite one reaches the shop, and all hear the same", async () => {
  await propose("c-confirm", "A-1042");
  const { token } = (await send("POST", "/v1/conversations/c-confirm/sessions", hostKey, {})).body;
  const { card } = (await send("GET", "/v1/card", token)).body;
  const { writeId, version, digest } = card;
  const confirm = () => send("POST", `/v1/card/${writeId}/confirm`, token, { version, digest });
  const answers = await Promise.all(Array.from({ length: 100 }, confirm));
  const told = answers.map(({ status, body }) => [
    status,
    body.card.state,
    body.card.digest,
    body.card.receipt,
  ]);
  expect(told[0]?.slice(0, 3)).toEqual([200, "applied", digest]);
  expect(told).toEqual(Array.from({ length: 100 }, () => told[0]));
  expect(reached).toEqual(["A-1042"]);
}, 60_000);
