import { parsed } from "../json.ts";
import { graphError, noSuchObject } from "../meta/error.ts";
import { graphPath, refusedToken, tokenOf } from "../meta/graph.ts";
import { metaHook, metaRetries, verifyMeta } from "../meta/hook.ts";
import type { Platform, Surroundings } from "../platform.ts";
import type { ApiAnswer } from "../wire.ts";
import type { WhatsAppAccount } from "./account.ts";
import { readWhatsAppMessage } from "./message.ts";
import { whatsappActs, whatsappStatus } from "./webhook.ts";

const troubles: { readonly [trouble in Parameters<Platform["answerTo"]>[0]]: ApiAnswer } = {
  busy: graphError({
    code: 130429,
    message: "Rate limit hit",
    status: 429,
    details: "Message failed to send.",
  }),
  broken: graphError({ code: 131016, message: "Service unavailable", status: 500 }),
  window_closed: graphError({
    code: 131047,
    message: "Re-engagement message",
    details: "More than 24 hours have passed since the recipient last replied.",
  }),
  unknown_receiver: graphError({
    code: 131030,
    message: "Recipient phone number not in allowed list",
    details: "Recipient phone number not in allowed list",
  }),
  undeliverable: graphError({ code: 131026, message: "Message undeliverable" }),
};

/** The WhatsApp Cloud API for one business number. */
export function whatsappPlatform(account: WhatsAppAccount, around: Surroundings): Platform {
  const fields = account.fields ?? ["messages", "user_id_update"];
  const hook = (value: object) =>
    fields.includes("messages") ? metaHook(around.hookUrl(), account.appSecret, value) : undefined;
  const nodes = [account.phoneNumberId, account.businessAccountId];
  return {
    name: "whatsapp",
    retries: metaRetries,
    failsLater: true,
    claims(request) {
      const path = graphPath(request.path);
      return path !== undefined && (nodes.includes(path.node) || tokenOf(request) === account.accessToken);
    },
    refused: (request) => refusedToken(request, account, around),
    read(request) {
      const { node = "", edge = "" } = graphPath(request.path) ?? {};
      if (request.method !== "POST" || node !== account.phoneNumberId || edge !== "messages") {
        return { answer: noSuchObject(node, request.method === "POST" ? "post" : "get") };
      }
      return readWhatsAppMessage(parsed(request.body), account.templates ?? []);
    },
    answerTo: (trouble) => troubles[trouble],
    accepted({ to }, id, chat) {
      const ids = /^\d+$/.test(to) ? { wa_id: to } : { user_id: chat?.userId ?? to };
      const contacts = [{ input: to, ...ids }];
      return { status: 200, json: { messaging_product: "whatsapp", contacts, messages: [{ id }] } };
    },
    chatIdOf: (to) => to,
    newId: (from) => `wamid.${from === "business" ? "OUT" : "IN"}${String(around.count()).padStart(8, "0")}`,
    heard: (act, message, chat) => hook(whatsappActs(account, act, message, chat)),
    told(told, id, message, chat) {
      return hook(whatsappStatus(account, told, { id, at: around.clock.now(), message, chat }));
    },
    seen(messages, chat) {
      return messages.flatMap(({ id }) => {
        const message = chat.sent.get(id);
        if (message === undefined) return [];
        const about = { id, at: around.clock.now(), message, chat };
        return hook(whatsappStatus(account, { status: "read" }, about)) ?? [];
      });
    },
    echo: () => undefined,
    verify: (hookUrl) => verifyMeta(hookUrl, account.verifyToken),
  };
}
