import { type InboundRequest, parsePromptToken, type Reading, type Sender } from "@countersign/core";
import { collector, type Found } from "../base/collect.ts";
import { failureOf } from "../base/failure.ts";
import { refused } from "../base/refused.ts";
import { present } from "../base/walk.ts";
import { isBusinessScopedId, isPhoneId, spellingsOf } from "../whatsapp/ids.ts";
import { meaningOf } from "./errors.ts";
import { formOf, isTwilioSigned, type TwilioSecrets } from "./signature.ts";

/** Whose webhook it is. */
export type TwilioAccount = { readonly accountSid: string; readonly from: string };

type Field = (name: string) => string | undefined;

/** The digits or business-scoped id of a `whatsapp:` address; undefined for every other. */
export function whatsAppIdOf(address: string): string | undefined {
  const [, id] = /^whatsapp:\+?(.+)$/.exec(address) ?? [];
  return id;
}

function senderOf(field: Field): Sender | undefined {
  const from = field("From");
  const id = from === undefined ? undefined : whatsAppIdOf(from);
  if (from === undefined || id === undefined) return undefined;
  const userId = [field("ExternalUserId"), from].find((address) =>
    isBusinessScopedId(whatsAppIdOf(address ?? "") ?? ""),
  );
  const digits = [id, field("WaId")].find((one) => one !== undefined && isPhoneId(one));
  const phone = digits === undefined ? null : `whatsapp:+${digits}`;
  return {
    address: from,
    aliases: present([from, userId, phone ?? undefined]),
    spellings: digits === undefined ? [] : spellingsOf(digits).map((one) => `whatsapp:+${one}`),
    phone,
    userId: userId ?? null,
  };
}

function readMessage(field: Field, { from }: TwilioAccount): Found {
  if (field("To") !== from) return "account";
  const messageId = field("MessageSid") ?? field("SmsMessageSid");
  if (messageId === undefined) return "malformed";
  const sender = senderOf(field);
  if (sender === undefined) return "sender";
  const providerMessageId = field("OriginalRepliedMessageSid") ?? null;
  const happened = { messageId, at: null, sender, providerMessageId };
  const payload = field("ButtonPayload");
  const label = field("ButtonText") ?? null;
  if (payload !== undefined || label !== null) {
    const token = payload !== undefined && parsePromptToken(payload) ? payload : null;
    return { type: "tap", ...happened, token, payload: payload ?? "", label };
  }
  const text = field("Body") ?? "";
  return text === "" ? "kind" : { type: "message", ...happened, text };
}

const statuses: { readonly [status: string]: "sent" | "delivered" | "read" | "failed" } = {
  sent: "sent",
  delivered: "delivered",
  read: "read",
  failed: "failed",
  undelivered: "failed",
};

function readStatus(field: Field, said: string, { from }: TwilioAccount): Found {
  if (field("From") !== from) return "account";
  const providerMessageId = field("MessageSid");
  if (providerMessageId === undefined) return "malformed";
  const status = Object.hasOwn(statuses, said) ? statuses[said] : undefined;
  if (status === undefined) return "status";
  const code = field("ErrorCode");
  const about = [field("ErrorMessage"), field("ChannelStatusMessage")].filter((text) => text !== undefined);
  const failure = failureOf(meaningOf(code) ?? ["bad_request"], {
    code: code ?? null,
    detail: about.join("; "),
  });
  return {
    type: "status",
    providerMessageId,
    status,
    at: null,
    attempt: null,
    failure: status === "failed" ? failure : null,
  };
}

/** Reads one webhook request of Twilio: an inbound message or a status callback, told apart by their fields. */
export function readTwilio(request: InboundRequest, secrets: TwilioSecrets, account: TwilioAccount): Reading {
  if (request.method !== "POST") return refused("method", "only POST is known");
  if (!isTwilioSigned(request, secrets)) {
    const about = { request, secrets: (secrets.sharedKeys ?? secrets.authTokens).length };
    return refused("signature", "a signature of none of the secrets for this address", {
      ...about,
      option: secrets.sharedKeys === null ? "publicUrl and authToken" : "publicUrl and sharedKey",
    });
  }
  const form = formOf(request.body);
  const field: Field = (name) => form.get(name) ?? undefined;
  const status = field("MessageStatus");
  const into = collector();
  if (field("AccountSid") !== account.accountSid) into.take("account");
  else into.take(status === undefined ? readMessage(field, account) : readStatus(field, status, account));
  // Anything else in the answer would be sent to the customer.
  return into.done({ status: 200, contentType: "text/xml", body: "<Response/>" });
}
