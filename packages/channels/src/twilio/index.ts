import { type Channel, ConfigurationError } from "@countersign/core";
import { addressOf, checkOptions, type Secret, secretsOf } from "../base/options.ts";
import { checkTemplates } from "../base/template.ts";
import { tellTexts } from "../render/tell-text.ts";
import { limits } from "./limits.ts";
import { readTwilio } from "./read.ts";
import { type ContentTemplate, renderPrompt, textMessage } from "./render.ts";
import { clientOf, sendMessage } from "./send.ts";

export type { Secret } from "../base/options.ts";
export type { TemplateText } from "../base/template.ts";
export type { ContentTemplate } from "./render.ts";

/** A WhatsApp sender at Twilio. Secrets may be lists, for rotation, the newest first. */
export type TwilioOptions = {
  /** `AC` and 32 hexadecimal digits. */
  readonly accountSid: string;
  /** Sends, and signs webhooks unless there is a shared key. */
  readonly authToken: Secret;
  /** Signs webhooks where Twilio was told so; then every request must be signed with it. */
  readonly sharedKey?: Secret;
  /** The sender, `whatsapp:+` and its digits. */
  readonly from: string;
  /** Under which address Twilio reaches this server, without the path of the webhook. */
  readonly publicUrl: string;
  /** Stands in place of every address of Twilio, for tests: its host becomes the first part of the path. */
  readonly baseUrl?: string;
  /** For prompts more than 24 hours after the customer's last message. Default: none are sent then. */
  readonly contentTemplate?: ContentTemplate;
};

const where = "twilio()";

function checkTemplate(template: ContentTemplate): void {
  checkTemplates(`${where} contentTemplate`, template.languages, limits.prompt, limits.label);
  for (const [code, { contentSid }] of Object.entries(template.languages)) {
    if (!/^HX[0-9a-fA-F]{32}$/.test(contentSid)) {
      throw new ConfigurationError(
        `${where} has a wrong contentTemplate.languages.${code}.contentSid: HX and 32 hexadecimal digits`,
      );
    }
  }
}

/**
 * Prompts in WhatsApp through Twilio. Throws ConfigurationError when an option is missing or wrong.
 *
 * Messenger through Twilio hands back only a button's text, never its id: no decision can be taken there.
 */
export function twilio(options: TwilioOptions): Channel {
  checkOptions(where, options, {
    texts: ["accountSid", "from", "publicUrl"],
    others: ["authToken", "sharedKey", "baseUrl", "contentTemplate"],
  });
  const { accountSid, from, contentTemplate: template } = options;
  if (!/^AC[0-9a-fA-F]{32}$/.test(accountSid)) {
    throw new ConfigurationError(`${where} has a wrong accountSid: AC and 32 hexadecimal digits`);
  }
  if (!/^whatsapp:\+[1-9]\d{5,14}$/.test(from)) {
    throw new ConfigurationError(`${where} has a wrong from: write it as whatsapp:+ and the digits`);
  }
  if (template) checkTemplate(template);
  const authTokens = secretsOf(where, "authToken", options.authToken);
  const sharedKeys =
    options.sharedKey === undefined ? null : secretsOf(where, "sharedKey", options.sharedKey);
  const publicUrl = addressOf(where, "publicUrl", options.publicUrl);
  const baseUrl = options.baseUrl === undefined ? null : addressOf(where, "baseUrl", options.baseUrl);
  const sender = { client: clientOf(accountSid, authTokens[0], baseUrl), from, publicUrl };
  return {
    kind: "whatsapp",
    prompt: (card, tokens, time) => renderPrompt(card, tokens, time, template),
    tell(said, locale) {
      const [first, ...rest] = tellTexts(said, locale, limits);
      return [textMessage(first), ...rest.map(textMessage)];
    },
    read: (request) => readTwilio(request, { authTokens, sharedKeys, publicUrl }, { accountSid, from }),
    send: (to, message, context) => sendMessage(sender, to, message, context),
    // Loaded when asked for: a server that asks and hears never needs it.
    async check(context) {
      const { checkTwilio } = await import("./check.ts");
      return await checkTwilio(sender, context);
    },
  };
}
