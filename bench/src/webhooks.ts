import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { whatsapp } from "@countersign/channels/whatsapp";
import { serveConfig } from "@countersign/cli";
import { sqliteStore } from "@countersign/sql/sqlite";
import Database from "better-sqlite3";
import { median, quantile } from "./measure.ts";
import type { LoadOrder, LoadReport } from "./webhook-load.ts";

const connections = 64;
const perSlice = 3000;
const perAnswered = 1000;
const roundCount = Number(process.argv[2] ?? 20);
const least = 0.6;
const appSecret = "bench-app-secret-0123456789abcdef";
const phoneNumberId = "106540352242922";
const path = "/v1/channels/shop_wa/webhook";

type Contender = { readonly name: string; readonly port: number; close(): Promise<void> };

/** Verifies the signature over the raw body and answers 200, and nothing else. */
async function bare(): Promise<Contender> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const signature = String(request.headers["x-hub-signature-256"]).slice("sha256=".length);
      const expected = createHmac("sha256", appSecret).update(Buffer.concat(chunks)).digest();
      response.writeHead(timingSafeEqual(Buffer.from(signature, "hex"), expected) ? 200 : 401).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    name: "bare node:http",
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function countersign(name: string, file: string, role: "web" | "all"): Promise<Contender> {
  const secrets = { accessToken: "bench-token", appSecret, verifyToken: "bench-verify" };
  const server = await serveConfig(
    {
      tools: [],
      store: sqliteStore({ file }),
      apiKeys: [{ name: "bot", roles: ["agent"], secret: "bench-agent-key-0123456789" }],
      sessionSecret: "bench-session-secret-of-at-least-32-bytes",
      channels: { shop_wa: whatsapp({ phoneNumberId, graphVersion: "v26.0", ...secrets }) },
    },
    { port: 0, role },
  );
  return { name, port: Number(new URL(server.url).port), close: () => server.close() };
}

/** A tap of 877 bytes, as WhatsApp sends it; every message from another of 1000 people. */
function body(messageId: string, button: string): string {
  const person = String(messages % 1000).padStart(4, "0");
  const from = `1555010${person}`;
  const userId = `US.900000000000${person}`;
  const message = {
    context: { from: "15550109999", id: "wamid.HBgLMTU1NTAxMDAyMDAVAgARGBI5QTNDQTVCM0Q0Q0Q2RTY3RTcA" },
    from,
    from_user_id: userId,
    id: messageId,
    timestamp: "1767225600",
    type: "interactive",
    interactive: {
      type: "button_reply",
      button_reply: { id: button, title: "Cancel order" },
    },
  };
  const contact = { profile: { name: "Ana" }, wa_id: from, user_id: userId };
  const metadata = { display_phone_number: "15550109999", phone_number_id: phoneNumberId };
  const value = { messaging_product: "whatsapp", metadata, contacts: [contact], messages: [message] };
  const whole = {
    object: "whatsapp_business_account",
    entry: [{ id: "102290129340398", changes: [{ field: "messages", value }] }],
  };
  const text = JSON.stringify(whole);
  return text.replace(
    '"profile":{"name":"Ana"}',
    `"profile":{"name":"Ana${".".repeat(Math.max(0, 877 - text.length))}"}`,
  );
}

const promptButton = "cs1.AAAAAAAAAAAAAAAAAAAAAAAAAA.c";
/** A tap on it is heard by nobody here; one on a prompt's would be answered, and the platform is not here to take that. */
const otherButton = "menu.orders";

let messages = 0;
function requests(count: number, button: string): Uint8Array[] {
  return Array.from({ length: count }, () => {
    messages += 1;
    const text = body(`wamid.${String(messages).padStart(20, "0")}`, button);
    const signature = createHmac("sha256", appSecret).update(text).digest("hex");
    const head = [
      `POST ${path} HTTP/1.1`,
      "host: hooks.shop.example",
      "content-type: application/json",
      `content-length: ${Buffer.byteLength(text)}`,
      `x-hub-signature-256: sha256=${signature}`,
      "user-agent: facebookexternalua",
    ];
    return Buffer.from(`${head.join("\r\n")}\r\n\r\n${text}`);
  });
}

const worker = new Worker(new URL("./webhook-load.js", import.meta.url));
async function slice({ port }: Contender, count: number, button = promptButton): Promise<LoadReport> {
  const order: LoadOrder = { port, requests: requests(count, button), connections };
  const answer = once(worker, "message");
  worker.postMessage(order);
  const [report] = (await answer) as [LoadReport];
  if (report.answered !== count) throw new Error(`${report.answered} of ${count} were answered`);
  return report;
}

type Answered = { readonly ratio: number; readonly meanwhile: number; readonly perSecond: number };

/**
 * Takes and answers in turns with the bare server: how the intake compares, the share of messages that was answered by the
 * time the last one was taken, and how many were answered in a second, from the first taken to the last answered.
 */
async function answered(base: Contender, file: string): Promise<Answered> {
  const contender = await countersign("answering", file, "all");
  const db = new Database(file, { readonly: true });
  const left = db.prepare<[], number>("select count(*) from deliveries").pluck();
  const ratios: number[] = [];
  const shares: number[] = [];
  const speeds: number[] = [];
  for (let round = 0; round < Math.ceil(roundCount / 4); round += 1) {
    const { ms: bareMs } = await slice(base, perAnswered, otherButton);
    const start = performance.now();
    const { ms } = await slice(contender, perAnswered, otherButton);
    shares.push(1 - (left.get() ?? 0) / perAnswered);
    while (left.get() !== 0) await setTimeout(5);
    ratios.push(bareMs / ms);
    speeds.push((perAnswered * 1000) / (performance.now() - start));
  }
  db.close();
  await contender.close();
  return { ratio: median(ratios), meanwhile: median(shares), perSecond: median(speeds) };
}

const folder = mkdtempSync(join(tmpdir(), "countersign-bench-"));
const contenders = [
  await bare(),
  await countersign("countersign", join(folder, "webhooks.db"), "web"),
] as const;
const rates = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
const latencies = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
for (const contender of contenders) await slice(contender, 2 * perSlice);
for (let round = 0; round < roundCount; round += 1) {
  for (const contender of round % 2 === 0 ? contenders : [...contenders].reverse()) {
    const { ms, answered, latenciesMs } = await slice(contender, perSlice);
    rates.get(contender.name)?.push((answered * 1000) / ms);
    latencies.get(contender.name)?.push(...latenciesMs);
  }
}
for (const contender of contenders.slice(1)) await contender.close();

// The same with the worker that answers what came in: neither may starve the other.
const answering = await answered(contenders[0], join(folder, "answered.db"));
await contenders[0].close();
await worker.terminate();
rmSync(folder, { recursive: true, force: true });

process.stdout.write(`Webhook intake, ${connections} connections, SQLite, every commit flushed\n`);
for (const { name } of contenders) {
  const rate = median(rates.get(name) ?? []).toFixed(0);
  const slow = quantile(latencies.get(name) ?? [], 0.99).toFixed(1);
  process.stdout.write(`  ${name.padEnd(16)} ${rate.padStart(7)} requests/s   p99 ${slow} ms\n`);
}
const [base = [], mine = []] = contenders.map(({ name }) => rates.get(name) ?? []);
const each = mine.map((rate, round) => rate / (base[round] ?? Number.NaN));
const ratio = median(each);
const spread = `${quantile(each, 0.1).toFixed(2)} to ${quantile(each, 0.9).toFixed(2)}`;
process.stdout.write(`  ratio ${ratio.toFixed(2)}   (most rounds ${spread})   must be at least ${least}\n`);
const share = (answering.meanwhile * 100).toFixed(0);
process.stdout.write(
  `  while answering: ratio ${answering.ratio.toFixed(2)}, ${share} % answered by its end, ${answering.perSecond.toFixed(0)} answered/s\n`,
);
if (ratio < least) {
  process.stdout.write(`FAILED webhook intake: ${ratio.toFixed(2)} is below ${least}\n`);
  process.exitCode = 1;
}
