import { parsePromptToken, type Sender } from "@countersign/core";
import type { Collector, Found } from "../base/collect.ts";
import { derivedId } from "../base/secret.ts";
import { at, idAt, instantAt, listAt, present, textAt } from "../base/walk.ts";
import { graphFailure } from "../meta/graph.ts";
import { meaningOf } from "./errors.ts";
import { isBusinessScopedId, isPhoneId, spellingsOf } from "./ids.ts";

// Contacts are matched by id: their order says nothing.
function contactOf(message: unknown, contacts: readonly unknown[]): unknown {
  const userId = idAt(message, "from_user_id");
  const from = idAt(message, "from");
  return (
    contacts.find((contact) => userId !== undefined && idAt(contact, "user_id") === userId) ??
    contacts.find((contact) => from !== undefined && idAt(contact, "wa_id") === from)
  );
}

function senderOf(message: unknown, contacts: readonly unknown[]): Sender | undefined {
  const contact = contactOf(message, contacts);
  const from = idAt(message, "from");
  const userId = idAt(message, "from_user_id") ?? idAt(contact, "user_id");
  const aliases = present([
    from,
    userId,
    idAt(message, "from_parent_user_id"),
    idAt(contact, "wa_id"),
    idAt(contact, "parent_user_id"),
  ]);
  const address = from ?? userId;
  if (address === undefined) return undefined;
  const phone = aliases.find(isPhoneId) ?? null;
  return {
    address,
    aliases,
    spellings: phone === null ? [] : spellingsOf(phone),
    phone,
    userId: userId ?? aliases.find(isBusinessScopedId) ?? null,
  };
}

type Arrived = { readonly messageId: string; readonly at: number | null };

function readSystem(message: unknown, arrived: Arrived): Found {
  const kind = textAt(message, "system", "type");
  if (kind !== "user_changed_number" && kind !== "user_changed_user_id") return "kind";
  const former = present([idAt(message, "from"), idAt(message, "from_user_id")]);
  const current = present([idAt(message, "system", "wa_id"), idAt(message, "system", "user_id")]);
  return former.length === 0 ? "sender" : { type: "identity_changed", ...arrived, former, current };
}

// A button of a session message comes as `interactive`, one of a template as `button`.
function tapOf(message: unknown): { readonly payload: string; readonly label: string | null } | undefined {
  const [payload, label] =
    textAt(message, "type") === "button"
      ? [textAt(message, "button", "payload"), textAt(message, "button", "text")]
      : [
          textAt(message, "interactive", "button_reply", "id"),
          textAt(message, "interactive", "button_reply", "title"),
        ];
  return payload === undefined ? undefined : { payload, label: label ?? null };
}

function readMessage(message: unknown, contacts: readonly unknown[]): Found {
  const messageId = idAt(message, "id");
  if (messageId === undefined) return "malformed";
  const arrived: Arrived = { messageId, at: instantAt(message, "timestamp") };
  const type = textAt(message, "type");
  if (type === "system") return readSystem(message, arrived);
  const sender = senderOf(message, contacts);
  if (sender === undefined) return "sender";
  const providerMessageId = idAt(message, "context", "id") ?? null;
  if (type === "text") {
    const text = textAt(message, "text", "body");
    if (text === undefined) return "malformed";
    return { type: "message", ...arrived, sender, text, providerMessageId };
  }
  const tap = type === "interactive" || type === "button" ? tapOf(message) : undefined;
  if (tap === undefined) return "kind";
  const token = parsePromptToken(tap.payload) ? tap.payload : null;
  return { type: "tap", ...arrived, sender, token, ...tap, providerMessageId };
}

function readStatus(item: unknown): Found {
  const providerMessageId = idAt(item, "id");
  const status = textAt(item, "status");
  if (providerMessageId === undefined) return "malformed";
  if (status !== "sent" && status !== "delivered" && status !== "read" && status !== "failed") {
    return "status";
  }
  return {
    type: "status",
    providerMessageId,
    status,
    at: instantAt(item, "timestamp"),
    attempt: textAt(item, "biz_opaque_callback_data") ?? null,
    failure: status === "failed" ? graphFailure(listAt(item, "errors")[0], 0, meaningOf) : null,
  };
}

function readUserIdUpdate(item: unknown): Found {
  const former = present([idAt(item, "user_id", "previous")]);
  const current = present([idAt(item, "user_id", "current")]);
  if (former.length === 0) return "malformed";
  const when = idAt(item, "timestamp") ?? "";
  return {
    type: "identity_changed",
    messageId: derivedId("user_id_update", ...former, ...current, when),
    at: instantAt(item, "timestamp"),
    former,
    current,
  };
}

function readChange(change: unknown, phoneNumberId: string, into: Collector): void {
  const field = textAt(change, "field");
  const value = at(change, "value");
  const contacts = listAt(value, "contacts");
  if (field !== "messages" && field !== "user_id_update") into.take("field");
  else if (idAt(value, "metadata", "phone_number_id") !== phoneNumberId) into.take("account");
  else {
    into.each(listAt(value, "messages"), (message) => into.take(readMessage(message, contacts)));
    into.each(listAt(value, "statuses"), (status) => into.take(readStatus(status)));
    into.each(listAt(value, "user_id_update"), (update) => into.take(readUserIdUpdate(update)));
    into.each(listAt(value, "errors"), (error) =>
      into.take({ type: "account_trouble", failure: graphFailure(error, 0, meaningOf) }),
    );
  }
}

/** Reads every entry, change, message and status of a WhatsApp webhook's body. */
export function readWhatsApp(body: unknown, phoneNumberId: string, into: Collector): void {
  if (textAt(body, "object") !== "whatsapp_business_account") into.take("object");
  else {
    into.each(listAt(body, "entry"), (entry) =>
      into.each(listAt(entry, "changes"), (change) => readChange(change, phoneNumberId, into)),
    );
  }
}
