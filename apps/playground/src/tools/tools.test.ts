import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WriteContext } from "@countersign/core";
import { applied, pending, rejected } from "@countersign/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RunningShop } from "../shop/start-shop.ts";
import { startShop } from "../shop/start-shop.ts";
import { shopTools } from "./index.ts";

const apiKey = "a-key-for-tests";
let folder: string;
let shop: RunningShop;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "tools-"));
  shop = await startShop({ file: join(folder, "shop.db"), apiKey, port: 0 });
});

afterEach(async () => {
  await shop.close();
  rmSync(folder, { recursive: true });
});

function contextOf(customerId: string, idempotencyKey = "k1"): WriteContext {
  return {
    signal: new AbortController().signal,
    secrets: { get: () => apiKey },
    customer: { customerId, level: "standard", authenticatedAt: 0 },
    conversationId: "c1",
    idempotencyKey,
    attempt: 1,
    plan: null,
    beginWrite: () => {},
  };
}

function toolNamed(name: string) {
  const found = shopTools({ shopUrl: shop.url, timeoutSeconds: 5, offerSeconds: 30 }).find(
    (tool) => tool.name === name,
  );
  if (found === undefined) throw new Error(`There is no tool ${name}.`);
  return found;
}

async function run(name: string, args: Record<string, unknown>, context: WriteContext): Promise<unknown> {
  const tool = toolNamed(name);
  const parsed = await tool.parseInput(args);
  if ("issues" in parsed) throw new Error(JSON.stringify(parsed.issues));
  return tool.handler(parsed.args, context);
}

async function ask(name: string, context: WriteContext): Promise<unknown> {
  const tool = toolNamed(name);
  if (tool.effect !== "write" || tool.status === undefined) throw new Error(`${name} cannot be asked.`);
  return tool.status({ operationRef: undefined }, context);
}

async function behave(mode: string): Promise<void> {
  await fetch(`${shop.url}/behaviour`, {
    method: "PUT",
    headers: { authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ mode }),
  });
}

const cancelling = { orderNumber: "A-1042", reason: "arrives_too_late", channel: "chat" };
const cancelled = applied({ orderNumber: "A-1042", status: "cancelled", refundMinor: 2400, currency: "EUR" });

test("PLAY-6 a customer finds their own order and not another's", async () => {
  expect(await run("find_order", { orderNumber: "A-1042" }, contextOf("cus_ana"))).toMatchObject({
    order: { number: "A-1042", status: "open", totalMinor: 2400 },
  });
  expect(await run("find_order", { orderNumber: "A-1042" }, contextOf("cus_ben"))).toEqual({ order: null });
});

test("PLAY-12 what the shop did is applied, with what it answered", async () => {
  expect(await run("cancel_order", cancelling, contextOf("cus_ana"))).toEqual(cancelled);
  expect(await ask("cancel_order", contextOf("cus_ana"))).toEqual(cancelled);
});

test("PLAY-6 another customer's order cannot be cancelled", async () => {
  expect(await run("cancel_order", cancelling, contextOf("cus_ben"))).toEqual(
    rejected("There is no order A-1042 of yours.", { status: 404, code: "order_not_found" }),
  );
});

test("PLAY-9 a refusal of the shop is certain", async () => {
  await behave("refuse");
  const reason = "The warehouse does not allow this change any more.";
  expect(await run("cancel_order", cancelling, contextOf("cus_ana"))).toEqual(
    rejected(reason, { status: 409, code: "refused" }),
  );
  expect(await ask("cancel_order", contextOf("cus_ana"))).toEqual(rejected(reason));
});

test("PLAY-8 a booking is pending until the shop finished it", async () => {
  const args = { orderNumber: "A-1042", date: "2026-12-10" };
  const first = await run("book_slot", args, contextOf("cus_ana"));
  const { operationRef } = first as { operationRef: string };
  expect(first).toEqual(pending(operationRef, "The shop has taken it and will finish it."));
  expect(await ask("book_slot", contextOf("cus_ana"))).toEqual(first);
  const headers = { authorization: `Bearer ${apiKey}` };
  await fetch(`${shop.url}/operations/${operationRef}/finish`, { method: "POST", headers });
  expect(await ask("book_slot", contextOf("cus_ana"))).toEqual(applied(args));
});

test("PLAY-10 a breakdown proves nothing, and the shop can be asked afterwards", async () => {
  await behave("fail_after");
  await expect(run("cancel_order", cancelling, contextOf("cus_ana"))).rejects.toThrow(/does not tell/);
  expect(await ask("cancel_order", contextOf("cus_ana"))).toEqual(cancelled);
});

test("PLAY-10 a key that was used for something else proves nothing", async () => {
  await run("cancel_order", cancelling, contextOf("cus_ana"));
  const other = run("cancel_order", { ...cancelling, reason: "other" }, contextOf("cus_ana"));
  await expect(other).rejects.toThrow(/does not tell/);
});

test("PLAY-10 a key the shop has not seen proves nothing", async () => {
  await expect(ask("cancel_order", contextOf("cus_ana", "k2"))).rejects.toThrow(/not seen this key/);
});
