import { parsed, textAt } from "../json.ts";
import { aboutApp, activeFields, appSubscription, found, signingSecret } from "../meta/app.ts";
import { graphError, noSuchObject } from "../meta/error.ts";
import { type GraphKeys, graphPath, isAppToken, refusedToken, tokenOf } from "../meta/graph.ts";
import { metaHook, metaRetries, verifyMeta } from "../meta/hook.ts";
import { hasFault, type Platform, type Surroundings } from "../platform.ts";
import type { ApprovedTemplate } from "../whatsapp/account.ts";
import type { ApiAnswer, ApiRequest } from "../wire.ts";
import { type MessagingLimits, readMessagingMessage } from "./message.ts";
import { actOf, type Inbox, type MessagingEvent, messagingBody } from "./webhook.ts";

/** In what Messenger and Instagram differ. */
export type Messaging = {
  readonly name: "messenger" | "instagram";
  readonly keys: GraphKeys & { readonly verifyToken: string };
  readonly inbox: Inbox;
  /** Nodes of the Graph API that stand for this account. */
  readonly nodes: readonly string[];
  readonly fields: readonly string[];
  readonly limits: MessagingLimits;
  readonly templates: readonly ApprovedTemplate[] | undefined;
  readonly idPrefix: string;
  readonly answers: { readonly window_closed: ApiAnswer; readonly unknown_receiver: ApiAnswer };
  /** Tells that messages were delivered or read; undefined where the platform has no such event. */
  readonly receipt: (
    what: "delivered" | "read",
    mids: readonly string[],
    at: number,
  ) => Pick<MessagingEvent, "field" | "what"> | undefined;
  /** What `me` is, for the id of an account. */
  readonly me: (accountId: string) => object;
  /** The field that copies of sent messages belong to. */
  readonly echoField: string;
};

const busy = graphError({ code: 613, message: "Calls to this api have exceeded the rate limit." });
const broken = graphError({
  code: 2,
  message: "An unexpected error has occurred. Please retry your request later.",
  status: 500,
});

/** The Send API and the webhooks of one page or Instagram account. */
export function messagingPlatform(own: Messaging, around: Surroundings): Platform {
  const { keys, inbox } = own;
  const fields = () => activeFields(own.fields, "messaging_postbacks", around);
  const has = (fault: Parameters<typeof hasFault>[1]): boolean => hasFault(around.switches.now(), fault);
  const hook = (event: MessagingEvent) =>
    fields().includes(event.field)
      ? metaHook(around.hookUrl(), signingSecret(keys, around), messagingBody(inbox, event))
      : undefined;

  function look(request: ApiRequest): ApiAnswer {
    const { node = "", edge = "" } = graphPath(request.path) ?? {};
    const about = aboutApp(request, keys, around);
    if (about) return about;
    const isOurs = [...own.nodes, "me"].includes(node) && !has("account");
    if (isOurs && edge === "") return found(own.me(has("other_account") ? "9009009" : inbox.accountId));
    if (isOurs && edge === "subscribed_apps") {
      const app = { id: keys.appId, name: "The shop's app", subscribed_fields: fields() };
      return found({ data: has("subscription") ? [] : [app] });
    }
    return noSuchObject(node, "get");
  }

  return {
    name: own.name,
    retries: metaRetries,
    failsLater: false,
    claims(request) {
      const { node } = graphPath(request.path) ?? {};
      const token = tokenOf(request);
      const isKnown = token === keys.accessToken || isAppToken(token, keys);
      return node !== undefined && (own.nodes.includes(node) || isKnown);
    },
    refused: (request) => refusedToken(request, keys, around),
    read(request) {
      const { node = "", edge = "" } = graphPath(request.path) ?? {};
      if (request.method !== "POST") return { answer: look(request) };
      if (edge !== "messages" || ![...own.nodes, "me"].includes(node)) {
        return { answer: noSuchObject(node, "post") };
      }
      return readMessagingMessage(parsed(request.body), own.limits, own.templates);
    },
    answerTo: (trouble) =>
      ({ busy, broken, undeliverable: own.answers.unknown_receiver, ...own.answers })[trouble],
    accepted: ({ to }, id) => ({ status: 200, json: { recipient_id: to, message_id: id } }),
    chatIdOf: (to) => to,
    newId: (from) =>
      `${own.idPrefix}${from === "business" ? "out" : "in"}_${String(around.count()).padStart(8, "0")}`,
    heard(act, message, chat) {
      const sent = act.type === "tap" ? chat.sent.get(act.messageId) : undefined;
      const event = actOf(act, message, sent?.quickReplies ?? false);
      return hook({ ...event, from: chat.id, to: inbox.accountId, at: message.at });
    },
    told({ status }, id, _, chat) {
      // There is no webhook for a message that was only sent, nor for one that failed.
      const at = around.clock.now();
      const event = status === "delivered" && chat ? own.receipt("delivered", [id], at) : undefined;
      return event && chat && hook({ ...event, from: chat.id, to: inbox.accountId, at });
    },
    seen(messages, chat) {
      const at = around.clock.now();
      const mids = messages.map(({ id }) => id);
      const event = own.receipt("read", mids, at);
      const one = event && hook({ ...event, from: chat.id, to: inbox.accountId, at });
      return one ? [one] : [];
    },
    renamed: () => undefined,
    echo({ id: mid, text, at }, chat) {
      const what = { message: { mid, text, is_echo: true, app_id: Number(keys.appId) } };
      return hook({ field: own.echoField, from: inbox.accountId, to: chat.id, at, what });
    },
    subscription: () => appSubscription(keys.appId, inbox.object, fields(), around),
    verify: (hookUrl) => verifyMeta(hookUrl, keys.verifyToken),
  };
}

/** The receiver that a request names, to tell two accounts with one token apart. */
export function receiverOf(body: string): string | undefined {
  return textAt(parsed(body), "recipient", "id");
}
