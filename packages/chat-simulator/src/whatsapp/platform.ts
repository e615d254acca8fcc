import { parsed } from "../json.ts";
import { aboutApp, activeFields, appSubscription, found, signingSecret } from "../meta/app.ts";
import { graphError, noSuchObject } from "../meta/error.ts";
import { graphPath, isAppToken, refusedToken, tokenOf } from "../meta/graph.ts";
import { metaHook, metaRetries, verifyMeta } from "../meta/hook.ts";
import { hasFault, type Platform, type Surroundings } from "../platform.ts";
import type { ApiAnswer, ApiRequest } from "../wire.ts";
import type { WhatsAppAccount } from "./account.ts";
import { readWhatsAppMessage } from "./message.ts";
import { whatsappActs, whatsappRenamed, whatsappStatus } from "./webhook.ts";

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
  const fields = () =>
    activeFields(account.fields ?? ["messages", "user_id_update"], "user_id_update", around);
  const hook = (value: object, field = "messages") =>
    fields().includes(field) ? metaHook(around.hookUrl(), signingSecret(account, around), value) : undefined;
  const nodes = [account.phoneNumberId, account.businessAccountId];
  const has = (fault: Parameters<typeof hasFault>[1]): boolean => hasFault(around.switches.now(), fault);

  function look(request: ApiRequest): ApiAnswer {
    const { node = "", edge = "" } = graphPath(request.path) ?? {};
    const about = aboutApp(request, account, around);
    if (about) return about;
    if (node === account.phoneNumberId && edge === "" && !has("account")) {
      const own = appSubscription(account.appId, "", [], around);
      const webhook_configuration = own && { application: own.callbackUrl };
      return found({ id: node, display_phone_number: account.displayPhoneNumber, webhook_configuration });
    }
    if (node === account.businessAccountId && edge === "phone_numbers") {
      return found({ data: has("other_account") ? [] : [{ id: account.phoneNumberId }] });
    }
    if (node === account.businessAccountId && edge === "subscribed_apps") {
      const app = { whatsapp_business_api_data: { id: account.appId, name: "The shop's app" } };
      return found({ data: has("subscription") ? [] : [app] });
    }
    return noSuchObject(node, "get");
  }

  return {
    name: "whatsapp",
    retries: metaRetries,
    failsLater: true,
    claims(request) {
      const path = graphPath(request.path);
      const token = tokenOf(request);
      const isKnown = token === account.accessToken || isAppToken(token, account);
      return path !== undefined && (nodes.includes(path.node) || isKnown);
    },
    refused: (request) => refusedToken(request, account, around),
    read(request) {
      const { node = "", edge = "" } = graphPath(request.path) ?? {};
      if (request.method !== "POST") return { answer: look(request) };
      if (node !== account.phoneNumberId || edge !== "messages") {
        return { answer: noSuchObject(node, "post") };
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
    renamed: (former, chat) =>
      hook(whatsappRenamed(account, former, chat, around.clock.now()), "user_id_update"),
    echo: () => undefined,
    subscription: () => appSubscription(account.appId, "whatsapp_business_account", fields(), around),
    verify: (hookUrl) => verifyMeta(hookUrl, account.verifyToken),
  };
}
