import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RunningShop } from "./start-shop.ts";
import { startShop } from "./start-shop.ts";

const apiKey = "a-key-for-tests";
let folder: string;
let shop: RunningShop;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "shop-"));
  shop = await startShop({ file: join(folder, "shop.db"), apiKey, port: 0 });
});

afterEach(async () => {
  await shop.close();
  rmSync(folder, { recursive: true });
});

type Ask = { method?: string; key?: string; scope?: string; body?: unknown; signal?: AbortSignal };

async function ask(
  path: string,
  { method = "GET", key, scope, body, signal }: Ask = {},
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${shop.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(key === undefined ? {} : { "idempotency-key": key }),
      ...(scope === undefined ? {} : { "behaviour-scope": scope }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  return { status: response.status, body: await response.json() };
}

const cancelling = { customerId: "cus_ana", reason: "late", channel: "chat" };

function cancel(key: string, more: Ask = {}): Promise<{ status: number; body: unknown }> {
  return ask("/orders/A-1042/cancel", { method: "POST", key, body: cancelling, ...more });
}

async function appliedTimes(key: string): Promise<number> {
  const { body } = await ask(`/applications?key=${key}`);
  return (body as { applications: unknown[] }).applications.length;
}

async function statusOf(number: string): Promise<string> {
  const { body } = await ask(`/orders/${number}`);
  return (body as { order: { status: string } }).order.status;
}

test("PLAY-6 nobody gets in without the key", async () => {
  const response = await fetch(`${shop.url}/orders?customerId=cus_ana`, {
    headers: { authorization: "Bearer wrong" },
  });
  expect([response.status, await response.json()]).toEqual([
    401,
    { code: "unauthorized", reason: "Send the shop's api key." },
  ]);
});

test("PLAY-6 an order is shown to its own customer only", async () => {
  expect((await ask("/orders/A-1042?customerId=cus_ana")).body).toEqual({
    order: {
      number: "A-1042",
      customerId: "cus_ana",
      status: "open",
      items: ["Tea glass, set of 4"],
      totalMinor: 2400,
      currency: "EUR",
      refundedMinor: 0,
      street: "Calle Mayor 12",
      city: "Madrid",
      postalCode: "28013",
      notes: [],
      bookings: [],
      version: 1,
    },
  });
  expect((await ask("/orders/A-1042?customerId=cus_ben")).status).toBe(404);
});

test("PLAY-7 a repeated key gets the first answer and changes nothing again", async () => {
  const first = await cancel("k1");
  expect(first.status).toBe(200);
  expect(await cancel("k1")).toEqual(first);
  expect(await appliedTimes("k1")).toBe(1);
});

test("PLAY-7 a key sent with another request is a conflict", async () => {
  await cancel("k1");
  const other = await cancel("k1", { body: { ...cancelling, reason: "mistake" } });
  expect(other).toEqual({
    status: 409,
    body: { code: "idempotency_conflict", reason: "This key was used for another request." },
  });
  expect(await appliedTimes("k1")).toBe(1);
});

test("PLAY-7 a write without a key is refused", async () => {
  const answer = await ask("/orders/A-1042/cancel", { method: "POST", body: cancelling });
  expect(answer).toEqual({ status: 400, body: { code: "key_required", reason: "Send an Idempotency-Key." } });
});

test("PLAY-6 another customer's order cannot be changed", async () => {
  const answer = await cancel("k1", { body: { ...cancelling, customerId: "cus_ben" } });
  expect(answer).toEqual({
    status: 404,
    body: { code: "order_not_found", reason: "There is no order A-1042 of yours." },
  });
  expect([await statusOf("A-1042"), await appliedTimes("k1")]).toEqual(["open", 0]);
});

test("PLAY-8 an accepted write is applied when it is finished, once", async () => {
  await ask("/behaviour", { method: "PUT", body: { mode: "accept", scope: "c1" } });
  const taken = await cancel("k1", { scope: "c1" });
  expect([taken.status, await statusOf("A-1042"), await appliedTimes("k1")]).toEqual([202, "open", 0]);
  const id = (taken.body as { operationId: string }).operationId;
  expect((await ask("/operations/accepted?scope=c1")).body).toEqual({ ids: [id] });
  const finished = {
    operation: {
      id,
      status: "applied",
      result: { orderNumber: "A-1042", status: "cancelled", refundMinor: 2400, currency: "EUR" },
      reason: null,
    },
  };
  expect((await ask(`/operations/${id}/finish`, { method: "POST" })).body).toEqual(finished);
  expect((await ask(`/operations/${id}/finish`, { method: "POST" })).body).toEqual(finished);
  expect((await ask("/operations?key=k1")).body).toEqual(finished);
  expect([await statusOf("A-1042"), await appliedTimes("k1")]).toEqual(["cancelled", 1]);
});

test("PLAY-9 a refusal says why and changes nothing", async () => {
  await ask("/behaviour", { method: "PUT", body: { mode: "refuse" } });
  expect(await cancel("k1")).toEqual({
    status: 409,
    body: { code: "refused", reason: "The warehouse does not allow this change any more." },
  });
  expect([await statusOf("A-1042"), await appliedTimes("k1")]).toEqual(["open", 0]);
});

test("PLAY-10 a breakdown after the change leaves a truth that can be asked for", async () => {
  await ask("/behaviour", { method: "PUT", body: { mode: "fail_after" } });
  expect((await cancel("k1")).status).toBe(500);
  expect(await appliedTimes("k1")).toBe(1);
  expect((await ask("/operations?key=k1")).body).toMatchObject({ operation: { status: "applied" } });
  expect([(await cancel("k1")).status, await appliedTimes("k1")]).toEqual([200, 1]);
});

test("PLAY-10 a write whose answer never comes was made, and ends when the caller leaves", async () => {
  await ask("/behaviour", { method: "PUT", body: { mode: "hang" } });
  const leave = new AbortController();
  const hanging = cancel("k1", { signal: leave.signal });
  await expect.poll(() => appliedTimes("k1")).toBe(1);
  leave.abort();
  await expect(hanging).rejects.toThrow(/abort/i);
});

test("PLAY-10 a slow write is made after its delay", async () => {
  await ask("/behaviour", { method: "PUT", body: { mode: "slow", slowMs: 20 } });
  expect([(await cancel("k1")).status, await appliedTimes("k1")]).toEqual([200, 1]);
});

test("PLAY-10 while questions about operations are down they are answered with 503", async () => {
  await cancel("k1", { scope: "c1" });
  await ask("/behaviour", { method: "PUT", body: { mode: "ok", operations: "down", scope: "c1" } });
  expect((await ask("/operations?key=k1")).status).toBe(503);
});

test("PLAY-7 a key that never arrived is not found", async () => {
  expect((await ask("/operations?key=nothing")).status).toBe(404);
});

test("PLAY-11 one conversation's behaviour leaves the others alone", async () => {
  await ask("/behaviour", { method: "PUT", body: { mode: "refuse", scope: "c1" } });
  expect((await cancel("k1", { scope: "c2" })).status).toBe(200);
});

test("PLAY-8 a booking is accepted first, as the courier confirms it later", async () => {
  const answer = await ask("/orders/A-1042/booking", {
    method: "POST",
    key: "k1",
    body: { customerId: "cus_ana", date: "2026-12-10" },
  });
  expect(answer.status).toBe(202);
});

test("PLAY-9 no more than the total is refunded", async () => {
  const refund = (key: string, amountMinor: number) =>
    ask("/orders/A-1042/refund", {
      method: "POST",
      key,
      body: { customerId: "cus_ana", amountMinor, currency: "EUR" },
    });
  expect((await refund("k1", 2400)).status).toBe(200);
  expect((await refund("k2", 1)).status).toBe(409);
});

test("PLAY-11 after a reset the shop is as it was at first", async () => {
  await cancel("k1");
  await ask("/reset", { method: "POST" });
  expect([await statusOf("A-1042"), await appliedTimes("k1")]).toEqual(["open", 0]);
});
