import { parsePromptToken, type Sender } from "@countersign/core";
import type { Collector, Found } from "../base/collect.ts";
import { derivedId } from "../base/secret.ts";
import { at, idAt, instantAt, listAt, textAt } from "../base/walk.ts";

/** Whose webhook it is: the object that Meta names, and the id of the page or Instagram account. */
export type MessagingAccount = { readonly object: "page" | "instagram"; readonly accountId: string };

function senderOf(id: string): Sender {
  return { address: id, aliases: [id], spellings: [], phone: null, userId: id };
}

function readPostback(event: unknown, sender: Sender): Found {
  const payload = textAt(event, "postback", "payload");
  if (payload === undefined) return "standby";
  const label = textAt(event, "postback", "title") ?? null;
  const when = instantAt(event, "timestamp");
  // Old postbacks have no id of their own.
  const messageId =
    idAt(event, "postback", "mid") ?? derivedId("postback", sender.address, String(when), payload);
  const token = parsePromptToken(payload) ? payload : null;
  return { type: "tap", messageId, at: when, sender, token, payload, label, providerMessageId: null };
}

function readMessage(event: unknown, sender: Sender): Found {
  const messageId = idAt(event, "message", "mid");
  const text = textAt(event, "message", "text");
  const payload = textAt(event, "message", "quick_reply", "payload");
  if (at(event, "message", "is_deleted") === true || at(event, "message", "is_unsupported") === true) {
    return "kind";
  }
  if (messageId === undefined) return "malformed";
  const arrived = { messageId, at: instantAt(event, "timestamp"), sender };
  const providerMessageId = idAt(event, "message", "reply_to", "mid") ?? null;
  if (payload !== undefined) {
    const token = parsePromptToken(payload) ? payload : null;
    return { type: "tap", ...arrived, token, payload, label: text ?? null, providerMessageId };
  }
  return text === undefined ? "kind" : { type: "message", ...arrived, text, providerMessageId };
}

function readReceipt(event: unknown, status: "delivered" | "read", sender: Sender): readonly Found[] {
  const key = status === "read" ? "read" : "delivery";
  const until = instantAt(event, key, "watermark");
  const ids = [...listAt(event, key, "mids"), at(event, key, "mid")].filter((id) => typeof id === "string");
  const found: readonly Found[] = [
    ...ids.map((providerMessageId): Found => {
      const when = instantAt(event, "timestamp");
      return { type: "status", providerMessageId, status, at: when, attempt: null, failure: null };
    }),
    ...(until === null ? [] : [{ type: "watermark", status, sender, until } as const]),
  ];
  return found.length === 0 ? ["malformed"] : found;
}

function readEvent(event: unknown, accountId: string): readonly Found[] {
  const id = idAt(event, "sender", "id");
  if (at(event, "message", "is_echo") === true || id === accountId) return ["echo"];
  if (id === undefined) return ["sender"];
  const sender = senderOf(id);
  if (at(event, "postback") !== undefined) return [readPostback(event, sender)];
  if (at(event, "message") !== undefined) return [readMessage(event, sender)];
  if (at(event, "delivery") !== undefined) return readReceipt(event, "delivered", sender);
  return at(event, "read") === undefined ? ["kind"] : readReceipt(event, "read", sender);
}

function readEntry(entry: unknown, { accountId }: MessagingAccount, into: Collector): void {
  const isOurs = idAt(entry, "id") === accountId;
  const takeEvent = (event: unknown): void => {
    const found = isOurs ? readEvent(event, accountId) : (["account"] as const);
    for (const one of found) into.take(one);
  };
  into.each(listAt(entry, "messaging"), takeEvent);
  // Copies for an app that does not lead the conversation: never to be acted on.
  into.each(listAt(entry, "standby"), () => into.take("standby"));
  // The same event in another envelope.
  into.each(listAt(entry, "changes"), (change) => {
    if (textAt(change, "field") === "messaging_postbacks") takeEvent(at(change, "value"));
    else into.take("field");
  });
}

/** Reads every entry and event of a Messenger or Instagram webhook's body. */
export function readMessaging(body: unknown, account: MessagingAccount, into: Collector): void {
  if (textAt(body, "object") !== account.object) into.take("object");
  else into.each(listAt(body, "entry"), (entry) => readEntry(entry, account, into));
}
