import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { instagram } from "@countersign/channels/instagram";
import { messenger } from "@countersign/channels/messenger";
import { twilio } from "@countersign/channels/twilio";
import { whatsapp } from "@countersign/channels/whatsapp";
import {
  type Channel,
  type InboundEvent,
  type OutboundMessage,
  promptTokens,
  type Reading,
  type SendResult,
} from "@countersign/core";
import { exampleCard, exampleContext, type ManualClock, manualClock } from "@countersign/core/testing";
import type { Phone } from "./phone.ts";
import type { PlatformName } from "./platform.ts";
import { type ChatSimulator, openChatSimulator, type SimulatedAccount } from "./simulator.ts";

/** A server as a shop runs it, with nothing but the real channel behind its webhook. */
export type Shop = {
  readonly url: string;
  readonly channel: Channel;
  /** Every webhook as it was read, in the order of arrival. */
  readonly readings: Reading[];
  events(): readonly InboundEvent[];
  /** The status of the answer to the next webhooks; null: what the channel says. */
  fail(status: number | null): void;
  close(): Promise<void>;
};

/** Path of the shop's webhook. */
export const webhookPath = "/v1/channels/shop/webhook";

/** Starts a shop on a local port; the channel is opened once the port is known. */
async function openShop(channelAt: (publicUrl: string) => Channel): Promise<Shop> {
  const readings: Reading[] = [];
  let failing: number | null = null;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const header = (name: string): string | null => {
      const value = request.headers[name.toLowerCase()];
      return typeof value === "string" ? value : null;
    };
    const { method = "", url: target = "" } = request;
    const reading = shop.channel.read({ method, target, header, body: Buffer.concat(chunks) });
    if (failing === null) readings.push(reading);
    const { status, contentType, body } = reading.answer;
    response.writeHead(failing ?? status, { "content-type": contentType }).end(body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const shop: Shop = {
    url,
    channel: channelAt(url),
    readings,
    events: () => readings.flatMap((reading) => (reading.kind === "events" ? reading.events : [])),
    fail(status) {
      failing = status;
    },
    async close() {
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      server.closeAllConnections();
      await closed;
    },
  };
  return shop;
}

const secrets = {
  accessToken: "demo_access_token",
  appSecret: "demo_app_secret_do_not_use",
  verifyToken: "demo_verify_token",
};
const accountSid = "AC00000000000000000000000000000001";
const authToken = "demo_auth_token_do_not_use";
const from = "whatsapp:+15550109999";
const english = {
  text: "Please check: {{1}} Thank you.",
  confirmLabel: "Yes, do it",
  declineLabel: "No, keep it",
};
const templateName = "check_it";
const contentSid = `HX${"a".repeat(32)}`;
const template = { name: templateName, languages: { en: english } };
const approved = {
  name: templateName,
  language: "en",
  text: english.text,
  buttons: [english.confirmLabel, english.declineLabel],
};

type Side = {
  readonly account: SimulatedAccount;
  readonly customer: string;
  /** What the channel calls the customer. */
  readonly address: string;
  readonly channelAt: (farUrl: string, publicUrl: string) => Channel;
};

/** Each platform with the account that its simulator and its channel share. */
export const sides: { readonly [name in PlatformName]: Side } = {
  whatsapp: {
    account: {
      platform: "whatsapp",
      ...secrets,
      appId: "100100",
      phoneNumberId: "300100200300",
      displayPhoneNumber: "15550109999",
      businessAccountId: "200100200100",
      templates: [approved],
    },
    customer: "15550100200",
    address: "15550100200",
    channelAt: (graphBaseUrl) =>
      whatsapp({
        ...secrets,
        phoneNumberId: "300100200300",
        businessAccountId: "200100200100",
        graphBaseUrl,
        template,
      }),
  },
  messenger: {
    account: {
      platform: "messenger",
      ...secrets,
      appId: "100100",
      pageId: "400100200",
      templates: [approved],
    },
    customer: "7001001",
    address: "7001001",
    channelAt: (graphBaseUrl) =>
      messenger({ ...secrets, pageId: "400100200", graphBaseUrl, utilityTemplate: template }),
  },
  instagram: {
    account: { platform: "instagram", ...secrets, appId: "100100", accountId: "17840000000000001" },
    customer: "910010020030",
    address: "910010020030",
    channelAt: (graphBaseUrl) =>
      instagram({ ...secrets, accountId: "17840000000000001", login: "instagram", graphBaseUrl }),
  },
  twilio: {
    account: {
      platform: "twilio",
      accountSid,
      authToken,
      from,
      contents: [
        {
          contentSid,
          language: "en",
          text: english.text,
          buttons: [
            { title: english.confirmLabel, id: "{{2}}" },
            { title: english.declineLabel, id: "{{3}}" },
          ],
        },
      ],
    },
    customer: "15550100200",
    address: "whatsapp:+15550100200",
    channelAt: (baseUrl, publicUrl) => {
      const contentTemplate = { languages: { en: { ...english, contentSid } } };
      return twilio({ accountSid, authToken, from, publicUrl, baseUrl, contentTemplate });
    },
  },
};

/** Names of all platforms. */
export const platforms: readonly PlatformName[] = ["whatsapp", "messenger", "instagram", "twilio"];

/** A shop, the far side, and a customer with a phone between them. */
export type Scene = {
  readonly simulator: ChatSimulator;
  readonly shop: Shop;
  readonly clock: ManualClock;
  readonly phone: Phone;
  send(message: OutboundMessage, signal?: AbortSignal): Promise<SendResult>;
  /** Sends the last message of a prompt. */
  ask(window?: "open" | "closed"): Promise<SendResult>;
  close(): Promise<void>;
};

/** Tokens of the prompts in these tests. */
export const tokens: { readonly confirm: string; readonly decline: string } = promptTokens("k3");
const start = Date.UTC(2026, 11, 1, 12);

/** Opens a scene in which the customer has written once, unless told otherwise. */
export async function openScene(
  name: PlatformName,
  change: { readonly account?: object; readonly silent?: boolean } = {},
): Promise<Scene> {
  const side = sides[name];
  const clock = manualClock(start);
  const account = { ...side.account, ...change.account } as SimulatedAccount;
  const simulator = await openChatSimulator({ accounts: [account], clock });
  const shop = await openShop((publicUrl) => side.channelAt(simulator.url, publicUrl));
  await simulator.connect(name, shop.url + webhookPath);
  shop.readings.length = 0;
  const phone = simulator.phone(name, side.customer);
  if (!change.silent) {
    phone.type("Hello");
    await simulator.idle();
    shop.readings.length = 0;
  }
  const context = exampleContext();
  const send: Scene["send"] = (message, signal) =>
    shop.channel.send(side.address, message, { ...context, ...(signal ? { signal } : {}) });
  return {
    simulator,
    shop,
    clock,
    phone,
    send,
    async ask(window = "open") {
      const expiresAt = start + 3_600_000;
      const prompt = shop.channel.prompt(exampleCard(), tokens, { expiresAt, window });
      const message = prompt.kind === "messages" ? prompt.messages.at(-1) : undefined;
      if (message === undefined) throw new Error(prompt.kind);
      return await send(message);
    },
    async close() {
      await shop.close();
      await simulator.close();
    },
  };
}
