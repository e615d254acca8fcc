import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { serveConfig } from "@countersign/cli";
import { defineConfig, defineTool } from "@countersign/core";
import { reviewPage } from "@countersign/review-card/review-page";
import { sqliteStore } from "@countersign/sql/sqlite";
import { test as base, type ConsoleMessage, expect, type Locator, type Page } from "@playwright/test";
import { z } from "zod";

/** What a page of the site is made of; its script and its styles are files of their own. */
export type SitePage = {
  readonly body: string;
  readonly script?: string;
  readonly styles?: string;
  /** Attributes of `<html>`. */
  readonly html?: string;
  /** Runs before the card's script. */
  readonly before?: string;
  readonly policy?: string;
};

/** A site without React, on another origin than the Countersign server, with a customer in a conversation of its own. */
export type Embed = {
  /** The origin of the Countersign server. */
  readonly api: string;
  readonly conversationId: string;
  /** What the tool was run with, once per effect. */
  readonly orders: readonly string[];
  /** Tokens that were handed out to this story. */
  readonly tokens: readonly string[];
  /** The site answers this path with the page. */
  publish(path: string, page: SitePage): void;
  /** The site answers this path with a file as it is. */
  publishFile(path: string, type: string, text: string, policy?: string): void;
  propose(order: string): Promise<void>;
  become(customerId: string): Promise<void>;
  mint(): Promise<string>;
  open(path: string, page?: Page): Promise<void>;
  readonly card: Locator;
};

const secret = (): string => randomBytes(32).toString("base64url");
const dist = (name: string): string =>
  readFileSync(
    fileURLToPath(new URL(`./node_modules/@countersign/review-card/dist/${name}`, import.meta.url)),
    "utf8",
  );

/** The strictest policy a site can have around the card: nothing inline, nothing from elsewhere but the API's answers. */
const strictPolicy = (api: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self' ${api}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");

type Answer = { readonly type: string; readonly text: string; readonly policy?: string | undefined };

type World = {
  readonly api: string;
  readonly site: string;
  readonly answers: Map<string, Answer>;
  readonly sessions: Map<string, () => Promise<string>>;
  readonly orders: Map<string, string[]>;
  call(role: "agent" | "host", method: string, path: string, body: object): Promise<Record<string, unknown>>;
};

const listening = (server: Server): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    );
  });

function cancelOrder(orders: Map<string, string[]>): ReturnType<typeof defineTool> {
  return defineTool({
    name: "cancel_order",
    title: "Cancel order",
    description: "Cancels an order.",
    effect: "write",
    recovery: "operator",
    input: z.object({
      order: z.string(),
      reason: z.enum(["late", "mistake"]),
      note: z.string().max(40).optional(),
    }),
    output: z.object({ status: z.string() }),
    presentation: {
      title: "Cancel this order?",
      confirmLabel: "Cancel order",
      declineLabel: "Keep order",
      fields: [
        { argument: "order", label: "Order" },
        {
          argument: "reason",
          label: "Reason",
          editable: true,
          options: [
            { value: "late", label: "Arrives too late" },
            { value: "mistake", label: "Ordered by mistake" },
          ],
        },
        { argument: "note", label: "Note", editable: true },
      ],
      warnings: ["Refunds take 5 days."],
      receipt: { title: "Order cancelled", fields: [{ result: "status", label: "Status" }] },
    },
    async handler({ order, reason, note = "-" }, { conversationId }) {
      orders.set(conversationId, [...(orders.get(conversationId) ?? []), `${order} ${reason} ${note}`]);
      return { status: "cancelled" };
    },
  }) as ReturnType<typeof defineTool>;
}

async function answerFor(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? "/";
  const shared = /\/(review-card[^/]*)$/.exec(path)?.[1];
  const found = world.answers.get(path) ?? world.answers.get(`/${shared}`);
  const session = request.method === "POST" ? world.sessions.get(path) : undefined;
  if (session) {
    response.writeHead(200, { "content-type": "application/json", "cache-control": "no-store" });
    response.end(JSON.stringify({ token: await session() }));
  } else if (found) {
    response.writeHead(200, {
      "content-type": `${found.type}; charset=utf-8`,
      "cache-control": "no-store",
      ...(found.policy === undefined ? {} : { "content-security-policy": found.policy }),
    });
    response.end(found.text);
  } else response.writeHead(404).end();
}

/** The hosted review page, with its script beside it. */
function answerReview(request: Request): Response {
  const { pathname } = new URL(request.url);
  const { html, headers } = reviewPage();
  if (pathname === "/review") return new Response(html, { headers });
  if (pathname !== "/review/page.js") return new Response(null, { status: 204 });
  return new Response(dist("review-page.global.js"), { headers: { "content-type": "text/javascript" } });
}

async function startWorld(): Promise<World & { close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "countersign-embed-"));
  const orders = new Map<string, string[]>();
  const keys = { agent: secret(), host: secret() };
  const site = createServer((request, response) => void answerFor(world, request, response));
  const siteUrl = await listening(site);
  const server = await serveConfig(
    defineConfig({
      tools: [cancelOrder(orders)],
      store: sqliteStore({ file: join(folder, "countersign.db") }),
      apiKeys: [
        { name: "bot", roles: ["agent"], secret: keys.agent },
        { name: "shop", roles: ["host"], secret: keys.host },
      ],
      sessionSecret: secret(),
      allowedOrigins: [siteUrl],
      defaultTimeZone: "Europe/Madrid",
    }),
    { port: 0, fallback: answerReview },
  );
  const world: World = {
    api: server.url,
    site: siteUrl,
    orders,
    sessions: new Map(),
    answers: new Map([
      ["/review-card.global.js", { type: "text/javascript", text: dist("review-card.global.js") }],
      ["/review-card.shadow.css", { type: "text/css", text: dist("review-card.shadow.css") }],
      ["/favicon.ico", { type: "image/x-icon", text: "" }],
    ]),
    async call(role, method, path, body) {
      const answer = await fetch(`${server.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${keys[role]}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}`);
      return (await answer.json()) as Record<string, unknown>;
    },
  };
  return {
    ...world,
    async close() {
      await server.close({ graceMs: 1000 });
      site.closeAllConnections();
      await new Promise((resolve) => site.close(resolve));
      rmSync(folder, { recursive: true });
    },
  };
}

type Fixtures = {
  embed: Embed;
  /** What a story means to have in the browser's console. */
  expectedFaults: readonly RegExp[];
};
type WorkerFixtures = { world: World };

function htmlOf(path: string, page: SitePage): string {
  const { html = 'lang="en"', body, before, styles } = page;
  return `<!doctype html>
<html ${html}>
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>Harbor Shop</title>
    ${styles === undefined ? "" : `<link rel="stylesheet" href="${path}.css" />`}
    ${before === undefined ? "" : `<script src="${path}.before.js"></script>`}
    <script defer src="/review-card.global.js"></script>
    <script defer src="${path}.js"></script>
  </head>
  <body>${body}</body>
</html>
`;
}

/** Playwright's test with a site of its own that shows the card. */
export const test: ReturnType<typeof base.extend<Fixtures, WorkerFixtures>> = base.extend<
  Fixtures,
  WorkerFixtures
>({
  world: [
    // biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs, which is nothing
    async ({}, use) => {
      const world = await startWorld();
      await use(world);
      await world.close();
    },
    { scope: "worker" },
  ],
  expectedFaults: [[], { option: true }],
  embed: async ({ world, context, page, expectedFaults }, use, info) => {
    const faults: string[] = [];
    const hear = (message: ConsoleMessage): void => {
      if (message.type() === "error") faults.push(message.text());
    };
    context.on("weberror", (error) => faults.push(String(error.error())));
    context.on("console", hear);
    const conversationId = `embed-${info.testId}-${info.repeatEachIndex}`;
    const tokens: string[] = [];
    const place = `/v1/conversations/${conversationId}`;
    const mint = async (): Promise<string> => {
      const { token } = await world.call("host", "POST", `${place}/sessions`, { locale: "en" });
      tokens.push(String(token));
      return String(token);
    };
    const become = async (customerId: string): Promise<void> => {
      const authenticatedAt = new Date().toISOString();
      await world.call("host", "PUT", `${place}/customer`, {
        customerId,
        level: "standard",
        authenticatedAt,
      });
    };
    await become("ana");
    const names = new Set<string>();
    const own = (path: string): string => `/${info.testId}-${info.repeatEachIndex}${path}`;
    const put = (path: string, answer: Answer): void => {
      names.add(path);
      world.answers.set(path, answer);
    };
    world.sessions.set(own("/card-session"), mint);
    await use({
      api: world.api,
      conversationId,
      tokens,
      get orders() {
        return world.orders.get(conversationId) ?? [];
      },
      publish(name, given) {
        const path = own(name);
        const local = (text: string): string =>
          text.replaceAll("{api}", world.api).replaceAll("{here}", own(""));
        const policy = given.policy ?? strictPolicy(world.api);
        put(path, { type: "text/html", text: local(htmlOf(path, given)), policy });
        put(`${path}.js`, { type: "text/javascript", text: local(given.script ?? "") });
        put(`${path}.before.js`, { type: "text/javascript", text: given.before ?? "" });
        put(`${path}.css`, { type: "text/css", text: given.styles ?? "" });
      },
      publishFile(name, type, text, policy) {
        put(own(name), { type, text, policy });
      },
      async propose(order) {
        await world.call("agent", "POST", `${place}/calls`, {
          tool: "cancel_order",
          arguments: { order, reason: "late" },
        });
      },
      become,
      mint,
      async open(name, on = page) {
        await on.goto(`${world.site}${own(name)}`);
      },
      card: page.locator("review-card"),
    });
    for (const name of names) world.answers.delete(name);
    world.sessions.delete(own("/card-session"));
    expect(faults.filter((fault) => !expectedFaults.some((expected) => expected.test(fault)))).toEqual([]);
  },
});

export { expect };
