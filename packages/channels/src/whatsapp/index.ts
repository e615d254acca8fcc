import { type Channel, ConfigurationError } from "@countersign/core";
import { checkOptions, type Secret, secretsOf } from "../base/options.ts";
import { checkTemplates } from "../base/template.ts";
import { type GraphOptions, graphAddress } from "../meta/graph.ts";
import { readMetaWebhook } from "../meta/webhook.ts";
import { tellTexts } from "../render/tell-text.ts";
import { limits } from "./limits.ts";
import { readWhatsApp } from "./read.ts";
import { renderPrompt, textMessage, type WhatsAppTemplate } from "./render.ts";
import { sendMessage } from "./send.ts";

export type { Secret } from "../base/options.ts";
export type { TemplateText } from "../base/template.ts";
export type { GraphOptions } from "../meta/graph.ts";
export type { WhatsAppTemplate } from "./render.ts";

/** A business number on Meta's WhatsApp Cloud API. Secrets may be lists, for rotation, the newest first. */
export type WhatsAppOptions = GraphOptions & {
  /** The id of the number, not the number. */
  readonly phoneNumberId: string;
  /** The id of the WhatsApp Business account that the number belongs to: only to check the setup. */
  readonly businessAccountId?: string;
  readonly accessToken: Secret;
  /** Signs webhooks. */
  readonly appSecret: Secret;
  /** What was entered at Meta when the webhook's address was set up. */
  readonly verifyToken: Secret;
  /** For prompts more than 24 hours after the customer's last message. Default: none are sent then. */
  readonly template?: WhatsAppTemplate;
};

const where = "whatsapp()";

function checkTemplate(template: WhatsAppTemplate): void {
  if (!/^[a-z0-9_]{1,512}$/.test(template.name)) {
    throw new ConfigurationError(`${where} has a wrong template.name: write it as Meta approved it`);
  }
  checkTemplates(`${where} template`, template.languages, limits.prompt, limits.label);
}

/** Prompts in WhatsApp. Throws ConfigurationError when an option is missing or wrong. */
export function whatsapp(options: WhatsAppOptions): Channel {
  checkOptions(where, options, {
    texts: ["phoneNumberId"],
    others: [
      "businessAccountId",
      "accessToken",
      "appSecret",
      "verifyToken",
      "graphVersion",
      "graphBaseUrl",
      "template",
    ],
  });
  const { phoneNumberId, template } = options;
  if (!/^\d+$/.test(phoneNumberId)) {
    throw new ConfigurationError(`${where} has a wrong phoneNumberId: digits only`);
  }
  if (template) checkTemplate(template);
  const secrets = {
    appSecrets: secretsOf(where, "appSecret", options.appSecret),
    verifyTokens: secretsOf(where, "verifyToken", options.verifyToken),
  };
  const account = {
    url: `${graphAddress(where, options, "https://graph.facebook.com")}/${phoneNumberId}`,
    accessTokens: secretsOf(where, "accessToken", options.accessToken),
  };
  return {
    kind: "whatsapp",
    prompt: (card, tokens, time) => renderPrompt(card, tokens, time, template),
    tell(said, locale) {
      const [first, ...rest] = tellTexts(said, locale, limits);
      return [textMessage(first), ...rest.map(textMessage)];
    },
    read: (request) =>
      readMetaWebhook(request, secrets, (body, into) => readWhatsApp(body, phoneNumberId, into)),
    send: (to, message, context) => sendMessage(account, to, message, context),
    // Loaded when asked for: a server that asks and hears never needs it.
    async check(context) {
      const { checkWhatsApp } = await import("./check.ts");
      return checkWhatsApp({ ...options, ...secrets, ...account }, context);
    },
  };
}
