import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

const packageFolder = fileURLToPath(new URL("..", import.meta.url));
const bin = join(packageFolder, "dist", "bin.js");

/** A process of the built command. */
export type Run = {
  readonly child: ChildProcess;
  /** Resolves when standard output holds a whole line, with its text up to then; rejects when the process ends before. */
  readonly firstLine: Promise<string>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
};

/** Starts `countersign` in `folder`; `input` is what stands on its standard input. */
export function countersign(
  folder: string,
  args: readonly string[],
  env: { readonly [name: string]: string } = {},
  input?: string,
): Run {
  if (!existsSync(bin))
    throw new Error(`${bin} is missing: build the packages first, with \`pnpm -r build\``);
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: folder, ...env },
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  child.stdin?.end(input);
  let stdout = "";
  let stderr = "";
  const ended: Run["ended"] = new Promise((resolve) => {
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
  const firstLine = new Promise<string>((resolve, reject) => {
    child.stdout?.on("data", (text: Buffer) => {
      stdout += text.toString("utf8");
      if (stdout.includes("\n")) resolve(stdout);
    });
    child.stderr?.on("data", (text: Buffer) => {
      stderr += text.toString("utf8");
    });
    void ended.then(({ code }) => reject(new Error(`ended with ${code}: ${stderr}`)));
  });
  firstLine.catch(() => undefined);
  return { child, firstLine, ended };
}

const folders: string[] = [];
// Not at the process's exit: whoever runs the tests may kill it.
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder in which a configuration finds the packages. */
export function makeFolder(files: { readonly [name: string]: string } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "countersign-"));
  folders.push(folder);
  symlinkSync(join(packageFolder, "node_modules"), join(folder, "node_modules"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** A shop that leaves its callers waiting until it is told to answer. */
export type Shop = {
  readonly url: string;
  readonly called: Promise<void>;
  calls(): number;
  answer(): void;
  close(): void;
};

/** Opens a shop on a free port. */
export async function openShop(): Promise<Shop> {
  const waiting: (() => void)[] = [];
  let calls = 0;
  let open = false;
  let told = (): void => undefined;
  const called = new Promise<void>((resolve) => {
    told = resolve;
  });
  const server = createServer((_request, response) => {
    calls += 1;
    const answer = (): void =>
      void response.setHeader("content-type", "application/json").end('{"status":"cancelled"}');
    if (open) answer();
    else waiting.push(answer);
    told();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    called,
    calls: () => calls,
    answer() {
      open = true;
      for (const answer of waiting.splice(0)) answer();
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The keys of the configuration below. */
export const keys = {
  agent: "agent-secret-0123456789",
  host: "host-secret-0123456789",
  operator: "operator-secret-0123456789",
} as const;

/** A configuration in TypeScript whose one tool asks the shop. */
export const shopConfig: string = `import { defineConfig, defineTool, env } from "@countersign/core";
import { sqliteStore } from "@countersign/sql/sqlite";
import { z } from "zod";

type Status = { status: string };

export default defineConfig({
  tools: [
    defineTool({
      name: "cancel_order",
      title: "Cancel order",
      description: "Cancels an order.",
      effect: "write",
      recovery: "operator",
      timeoutSeconds: 60,
      input: z.strictObject({ orderId: z.string() }),
      output: z.object({ status: z.string() }),
      async handler(_args, ctx): Promise<Status> {
        const answer = await fetch(env("SHOP_URL"), { signal: ctx.signal });
        return (await answer.json()) as Status;
      },
    }),
  ],
  store: sqliteStore({ file: "countersign.db" }),
  apiKeys: [
    { name: "bot", roles: ["agent"], secret: "${keys.agent}" },
    { name: "shop", roles: ["host"], secret: "${keys.host}" },
    { name: "ops", roles: ["operator"], secret: "${keys.operator}" },
  ],
  sessionSecret: env("COUNTERSIGN_SESSION_SECRET"),
});
`;

/** Calls a served API with a bearer credential. */
export async function ask(
  url: string,
  method: string,
  path: string,
  as: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly body: never }> {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${as}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as never };
}

/** Where a card stands, as far as these tests look. */
export type CardState = {
  readonly writeId: string;
  readonly version: number;
  readonly digest: string;
  readonly state: string;
};

/** Verifies Ana in a new conversation, proposes for her, and answers with her token and card. */
export async function proposeForAna(
  url: string,
  conversationId = "c-1",
  orderId = "A-1042",
): Promise<{ readonly token: string; readonly card: CardState }> {
  const conversation = `/v1/conversations/${conversationId}`;
  const customer = { customerId: "cus_ana", level: "standard", authenticatedAt: new Date().toISOString() };
  await ask(url, "PUT", `${conversation}/customer`, keys.host, customer);
  const { token } = (await ask(url, "POST", `${conversation}/sessions`, keys.host, {})).body as {
    token: string;
  };
  await ask(url, "POST", `${conversation}/calls`, keys.agent, {
    tool: "cancel_order",
    arguments: { orderId },
  });
  const { card } = (await ask(url, "GET", "/v1/card", token)).body as { card: CardState };
  return { token, card };
}

/** Sends a GET and resolves when it is with the operating system; `answer` resolves with what came back. */
export async function sendGet(
  url: string,
  path: string,
  as: string,
): Promise<{ readonly answer: Promise<{ readonly status: number; readonly text: string }> }> {
  const sent = request(url + path, { headers: { authorization: `Bearer ${as}` }, agent: false });
  const answer = new Promise<{ status: number; text: string }>((resolve, reject) => {
    sent.once("error", reject);
    sent.once("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.once("error", reject);
      response.once("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
  });
  answer.catch(() => undefined);
  await new Promise<void>((resolve) => {
    sent.end(resolve);
  });
  return { answer };
}
