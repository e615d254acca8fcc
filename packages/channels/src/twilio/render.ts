import { createHash } from "node:crypto";
import type { JsonObject, OutboundMessage, Prompt, PromptTime, PromptTokens } from "@countersign/core";
import type { FrozenCard } from "@countersign/core/card";
import { pickTemplate, type TemplateText } from "../base/template.ts";
import { promptTexts, templateText } from "../render/prompt-text.ts";
import { limits, mostVariables } from "./limits.ts";

/**
 * An approved content for prompts outside the 24 hours, of type quick reply: variable 1 is the decision, 2 the id of the
 * first button, 3 that of the second.
 */
export type ContentTemplate = {
  /** By language code, such as `en` or `pt_BR`. */
  readonly languages: { readonly [code: string]: TemplateText & { readonly contentSid: string } };
};

/** What a message is to Twilio, as kept in the body of an outbound message. */
export type TwilioBody =
  | { readonly text: string }
  | { readonly contentSid: string; readonly variables: { readonly [name: string]: string } }
  | {
      readonly content: JsonObject;
      readonly hash: string;
      readonly variables: { readonly [name: string]: string };
    };

/** A plain message. */
export function textMessage(text: string): OutboundMessage {
  return { kind: "text", text, body: { text } satisfies TwilioBody };
}

/**
 * A prompt as content with a variable for each line, so that one content serves all prompts of as many lines with the
 * same labels: what is registered at Twilio holds nothing of a customer, and no variable holds a line break.
 */
function contentMessage(text: string, card: FrozenCard, tokens: PromptTokens): OutboundMessage | undefined {
  const values: string[] = [];
  const place = (value: string): string => {
    values.push(value);
    return `{{${values.length}}}`;
  };
  const body = text
    .split("\n")
    .map((line) => (line === "" ? "" : place(line)))
    .join("\n");
  const action = (title: string, id: string): JsonObject => ({ type: "QUICK_REPLY", title, id: place(id) });
  const actions = [action(card.confirmLabel, tokens.confirm), action(card.declineLabel, tokens.decline)];
  if (values.length > mostVariables) return undefined;
  const numbered = (show: (value: string) => string): { readonly [name: string]: string } =>
    Object.fromEntries(values.map((value, index) => [String(index + 1), show(value)]));
  // The names are those on the wire: Twilio's own types write others, which its API does not know.
  const definition = {
    language: card.locale.split("-")[0] ?? "en",
    variables: numbered(() => "text"),
    types: { "twilio/quick-reply": { body, actions } },
  };
  const hash = createHash("sha256").update(JSON.stringify(definition)).digest("hex");
  const content = { friendly_name: `countersign_${hash.slice(0, 16)}`, ...definition };
  return { kind: "prompt", text, body: { content, hash, variables: numbered((value) => value) } };
}

function templateMessage(
  card: FrozenCard,
  tokens: PromptTokens,
  time: PromptTime,
  template: ContentTemplate,
): Prompt {
  const picked = pickTemplate(template.languages, card.locale);
  if (picked === undefined) return { kind: "window_closed" };
  const [, { text: frame, confirmLabel, declineLabel, contentSid }] = picked;
  const buttons = { confirm: confirmLabel, decline: declineLabel };
  const { prompt: limit, label, markup } = limits;
  const rendered = templateText(card, time, { frame, limit, label, markup, buttons });
  if (rendered.kind !== "text") return rendered;
  const variables = { "1": rendered.variable, "2": tokens.confirm, "3": tokens.decline };
  const body: JsonObject = { contentSid, variables };
  return { kind: "messages", messages: [{ kind: "prompt", text: rendered.text, body }] };
}

/** A card as the messages that ask it. */
export function renderPrompt(
  card: FrozenCard,
  tokens: PromptTokens,
  time: PromptTime,
  template: ContentTemplate | undefined,
): Prompt {
  if (time.window === "closed") {
    return template ? templateMessage(card, tokens, time, template) : { kind: "window_closed" };
  }
  const texts = promptTexts(card, time, limits);
  if (texts.kind !== "texts") return texts;
  const prompt = contentMessage(texts.prompt, card, tokens);
  if (prompt === undefined) {
    const length = texts.prompt.split("\n").length;
    return { kind: "confirmation_too_long", part: "prompt", limit: mostVariables - 2, length, unit: "lines" };
  }
  const [first, ...rest] = texts.details.map(textMessage);
  return { kind: "messages", messages: first ? [first, ...rest, prompt] : [prompt] };
}
