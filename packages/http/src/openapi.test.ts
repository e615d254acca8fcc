import { paperChannel } from "@countersign/core/testing";
import { expect, test } from "vitest";
import { describedAnswers } from "./described-answers.ts";
import { makeApi, propose, secrets, signIn } from "./fixtures.ts";
import { routes } from "./routes.ts";

type Document = {
  openapi: string;
  paths: Record<
    string,
    Record<string, { operationId: string; responses: Record<string, { description: string }> }>
  >;
  components: { schemas: Record<string, object> };
};

async function served(): Promise<Document> {
  const { body } = await makeApi().ask("GET", "/openapi.json");
  return body as Document;
}

test("HTTP-37 every endpoint is described once, under its own name, with every answer", async () => {
  const document = await served();
  expect(document.openapi).toBe("3.1.0");
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort());
  const names = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(new Set(names).size).toBe(routes.length);
});

test("HTTP-37 every reference leads to a schema, and no schema carries an address of its own", async () => {
  const document = await served();
  const text = JSON.stringify(document);
  for (const [, name = ""] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g))
    expect(document.components.schemas).toHaveProperty([name]);
  expect(text).not.toMatch(/"\$(id|schema)"/);
});

test("HTTP-37 requests are closed in the document as they are in the server", async () => {
  const { components } = await served();
  for (const name of routes.flatMap(({ body }) => (body === undefined ? [] : [body.name]))) {
    expect(components.schemas[name]).toMatchObject({ type: "object", additionalProperties: false });
  }
});

test("HTTP-37 every endpoint answers a good request as described", async () => {
  const paper = paperChannel();
  const api = makeApi({ engine: { channels: { shop_wa: paper.channel } } });
  const seen = new Set<string>();
  const ask: typeof api.ask = async (method, path, request) => {
    const answer = await api.ask(method, path, request);
    seen.add(
      `${method} ${path
        .replace(/wr_[\w-]+/, "{writeId}")
        .replace(/c-[12]/, "{conversationId}")
        .replace("shop_wa", "{account}")
        .replace("cus_ana", "{customerId}")
        .replace(/\?.*/, "")} ${answer.status}`,
    );
    return answer;
  };
  const token = await signIn(api);
  const conversation = "/v1/conversations/c-1";
  await ask("PUT", `${conversation}/customer`, {
    as: secrets.host,
    body: { customerId: "cus_ana", level: "high", authenticatedAt: "2026-11-30T01:00:00+01:00" },
  });
  await ask("POST", `${conversation}/sessions`, {
    as: secrets.host,
    body: { locale: "en-GB", timeZone: "Europe/Madrid" },
  });
  await ask("GET", conversation, { as: secrets.host });
  await ask("PUT", "/v1/conversations/c-2/contact", {
    as: secrets.host,
    body: { channel: "shop_wa", address: paper.customer },
  });
  const typed = { type: "text", from: paper.customer, messageId: "m-1", text: "hello" } as const;
  const { header, body: bytes } = paper.inbound(typed);
  const signed = { "x-paper-signature": header("x-paper-signature") ?? "" };
  for (const where of ["webhook", "status"]) {
    await ask("POST", `/v1/channels/shop_wa/${where}`, { headers: signed, body: bytes });
    await ask("POST", `/v1/channels/shop_wa/${where}`, { body: bytes });
  }
  await ask("POST", `${conversation}/calls`, {
    as: secrets.agent,
    body: { tool: "find_order", arguments: { orderId: "A-1" } },
  });
  await ask("GET", "/v1/card", { as: token });
  await ask("POST", `${conversation}/calls`, {
    as: secrets.agent,
    body: { tool: "add_note", arguments: { note: "hello" } },
  });
  const first = await propose(api, token);
  const card = `/v1/card/${first.writeId}`;
  await ask("POST", `${card}/extend`, { as: token, body: { version: 1 } });
  await ask("POST", `${card}/edits`, {
    as: token,
    body: { version: 1, values: { "/reason": "other", "/note": "please", "/amount": 2.5 } },
  });
  await ask("POST", `${card}/decline`, { as: token, body: { version: 1 } });
  const second = await propose(api, token, "c-1", {
    tool: "cancel_order",
    arguments: { orderId: "A-2", reason: "late" },
  });
  await ask("POST", `/v1/writes/${second.writeId}/withdraw`, { as: secrets.agent });
  api.shop = () => {
    throw new Error("connection lost");
  };
  const third = await propose(api, token, "c-1", {
    tool: "cancel_order",
    arguments: { orderId: "A-3", reason: "late" },
  });
  await ask("POST", `/v1/card/${third.writeId}/confirm`, {
    as: token,
    body: { version: third.version, digest: third.digest },
  });
  await ask("GET", "/v1/card", { as: token });
  await ask("GET", `/v1/writes/${third.writeId}?wait=1&state=running`, { as: secrets.agent });
  await ask("GET", "/v1/writes", { as: secrets.operator });
  await ask("GET", `/v1/writes/${third.writeId}/journal`, { as: secrets.operator });
  await ask("POST", `/v1/writes/${third.writeId}/check`, { as: secrets.operator });
  await ask("POST", `/v1/writes/${third.writeId}/resolve`, {
    as: secrets.operator,
    body: { outcome: "not_applied", note: "not in the shop", operator: "Ben" },
  });
  await ask("GET", "/v1/card", { as: token });
  api.shop = () => ({ status: "cancelled" });
  const fourth = await propose(api, token, "c-1", {
    tool: "cancel_order",
    arguments: { orderId: "A-4", reason: "late" },
  });
  await ask("POST", `/v1/card/${fourth.writeId}/confirm`, {
    as: token,
    body: { version: fourth.version, digest: fourth.digest },
  });
  await ask("POST", `/v1/card/${fourth.writeId}/undo`, { as: token });
  await ask("DELETE", `${conversation}/customer`, { as: secrets.host });
  await ask("POST", "/v1/customers/cus_ana/erase", { as: secrets.operator });
  for (const path of ["/healthz", "/readyz", "/openapi.json"]) await ask("GET", path);
  // The stream, the handshake of real platforms and the links in chats have tests of their own.
  const apart = [
    "GET /v1/channels/{account}/webhook 200",
    "GET /v1/channels/{account}/webhook 403",
    "POST /v1/review-sessions 201",
    "GET /v1/card/events 200",
    "GET /v1/card 304",
  ];
  const wanted = routes.flatMap(({ method, path, answers }) =>
    Object.keys(answers).map((status) => `${method} ${path} ${status}`),
  );
  expect(wanted.filter((answer) => !seen.has(answer) && !apart.includes(answer))).toEqual([]);
});

test("HTTP-37 an answer that is not as described is noticed", async () => {
  const api = makeApi();
  const describe = describedAnswers(api.raw);
  const headers = new Headers({ "content-type": "application/json" });
  const good = { customer: { verified: false, level: null, epoch: 0 }, openWriteId: null };
  const path = "/v1/conversations/c-1";
  await describe("GET", path, { status: 200, headers, body: good });
  await expect(describe("GET", path, { status: 200, headers, body: { ...good, more: 1 } })).rejects.toThrow(
    "additional",
  );
  await expect(describe("GET", path, { status: 200, headers, body: { openWriteId: null } })).rejects.toThrow(
    "customer",
  );
  await expect(describe("GET", path, { status: 202, headers, body: good })).rejects.toThrow("not described");
  await expect(describe("GET", path, { status: 200, headers: new Headers(), body: good })).rejects.toThrow(
    "not described",
  );
});
