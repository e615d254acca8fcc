import type { OutboundMessage, SendContext, SendResult } from "@countersign/core";
import twilioSdk from "twilio";
import { cannotSend, failureOf, meaningOfStatus } from "../base/failure.ts";
import { sendTimeoutMs, unanswered } from "../base/post.ts";
import { idAt, present, textAt } from "../base/walk.ts";
import { meaningOf } from "./errors.ts";
import { whatsAppIdOf } from "./read.ts";
import type { TwilioBody } from "./render.ts";

/** Twilio's client with what a sender needs to know. */
export type TwilioSender = {
  readonly client: ReturnType<typeof twilioSdk>;
  readonly from: string;
  readonly publicUrl: string;
};

type RequestOptions = Parameters<InstanceType<typeof twilioSdk.RequestClient>["request"]>[0];

/** Sends every request of Twilio's client to another address; the host it was for becomes the first part of the path. */
class RedirectedClient extends twilioSdk.RequestClient {
  readonly #baseUrl: string;

  constructor(baseUrl: string) {
    super({ timeout: sendTimeoutMs });
    this.#baseUrl = baseUrl;
  }

  override request<T>(options: RequestOptions): ReturnType<twilioSdk.RequestClient["request"]> & Promise<T> {
    const url = new URL(options.uri);
    const uri = `${this.#baseUrl}/${url.host}${url.pathname}${url.search}`;
    return super.request({ ...options, uri }) as ReturnType<twilioSdk.RequestClient["request"]> & Promise<T>;
  }
}

/** Twilio's client for an account. */
export function clientOf(
  accountSid: string,
  authToken: string,
  baseUrl: string | null,
): TwilioSender["client"] {
  const httpClient =
    baseUrl === null
      ? new twilioSdk.RequestClient({ timeout: sendTimeoutMs })
      : new RedirectedClient(baseUrl);
  return twilioSdk(accountSid, authToken, { httpClient });
}

// Errors of the API have a status; all others never had an answer.
function resultOf(error: unknown): SendResult {
  const status = Number(idAt(error, "status") ?? 0);
  if (status > 0) {
    const code = idAt(error, "code");
    const detail = (error as Error).message;
    const failure = failureOf(meaningOf(code) ?? meaningOfStatus(status), { code: code ?? null, detail });
    return { kind: "failed", failure };
  }
  const posted = unanswered(error);
  if (posted.kind === "unreached") return cannotSend("retry_later", posted.detail);
  return { kind: "unknown", detail: posted.kind === "unknown" ? posted.detail : "error" };
}

type Content = { readonly contentSid: string } | { readonly result: SendResult };

async function contentOf(sender: TwilioSender, body: TwilioBody, context: SendContext): Promise<Content> {
  if (!("content" in body)) return { contentSid: "contentSid" in body ? body.contentSid : "" };
  const known = await context.contents.find(body.hash);
  if (known !== undefined) return { contentSid: known };
  try {
    type Create = Parameters<TwilioSender["client"]["content"]["v1"]["contents"]["create"]>[0];
    const { sid } = await sender.client.content.v1.contents.create(body.content as unknown as Create);
    await context.contents.keep(body.hash, sid);
    return { contentSid: sid };
  } catch (error) {
    const result = resultOf(error);
    // Nothing was sent to anybody yet: creating it once more does no harm.
    return { result: result.kind === "unknown" ? cannotSend("retry_later", result.detail) : result };
  }
}

/** What a promise settles with, or `stopped` where its wait is ended first. The promise must not reject. */
export async function unlessStopped<T>(
  asking: Promise<T>,
  signal: AbortSignal | undefined,
  stopped: T,
): Promise<T> {
  if (signal === undefined) return await asking;
  if (signal.aborted) return stopped;
  return await new Promise((resolve) => {
    const stop = (): void => resolve(stopped);
    signal.addEventListener("abort", stop, { once: true });
    void asking.then(resolve).finally(() => signal.removeEventListener("abort", stop));
  });
}

async function create(
  sender: TwilioSender,
  to: string,
  body: TwilioBody,
  context: SendContext,
): Promise<SendResult> {
  const statusCallback = sender.publicUrl + context.statusPath;
  const content = await contentOf(sender, body, context);
  if ("result" in content) return content.result;
  const said =
    "text" in body
      ? { body: body.text }
      : { contentSid: content.contentSid, contentVariables: JSON.stringify(body.variables) };
  try {
    const message = await sender.client.messages.create({ from: sender.from, to, statusCallback, ...said });
    const sid = textAt(message, "sid");
    return sid
      ? { kind: "sent", providerMessageId: sid, aliases: present([to, textAt(message, "to")]) }
      : { kind: "unknown", detail: "the answer names no message" };
  } catch (error) {
    return resultOf(error);
  }
}

/** Sends one message; its content is registered first where no message had it before. */
export async function sendMessage(
  sender: TwilioSender,
  to: string,
  message: OutboundMessage,
  context: SendContext,
): Promise<SendResult> {
  if (whatsAppIdOf(to) === undefined)
    return cannotSend("undeliverable", "the address is no whatsapp: address");
  const stopped: SendResult = { kind: "unknown", detail: "the wait was ended" };
  return await unlessStopped(
    create(sender, to, message.body as TwilioBody, context),
    context.signal,
    stopped,
  );
}
