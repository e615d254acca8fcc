import { type Channel, ConfigurationError } from "@countersign/core";
import { checkOptions, type Secret, secretsOf } from "../base/options.ts";
import { type GraphOptions, graphAddress } from "../meta/graph.ts";
import { type MessagingAccount, readMessaging } from "../meta/messaging-read.ts";
import { renderPrompt, textMessage } from "../meta/messaging-render.ts";
import { sendMessage } from "../meta/messaging-send.ts";
import { readMetaWebhook } from "../meta/webhook.ts";
import { tellTexts } from "../render/tell-text.ts";
import { limits } from "./limits.ts";

export type { Secret } from "../base/options.ts";
export type { GraphOptions } from "../meta/graph.ts";

/** An Instagram professional account. Secrets may be lists, for rotation, the newest first. */
export type InstagramOptions = GraphOptions & {
  /** The id of the Instagram account. */
  readonly accountId: string;
  /** `facebook`: a page's token with `instagram_manage_messages`. `instagram`: the account's own token. */
  readonly login: "facebook" | "instagram";
  readonly accessToken: Secret;
  /** Signs webhooks. With `instagram` it is the Instagram app secret, which is another one than the app's. */
  readonly appSecret: Secret;
  /** What was entered at Meta when the webhook's address was set up. */
  readonly verifyToken: Secret;
};

const where = "instagram()";

// With Facebook's login the page is the one that the token is of.
const logins: { readonly [login: string]: { readonly host: string; readonly isPage: boolean } } = {
  facebook: { host: "https://graph.facebook.com", isPage: true },
  instagram: { host: "https://graph.instagram.com", isPage: false },
};

/** Prompts in Instagram. Throws ConfigurationError when an option is missing or wrong. */
export function instagram(options: InstagramOptions): Channel {
  checkOptions(where, options, {
    texts: ["accountId", "login"],
    others: ["accessToken", "appSecret", "verifyToken", "graphVersion", "graphBaseUrl"],
  });
  const { accountId } = options;
  if (!/^\d+$/.test(accountId)) throw new ConfigurationError(`${where} has a wrong accountId: digits only`);
  const secrets = {
    appSecrets: secretsOf(where, "appSecret", options.appSecret),
    verifyTokens: secretsOf(where, "verifyToken", options.verifyToken),
  };
  const login = Object.hasOwn(logins, options.login) ? logins[options.login] : undefined;
  if (login === undefined) {
    throw new ConfigurationError(`${where} has a wrong option login: "facebook" or "instagram"`);
  }
  const account = {
    url: `${graphAddress(where, options, login.host)}/${login.isPage ? "me" : accountId}`,
    accessTokens: secretsOf(where, "accessToken", options.accessToken),
  };
  const inbox: MessagingAccount = { object: "instagram", accountId };
  return {
    kind: "instagram",
    prompt: (card, tokens, time) => renderPrompt(card, tokens, time, limits),
    tell(said, locale) {
      const [first, ...rest] = tellTexts(said, locale, limits);
      return [textMessage(first), ...rest.map(textMessage)];
    },
    read: (request) => readMetaWebhook(request, secrets, (body, into) => readMessaging(body, inbox, into)),
    send: (to, message, context) => sendMessage(account, to, message, context),
    // Loaded when asked for: a server that asks and hears never needs it.
    async check(context) {
      const { checkInstagram, checkInstagramPage } = await import("../meta/messaging-check.ts");
      return (login.isPage ? checkInstagramPage : checkInstagram)(
        { ...options, ...secrets, ...account },
        context,
      );
    },
  };
}
