import { expect, test } from "vitest";
import { makeApi, propose, secrets, signIn } from "./fixtures.ts";

/** A shop that answers when it is told to. */
function slowShop(): { answer(): void; shop: () => Promise<unknown> } {
  let answer = (): void => undefined;
  const answered = new Promise<unknown>((resolve) => {
    answer = () => resolve({ status: "cancelled" });
  });
  return { answer: () => answer(), shop: () => answered };
}

test("HTTP-2 a hundred confirms at once run the handler once and are answered the same", async () => {
  const api = makeApi();
  const token = await signIn(api);
  const { writeId, version, digest } = await propose(api, token);
  const confirm = (): Promise<{ status: number; body: unknown }> =>
    api.ask("POST", `/v1/card/${writeId}/confirm`, { as: token, body: { version, digest } });
  const answers = await Promise.all(Array.from({ length: 100 }, confirm));
  expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
  expect(answers[0]).toMatchObject({ status: 200, body: { card: { state: "applied" } } });
  expect(api.handled).toHaveLength(1);
});

test("HTTP-3 a client that hangs up does not stop the run", async () => {
  const api = makeApi();
  const token = await signIn(api);
  const { answer, shop } = slowShop();
  api.shop = shop;
  const { writeId, version, digest } = await propose(api, token);
  const hangUp = new AbortController();
  const kept: Promise<unknown>[] = [];
  const confirming = api.raw(
    "POST",
    `/v1/card/${writeId}/confirm`,
    { as: token, body: { version, digest }, signal: hangUp.signal },
    { waitUntil: (promise) => kept.push(promise) },
  );
  await api.clock.settle();
  hangUp.abort();
  answer();
  await Promise.all(kept);
  await confirming;
  expect(await api.ask("GET", `/v1/writes/${writeId}`, { as: secrets.agent })).toMatchObject({
    body: { state: "applied" },
  });
});

test("HTTP-3 a run longer than the answer keeps the host awake until its outcome is known", async () => {
  const api = makeApi();
  const token = await signIn(api);
  const { answer, shop } = slowShop();
  api.shop = shop;
  const { writeId, version, digest } = await propose(api, token);
  const kept: Promise<unknown>[] = [];
  let awake = true;
  const confirming = api.ask(
    "POST",
    `/v1/card/${writeId}/confirm`,
    { as: token, body: { version, digest } },
    { waitUntil: (promise) => kept.push(promise) },
  );
  await api.clock.advance(9_999);
  await api.clock.advance(1);
  expect(await confirming).toMatchObject({ status: 200, body: { card: { state: "running" } } });
  expect(kept).toHaveLength(1);
  void kept[0]?.then(() => {
    awake = false;
  });
  await api.clock.settle();
  expect(awake).toBe(true);
  answer();
  await api.clock.settle();
  expect(awake).toBe(false);
  expect(await api.ask("GET", `/v1/writes/${writeId}`, { as: secrets.agent })).toMatchObject({
    body: { state: "applied" },
  });
});

test("HTTP-4 arguments in a confirm's body are refused, and those that were shown are what runs", async () => {
  const api = makeApi();
  const token = await signIn(api);
  const { writeId, version, digest } = await propose(api, token);
  const body = { version, digest, arguments: { orderId: "A-9999" } };
  expect(await api.ask("POST", `/v1/card/${writeId}/confirm`, { as: token, body })).toMatchObject({
    status: 422,
  });
  await api.ask("POST", `/v1/card/${writeId}/confirm`, { as: token, body: { version, digest } });
  expect(api.handled.map(({ orderId }) => orderId)).toEqual(["A-1042"]);
});
