import { createHmac } from "node:crypto";
import type { Hook } from "../courier.ts";
import type { Act, Chat, Refused } from "../platform.ts";
import type { ThreadMessage } from "../thread.ts";
import type { TwilioAccount } from "./account.ts";

type Fields = { readonly [name: string]: string };

/** A webhook of Twilio, signed over the address that is called and every field. */
export function twilioHook(
  url: string | undefined,
  { authToken, sharedKey }: TwilioAccount,
  fields: Fields,
  count: () => number,
): Hook | undefined {
  if (url === undefined) return undefined;
  const text =
    url +
    Object.keys(fields)
      .sort()
      .map((name) => name + fields[name])
      .join("");
  const [algorithm, secret] = sharedKey === undefined ? ["sha1", authToken] : ["sha256", sharedKey];
  const settings =
    sharedKey === undefined
      ? {}
      : { "x-twilio-webhooks-signature-settings": "key=SK1,algorithm=HMAC_SHA256" };
  return {
    url,
    body: new URLSearchParams(fields).toString(),
    headers: {
      "content-type": "application/x-www-form-urlencoded; charset=UTF-8",
      "user-agent": "TwilioProxy/1.1",
      "x-twilio-signature": createHmac(algorithm ?? "", secret ?? "")
        .update(text, "utf8")
        .digest("base64"),
      "i-twilio-idempotency-token": `token-${count()}`,
      ...settings,
    },
  };
}

/** A customer's address at Twilio: of a number with a plus, of another id without. */
function addressOf(id: string): string {
  return `whatsapp:${/^\d+$/.test(id) ? "+" : ""}${id}`;
}

function saidIn(act: Act, account: TwilioAccount): Fields | undefined {
  switch (act.type) {
    case "text":
      return {
        Body: act.text,
        MessageType: "text",
        ...(act.forwarded ? { Forwarded: "true" } : {}),
        ...(act.replyTo === null
          ? {}
          : { OriginalRepliedMessageSid: act.replyTo, OriginalRepliedMessageSender: account.from }),
      };
    case "tap":
      return {
        Body: act.button.label,
        ButtonText: act.button.label,
        ButtonPayload: act.button.payload,
        MessageType: act.template ? "button" : "interactive",
        OriginalRepliedMessageSid: act.messageId,
        OriginalRepliedMessageSender: account.from,
      };
    case "reaction":
      return undefined;
  }
}

/** The fields of what a customer did; undefined where Twilio hands nothing on. */
export function twilioActs(
  account: TwilioAccount,
  act: Act,
  { id: sid }: ThreadMessage,
  { id, name, userId }: Chat,
): Fields | undefined {
  const said = saidIn(act, account);
  return (
    said && {
      AccountSid: account.accountSid,
      ApiVersion: "2010-04-01",
      From: addressOf(id),
      To: account.from,
      MessageSid: sid,
      SmsMessageSid: sid,
      SmsSid: sid,
      NumMedia: "0",
      NumSegments: "1",
      SmsStatus: "received",
      ProfileName: name,
      ...(/^\d+$/.test(id) ? { WaId: id } : {}),
      ...(userId === null ? {} : { ExternalUserId: addressOf(userId) }),
      ...said,
    }
  );
}

const reasons: { readonly [why in Refused]: readonly [code: string, message: string, channel: string] } = {
  window_closed: ["63016", "Outside messaging window", "131047"],
  unknown_receiver: ["63024", "Invalid message recipient", "131026"],
  undeliverable: ["63024", "Invalid message recipient", "131026"],
};

/** The fields of a status callback. */
export function twilioStatus(
  account: TwilioAccount,
  status: "sent" | "delivered" | "read" | "failed",
  about: { readonly sid: string; readonly to: string; readonly why: Refused | undefined },
): Fields {
  const word = status === "failed" ? "undelivered" : status;
  const [code = "", message = "", channel = ""] = about.why === undefined ? [] : reasons[about.why];
  return {
    AccountSid: account.accountSid,
    ApiVersion: "2010-04-01",
    From: account.from,
    To: about.to,
    MessageSid: about.sid,
    SmsSid: about.sid,
    ChannelPrefix: "whatsapp",
    ChannelInstallSid: `XE${"0".repeat(31)}1`,
    MessageStatus: word,
    SmsStatus: word,
    ...(status === "delivered" || status === "read" ? { EventType: status.toUpperCase() } : {}),
    ...(about.why === undefined
      ? {}
      : { ErrorCode: code, ErrorMessage: message, ChannelStatusMessage: channel }),
  };
}
