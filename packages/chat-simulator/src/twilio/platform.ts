import { hasFault, type Outgoing, type Platform, plainText, type Surroundings } from "../platform.ts";
import type { ApiAnswer, ApiRequest } from "../wire.ts";
import type { TwilioAccount } from "./account.ts";
import { twilioError } from "./answer.ts";
import { contentsOf } from "./content.ts";
import { twilioActs, twilioHook, twilioStatus } from "./webhook.ts";

const contentPath = /^\/content\.twilio\.com\/v1\/Content(?:\/(HX[0-9a-fA-F]{32}))?$/;
const messagesPath = /^\/api\.twilio\.com\/2010-04-01\/Accounts\/([^/]+)\/Messages\.json$/;

const sendersPath = "/messaging.twilio.com/v2/Channels/Senders";

const textLimit = 1600;

const troubles: { readonly [trouble in Parameters<Platform["answerTo"]>[0]]: ApiAnswer } = {
  busy: twilioError(429, 20429, "Too Many Requests"),
  broken: twilioError(500, 20500, "Internal Server Error"),
  window_closed: twilioError(400, 63016, "Failed to send freeform message outside the allowed window"),
  unknown_receiver: twilioError(400, 63024, "Invalid message recipient"),
  undeliverable: twilioError(400, 63024, "Invalid message recipient"),
};

function credentialOf(request: ApiRequest): string {
  const [, encoded = ""] = /^Basic (.+)$/.exec(request.header("authorization") ?? "") ?? [];
  return Buffer.from(encoded, "base64").toString("utf8");
}

/** Twilio's Content API, Messages API and webhooks for one sender. */
export function twilioPlatform(account: TwilioAccount, around: Surroundings): Platform {
  const { count, clock, switches } = around;
  const contents = contentsOf(account.accountSid, account.contents ?? [], count);

  function readMessage(form: URLSearchParams): { readonly send: Outgoing } | { readonly answer: ApiAnswer } {
    const refuse = (code: number, message: string) => ({ answer: twilioError(400, code, message) });
    const [to, text, contentSid] = [form.get("To"), form.get("Body"), form.get("ContentSid")];
    if (form.get("From") !== account.from) {
      return refuse(63007, "Twilio could not find a Channel with the specified From address");
    }
    if (to === null || !/^whatsapp:\+?\S+$/.test(to)) return refuse(21211, "Invalid 'To' Phone Number");
    const statusUrl = form.get("StatusCallback");
    const common = { to, ...(statusUrl === null ? {} : { statusUrl }) };
    if (contentSid !== null) {
      const filled = contents.fill(contentSid, form.get("ContentVariables") ?? undefined);
      return "status" in filled ? { answer: filled } : { send: { ...common, ...filled } };
    }
    if (text === null || text === "")
      return refuse(21619, "A text message body or media urls must be specified");
    if (text.length > textLimit) {
      return refuse(21617, "The concatenated message body exceeds the 1600 character limit");
    }
    return { send: { ...common, ...plainText, text } };
  }

  function senders(): ApiAnswer {
    const has = (fault: Parameters<typeof hasFault>[1]): boolean => hasFault(switches.now(), fault);
    const connected = has("subscription") ? undefined : around.connectedUrl();
    const url = has("address") ? "https://other.example/hook" : connected;
    const sender = {
      sid: `XE${"0".repeat(31)}1`,
      status: has("account") ? "OFFLINE" : "ONLINE",
      sender_id: account.from,
      webhook: url === undefined ? null : { callback_url: url, callback_method: "POST" },
    };
    const page = { page: 0, page_size: 50, next_page_url: null, previous_page_url: null };
    const all = has("other_account") ? [] : [sender];
    return { status: 200, json: { senders: all, meta: { ...page, key: "senders" } } };
  }

  function other(request: ApiRequest): ApiAnswer {
    if (request.method === "GET" && request.path === sendersPath) return senders();
    const [isContent, sid] = contentPath.exec(request.path) ?? [];
    if (isContent === undefined) {
      return twilioError(404, 20404, `The requested resource ${request.path} was not found`);
    }
    if (request.method === "POST" && sid === undefined) return contents.create(request.body);
    return sid === undefined ? contents.list() : contents.fetch(sid);
  }

  return {
    name: "twilio",
    // Once more where nobody was there; an answer, whatever it is, is taken for one.
    retries: { unless: "any_answer", afterMs: [0] },
    failsLater: true,
    claims: (request) => /^\/[a-z]+\.twilio\.com\//.test(request.path),
    refused(request) {
      const isKnown = credentialOf(request) === `${account.accountSid}:${account.authToken}`;
      if (!isKnown || hasFault(switches.now(), "token")) return twilioError(401, 20003, "Authenticate");
      const [, sid = account.accountSid] = messagesPath.exec(request.path) ?? [];
      return sid === account.accountSid ? undefined : twilioError(404, 20404, "The account was not found");
    },
    read(request) {
      if (request.method !== "POST" || !messagesPath.test(request.path)) return { answer: other(request) };
      return readMessage(new URLSearchParams(request.body));
    },
    answerTo: (trouble) => troubles[trouble],
    accepted({ to, text }, sid) {
      const date = new Date(clock.now()).toUTCString();
      const json = {
        account_sid: account.accountSid,
        api_version: "2010-04-01",
        body: text,
        date_created: date,
        date_sent: null,
        date_updated: date,
        direction: "outbound-api",
        error_code: null,
        error_message: null,
        from: account.from,
        messaging_service_sid: null,
        num_media: "0",
        num_segments: "1",
        price: null,
        price_unit: null,
        sid,
        status: "queued",
        subresource_uris: {},
        to,
        uri: `/2010-04-01/Accounts/${account.accountSid}/Messages/${sid}.json`,
      };
      return { status: 201, json };
    },
    chatIdOf: (to) => to.replace(/^whatsapp:\+?/, ""),
    newId: (from) => `${from === "business" ? "MM" : "SM"}${count().toString(16).padStart(32, "0")}`,
    heard(act, message, chat) {
      const fields = twilioActs(account, act, message, chat);
      return fields && twilioHook(around.hookUrl(), account, fields, count);
    },
    told({ status, why }, sid, { to, statusUrl }) {
      return twilioHook(statusUrl, account, twilioStatus(account, status, { sid, to, why }), count);
    },
    seen(messages, chat) {
      return messages.flatMap(({ id: sid }) => {
        const message = chat.sent.get(sid);
        if (message === undefined) return [];
        const fields = twilioStatus(account, "read", { sid, to: message.to, why: undefined });
        return twilioHook(message.statusUrl, account, fields, count) ?? [];
      });
    },
    renamed: () => undefined,
    echo: () => undefined,
    subscription: () => undefined,
    // Twilio asks nothing of an address before it uses it.
    verify: async () => undefined,
  };
}
