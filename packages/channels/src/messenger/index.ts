import { type Channel, ConfigurationError } from "@countersign/core";
import { checkOptions, type Secret, secretsOf } from "../base/options.ts";
import { checkTemplates } from "../base/template.ts";
import { type GraphOptions, graphAddress } from "../meta/graph.ts";
import { type MessagingAccount, readMessaging } from "../meta/messaging-read.ts";
import { renderPrompt, textMessage } from "../meta/messaging-render.ts";
import { sendMessage } from "../meta/messaging-send.ts";
import { readMetaWebhook } from "../meta/webhook.ts";
import { tellTexts } from "../render/tell-text.ts";
import { limits } from "./limits.ts";
import { renderUtility, type UtilityTemplate } from "./template.ts";

export type { Secret } from "../base/options.ts";
export type { TemplateText } from "../base/template.ts";
export type { GraphOptions } from "../meta/graph.ts";
export type { UtilityTemplate } from "./template.ts";

/** A Facebook page. Secrets may be lists, for rotation, the newest first. */
export type MessengerOptions = GraphOptions & {
  readonly pageId: string;
  /** A page access token with `pages_messaging`. */
  readonly accessToken: Secret;
  /** Signs webhooks. */
  readonly appSecret: Secret;
  /** What was entered at Meta when the webhook's address was set up. */
  readonly verifyToken: Secret;
  /** For prompts more than 24 hours after the customer's last message. Default: none are sent then. */
  readonly utilityTemplate?: UtilityTemplate;
};

const where = "messenger()";

function checkTemplate(template: UtilityTemplate): void {
  if (!/^[a-z0-9_]{1,512}$/.test(template.name)) {
    throw new ConfigurationError(`${where} has a wrong utilityTemplate.name: write it as Meta approved it`);
  }
  checkTemplates(`${where} utilityTemplate`, template.languages, limits.prompt, limits.label);
}

/** Prompts in Messenger. Throws ConfigurationError when an option is missing or wrong. */
export function messenger(options: MessengerOptions): Channel {
  checkOptions(where, options, {
    texts: ["pageId"],
    others: ["accessToken", "appSecret", "verifyToken", "graphVersion", "graphBaseUrl", "utilityTemplate"],
  });
  const { pageId, utilityTemplate: template } = options;
  if (!/^\d+$/.test(pageId)) throw new ConfigurationError(`${where} has a wrong pageId: digits only`);
  if (template) checkTemplate(template);
  const secrets = {
    appSecrets: secretsOf(where, "appSecret", options.appSecret),
    verifyTokens: secretsOf(where, "verifyToken", options.verifyToken),
  };
  const account = {
    url: `${graphAddress(where, options, "https://graph.facebook.com")}/${pageId}`,
    accessTokens: secretsOf(where, "accessToken", options.accessToken),
  };
  const inbox: MessagingAccount = { object: "page", accountId: pageId };
  return {
    kind: "messenger",
    prompt: (card, tokens, time) =>
      time.window === "closed" && template
        ? renderUtility(card, tokens, time, template)
        : renderPrompt(card, tokens, time, limits),
    tell(said, locale) {
      const [first, ...rest] = tellTexts(said, locale, limits);
      return [textMessage(first), ...rest.map(textMessage)];
    },
    read: (request) => readMetaWebhook(request, secrets, (body, into) => readMessaging(body, inbox, into)),
    send: (to, message, context) => sendMessage(account, to, message, context),
    // Loaded when asked for: a server that asks and hears never needs it.
    async check(context) {
      const { checkPage } = await import("../meta/messaging-check.ts");
      return checkPage({ ...secrets, ...account, accountId: pageId }, context);
    },
  };
}
