import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool, type OutcomeWrite, type ServerConfig } from "@countersign/core";
import { sqliteStore } from "@countersign/sql/sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { serveConfig } from "./serve-config.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-outcomes-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

const addNote = defineTool({
  name: "add_note",
  title: "Add note",
  description: "Adds a note.",
  effect: "write",
  confirmation: "none",
  risk: "low",
  customer: "any",
  recovery: "operator",
  input: z.strictObject({ note: z.string() }),
  output: z.object({ noteId: z.string() }),
  handler: () => ({ noteId: "n-1" }),
});

const agent = "agent-secret-0123456789";

function configOf(parts: Partial<ServerConfig>): ServerConfig {
  return {
    tools: [addNote],
    store: sqliteStore({ file: join(folder, "countersign.db") }),
    apiKeys: [{ name: "bot", roles: ["agent"], secret: agent }],
    sessionSecret: "session-secret-of-at-least-32-bytes",
    ...parts,
  };
}

async function note(url: string): Promise<{ id: string; seq: number }> {
  const response = await fetch(`${url}/v1/conversations/c-1/calls`, {
    method: "POST",
    headers: { authorization: `Bearer ${agent}`, "content-type": "application/json" },
    body: JSON.stringify({ tool: "add_note", arguments: { note: "Ana called." } }),
  });
  return ((await response.json()) as { write: { id: string; seq: number } }).write;
}

test("TELL-2 what could not be told before a restart is told after it, over HTTP and to the function", async () => {
  const pushed: { id: string | undefined; data: OutcomeWrite }[] = [];
  let up = false;
  let first: { id: string; seq: number } | undefined;
  let refused = (): void => {};
  let received = (): void => {};
  const hook = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    if (!up) {
      response.writeHead(503).end();
      return refused();
    }
    const { data } = JSON.parse(Buffer.concat(parts).toString("utf8"));
    pushed.push({ id: request.headers["webhook-id"] as string, data });
    response.writeHead(204).end();
    if (data.id === first?.id) received();
  });
  await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`;
  const outcomeWebhooks = [{ url, secret: "a secret of some bytes" }];
  const told: OutcomeWrite[] = [];
  let heard = (): void => {};
  const hearing = new Promise<void>((resolve) => {
    heard = resolve;
  });

  const failing = new Promise<void>((resolve) => {
    refused = resolve;
  });
  const before = await serveConfig(configOf({ outcomeWebhooks }), { port: 0 });
  first = await note(before.url);
  await failing;
  await before.close();

  up = true;
  const receiving = new Promise<void>((resolve) => {
    received = resolve;
  });
  const onOutcome = (write: OutcomeWrite): void => {
    told.push(write);
    heard();
  };
  const after = await serveConfig(configOf({ outcomeWebhooks, onOutcome }), { port: 0 });
  const other = await note(after.url);
  await Promise.all([receiving, hearing]);
  await after.close();
  await new Promise((resolve) => hook.close(resolve));

  expect(told.map((write) => [write.id, write.state])).toEqual([[other.id, "applied"]]);
  const { id, seq } = first;
  expect(pushed.filter(({ data }) => data.id === id).map((push) => push.id)).toEqual([`${id}.${seq}`]);
  expect(pushed.every(({ data }) => data.state === "applied" && data.head.length === 64)).toBe(true);
});
