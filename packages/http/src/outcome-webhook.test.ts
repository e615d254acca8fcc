import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type AgentWrite, ConfigurationError, type OutcomeNotice } from "@countersign/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { outcomeWebhook } from "./outcome-webhook.ts";

type Push = { readonly headers: IncomingHttpHeaders; readonly body: string };

let server: Server;
let pushes: Push[];
let answer: (response: ServerResponse) => void;
let url: string;

beforeEach(async () => {
  pushes = [];
  answer = (response) => response.writeHead(204).end();
  server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      pushes.push({ headers: request.headers, body });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?token=canary`;
});

afterEach(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

const bytes = "0123456789abcdef0123456789abcdef";
const secret = `whsec_${Buffer.from(bytes).toString("base64")}`;
const write = { id: "wr_1", state: "applied", message: "Done ✓", seq: 4 } as unknown as AgentWrite;
const notice: OutcomeNotice = {
  id: "wr_1.4",
  timestamp: "2026-11-30T00:00:00.000Z",
  write: { ...write, digest: "d", head: "h", surface: "web", reason: null, needsAttention: false },
};
const never = new AbortController().signal;

/** Whether one of the signatures is made with `key`, as a receiver checks it. */
function isSigned({ headers, body }: Push, key: string): boolean {
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const expected = createHmac("sha256", key).update(signed).digest();
  return String(headers["webhook-signature"])
    .split(" ")
    .map((one) => Buffer.from(one.replace(/^v1,/, ""), "base64"))
    .some((one) => one.length === expected.length && timingSafeEqual(one, expected));
}

test("TELL-6 a push has type, time and write, and is signed over id, time and body", async () => {
  expect(await outcomeWebhook({ url, secret }).receive(notice, never)).toEqual({ kind: "received" });
  const [push] = pushes as [Push];
  expect(JSON.parse(push.body)).toEqual({
    type: "write.applied",
    timestamp: notice.timestamp,
    data: notice.write,
  });
  expect(push.headers).toMatchObject({ "webhook-id": "wr_1.4", "content-type": "application/json" });
  expect(Math.abs(Number(push.headers["webhook-timestamp"]) - Date.now() / 1000)).toBeLessThan(60);
  expect([isSigned(push, bytes), isSigned(push, "another")]).toEqual([true, false]);
});

test("TELL-6 with several secrets a push is signed with each", async () => {
  const next = "the next secret, 24 bytes";
  await outcomeWebhook({ url, secret: [next, secret] }).receive(notice, never);
  const [push] = pushes as [Push];
  expect([isSigned(push, bytes), isSigned(push, next)]).toEqual([true, true]);
});

const answers: readonly [number, Record<string, string>, object][] = [
  [200, {}, { kind: "received" }],
  [202, {}, { kind: "received" }],
  [301, { location: "http://127.0.0.1:1/" }, { kind: "retry" }],
  [400, {}, { kind: "retry" }],
  [410, {}, { kind: "gone" }],
  [429, { "retry-after": "120" }, { kind: "retry", afterMs: 120_000 }],
  [503, { "retry-after": "999999" }, { kind: "retry", afterMs: 21_600_000 }],
  [503, { "retry-after": "soon" }, { kind: "retry" }],
];

test.each(answers)("TELL-6 an answer %d %j", async (status, headers, expected) => {
  answer = (response) => response.writeHead(status, headers).end("x".repeat(100_000));
  expect(await outcomeWebhook({ url, secret }).receive(notice, never)).toEqual(expected);
  expect(pushes).toHaveLength(1);
});

test("TELL-6 an endpoint that hangs is let go when the signal is aborted, and one that is not there rejects", async () => {
  answer = () => {};
  const controller = new AbortController();
  const pushing = outcomeWebhook({ url, secret }).receive(notice, controller.signal);
  controller.abort();
  await expect(pushing).rejects.toThrow();
  await expect(
    outcomeWebhook({ url: "http://127.0.0.1:1/", secret }).receive(notice, never),
  ).rejects.toThrow();
});

test("TELL-6 the name it is known by holds no secret, and is the same after a restart", () => {
  const { name } = outcomeWebhook({ url, secret });
  expect(name).toMatch(/^webhook:127\.0\.0\.1:[0-9a-f]{12}$/);
  expect(outcomeWebhook({ url, secret: "a secret of 16 b" }).name).toBe(name);
  expect(outcomeWebhook({ url: `${url}2`, secret }).name).not.toBe(name);
});

const wrong: readonly [string, { url: unknown; secret: unknown }, string][] = [
  ["no url", { url: undefined, secret }, "here: the url is no absolute URL"],
  ["a path", { url: "/hook", secret }, "here: the url is no absolute URL"],
  [
    "plain http to elsewhere",
    { url: "http://bot.example/hook", secret },
    "here: the url must begin with https:",
  ],
  ["another scheme", { url: "file:///etc/passwd", secret }, "here: the url must begin with https:"],
  [
    "a password",
    { url: "https://a:b@bot.example/", secret },
    "here: the url must not hold a user or password",
  ],
  ["no secret", { url: "https://bot.example/", secret: undefined }, "here: the secret is missing"],
  ["no secrets", { url: "https://bot.example/", secret: [] }, "here: the secret is missing"],
  ["a short secret", { url: "https://bot.example/", secret: "short" }, "here: the secret has 5 bytes"],
  [
    "a short encoded secret",
    { url: "https://bot.example/", secret: "whsec_c2hvcnQ=" },
    "here: the secret has 5 bytes",
  ],
];

test.each(wrong)("TELL-7 %s is refused at the start", (_what, webhook, problem) => {
  expect(() => outcomeWebhook(webhook as never, "here")).toThrow(ConfigurationError);
  expect(() => outcomeWebhook(webhook as never, "here")).toThrow(problem);
});
