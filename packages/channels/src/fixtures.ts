import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Channel, InboundRequest } from "@countersign/core";
import type { ChannelSubject, CustomerAct, PlatformAnswer } from "@countersign/core/testing";
import twilioSdk from "twilio";
import { type InstagramOptions, instagram } from "./instagram/index.ts";
import { type MessengerOptions, messenger } from "./messenger/index.ts";
import { type TwilioOptions, twilio } from "./twilio/index.ts";
import { type WhatsAppOptions, whatsapp } from "./whatsapp/index.ts";

/** A request that a fake platform was sent. */
export type Asked = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
};

/** An answer of a fake platform; null: it never answers. */
export type Reply = { readonly status: number; readonly json: unknown; readonly headers?: object } | null;

/** A far side on a local port: keeps what it is asked, and answers what it is told to. */
export type FarSide = {
  readonly url: string;
  readonly asked: readonly Asked[];
  reply(to: (asked: Asked) => Reply): void;
  /** Settles with the first request after `reply`. */
  next(): Promise<void>;
  close(): Promise<void>;
};

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

/** Opens a far side. */
async function farSide(): Promise<FarSide> {
  const asked: Asked[] = [];
  let reply: (asked: Asked) => Reply = () => ({ status: 500, json: {} });
  let arrived: () => void = () => undefined;
  let next: Promise<void> = Promise.resolve();
  const server = createServer(async (request, response) => {
    const one: Asked = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      body: await bodyOf(request),
    };
    asked.push(one);
    arrived();
    const said = reply(one);
    if (said === null) return;
    response.writeHead(said.status, { "content-type": "application/json", ...said.headers });
    response.end(JSON.stringify(said.json));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    reply(to) {
      reply = to;
      next = new Promise((resolve) => {
        arrived = resolve;
      });
    },
    next: () => next,
    async close() {
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The secret that signs these webhooks. */
export const appSecret = "demo_app_secret_do_not_use";
/** Twilio's auth token in these tests. */
export const authToken = "demo_auth_token_do_not_use";
/** Twilio's account in these tests. */
export const accountSid = "AC00000000000000000000000000000001";
/** The address that Twilio calls in these tests. */
const publicUrl = "https://hooks.example";

/** A request with these headers. */
export function requestOf(
  method: string,
  target: string,
  body: string | Uint8Array,
  headers: { readonly [name: string]: string },
): InboundRequest {
  const header = (name: string): string | null => headers[name.toLowerCase()] ?? null;
  return { method, target, header, body: typeof body === "string" ? new TextEncoder().encode(body) : body };
}

/** A webhook as Meta signs it. */
export function metaRequest(body: string | object, secret: string = appSecret): InboundRequest {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const signature = `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`;
  return requestOf("POST", "/v1/channels/shop/webhook", text, {
    "x-hub-signature-256": signature,
    "content-type": "application/json",
  });
}

/** A webhook as Twilio signs it. */
export function twilioRequest(
  fields: { readonly [name: string]: string },
  target = "/v1/channels/shop/webhook",
): InboundRequest {
  const signature = twilioSdk.getExpectedTwilioSignature(authToken, publicUrl + target, fields);
  return requestOf("POST", target, new URLSearchParams(fields).toString(), {
    "x-twilio-signature": signature,
    "content-type": "application/x-www-form-urlencoded",
  });
}

/** A channel with its far side. */
export type OpenChannel = ChannelSubject & { readonly far: FarSide };

function subjectOf(
  channel: Channel,
  far: FarSide,
  customer: string,
  platform: {
    readonly inbound: (act: CustomerAct) => InboundRequest;
    readonly replies: { readonly [how in Exclude<PlatformAnswer, "silent">]: Reply };
  },
): OpenChannel {
  return {
    channel,
    far,
    customer,
    stranger: customer.replace(/\d$/, "9"),
    inbound: platform.inbound,
    answer: (how) => far.reply(() => (how === "silent" ? null : platform.replies[how])),
    asked: () => far.next(),
  };
}

/** WhatsApp's options in these tests. */
export const whatsappOptions: WhatsAppOptions = {
  phoneNumberId: "300100200300",
  accessToken: "demo_access_token",
  appSecret,
  verifyToken: "demo_verify_token",
};

function whatsappBody(act: CustomerAct): object {
  const { messageId: id, from } = act;
  const said =
    act.type === "text"
      ? { type: "text", text: { body: act.text } }
      : {
          type: "interactive",
          interactive: { type: "button_reply", button_reply: { id: act.payload, title: act.label } },
        };
  const metadata = { display_phone_number: "15550109999", phone_number_id: whatsappOptions.phoneNumberId };
  const value = {
    messaging_product: "whatsapp",
    metadata,
    messages: [{ id, from, timestamp: "1767225600", ...said }],
  };
  return {
    object: "whatsapp_business_account",
    entry: [{ id: "200100200100", changes: [{ field: "messages", value }] }],
  };
}

const metaError = (code: number, more: object = {}): object => ({
  error: { message: `(#${code}) no`, type: "OAuthException", code, ...more },
});

/** Opens WhatsApp with a far side. */
export async function openWhatsApp(options: object = {}): Promise<OpenChannel> {
  const far = await farSide();
  const channel = whatsapp({ ...whatsappOptions, graphBaseUrl: far.url, ...options });
  const contacts = [{ input: "15550100200", wa_id: "15550100200" }];
  return subjectOf(channel, far, "15550100200", {
    inbound: (act) => metaRequest(whatsappBody(act)),
    replies: {
      sent: {
        status: 200,
        json: { messaging_product: "whatsapp", contacts, messages: [{ id: "wamid.OUT" }] },
      },
      busy: { status: 429, json: metaError(130429) },
      window_closed: { status: 400, json: metaError(131047) },
      no_id: { status: 200, json: { messaging_product: "whatsapp", messages: [] } },
    },
  });
}

function messagingBody(object: string, accountId: string, act: CustomerAct): object {
  const said =
    act.type === "text"
      ? { message: { mid: act.messageId, text: act.text } }
      : { postback: { mid: act.messageId, title: act.label, payload: act.payload } };
  const event = { sender: { id: act.from }, recipient: { id: accountId }, timestamp: 1767225600000, ...said };
  return { object, entry: [{ id: accountId, time: 1767225600000, messaging: [event] }] };
}

function messagingReplies(customer: string): { readonly [how in Exclude<PlatformAnswer, "silent">]: Reply } {
  return {
    sent: { status: 200, json: { recipient_id: customer, message_id: "m_out" } },
    busy: { status: 400, json: metaError(613) },
    window_closed: { status: 400, json: metaError(10, { error_subcode: 2018278 }) },
    no_id: { status: 200, json: { recipient_id: customer } },
  };
}

/** Messenger's options in these tests. */
export const messengerOptions: MessengerOptions = {
  pageId: "400100200",
  accessToken: "demo_access_token",
  appSecret,
  verifyToken: "demo_verify_token",
};

/** Opens Messenger with a far side. */
export async function openMessenger(options: object = {}): Promise<OpenChannel> {
  const far = await farSide();
  const channel = messenger({ ...messengerOptions, graphBaseUrl: far.url, ...options });
  return subjectOf(channel, far, "7001001", {
    inbound: (act) => metaRequest(messagingBody("page", messengerOptions.pageId, act)),
    replies: messagingReplies("7001001"),
  });
}

/** Instagram's options in these tests. */
export const instagramOptions: InstagramOptions = {
  accountId: "17840000000000001",
  login: "instagram",
  accessToken: "demo_access_token",
  appSecret,
  verifyToken: "demo_verify_token",
};

/** Opens Instagram with a far side. */
export async function openInstagram(options: object = {}): Promise<OpenChannel> {
  const far = await farSide();
  const channel = instagram({ ...instagramOptions, graphBaseUrl: far.url, ...options });
  return subjectOf(channel, far, "910010020030", {
    inbound: (act) => metaRequest(messagingBody("instagram", instagramOptions.accountId, act)),
    replies: messagingReplies("910010020030"),
  });
}

/** Twilio's options in these tests. */
export const twilioOptions: TwilioOptions = {
  accountSid,
  authToken,
  from: "whatsapp:+15550109999",
  publicUrl,
};

function twilioFields(act: CustomerAct): { readonly [name: string]: string } {
  const said: { readonly [name: string]: string } =
    act.type === "text"
      ? { Body: act.text, MessageType: "text" }
      : { Body: act.label, ButtonText: act.label, ButtonPayload: act.payload, MessageType: "interactive" };
  const from = { AccountSid: accountSid, From: act.from, To: twilioOptions.from };
  return { ...from, MessageSid: act.messageId, SmsStatus: "received", NumMedia: "0", ...said };
}

/** Opens Twilio with a far side. */
export async function openTwilio(options: object = {}): Promise<OpenChannel> {
  const far = await farSide();
  const channel = twilio({ ...twilioOptions, baseUrl: far.url, ...options });
  const error = (status: number, code: number): Reply => ({ status, json: { status, code, message: "no" } });
  return subjectOf(channel, far, "whatsapp:+15550100200", {
    inbound: (act) => twilioRequest(twilioFields(act)),
    replies: {
      sent: {
        status: 201,
        json: { sid: `SM${"0".repeat(31)}7`, status: "queued", to: "whatsapp:+15550100200" },
      },
      busy: error(429, 20429),
      window_closed: error(400, 63016),
      no_id: { status: 201, json: { status: "queued" } },
    },
  });
}

/** Every kind of channel, by the name of its folder. */
export const channels: readonly (readonly [name: string, open: () => Promise<OpenChannel>])[] = [
  ["whatsapp", openWhatsApp],
  ["messenger", openMessenger],
  ["instagram", openInstagram],
  ["twilio", openTwilio],
];
