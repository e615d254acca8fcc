import type { JsonObject, OutboundMessage, Prompt, PromptTime, PromptTokens } from "@countersign/core";
import type { FrozenCard } from "@countersign/core/card";
import { pickTemplate, type TemplateText } from "../base/template.ts";
import { promptTexts, templateText } from "../render/prompt-text.ts";
import { limits } from "./limits.ts";

/** A template of category UTILITY with two quick replies, approved by Meta, for prompts outside the 24 hours. */
export type WhatsAppTemplate = {
  readonly name: string;
  /** By Meta's language code, such as `en` or `pt_BR`. */
  readonly languages: { readonly [code: string]: TemplateText };
};

/** A plain message. */
export function textMessage(text: string): OutboundMessage {
  return { kind: "text", text, body: { type: "text", text: { body: text, preview_url: false } } };
}

function buttonMessage(text: string, card: FrozenCard, tokens: PromptTokens): OutboundMessage {
  const button = (id: string, title: string): JsonObject => ({ type: "reply", reply: { id, title } });
  const buttons = [button(tokens.confirm, card.confirmLabel), button(tokens.decline, card.declineLabel)];
  return {
    kind: "prompt",
    text,
    body: { type: "interactive", interactive: { type: "button", body: { text }, action: { buttons } } },
  };
}

function templateMessage(
  card: FrozenCard,
  tokens: PromptTokens,
  time: PromptTime,
  template: WhatsAppTemplate,
): Prompt {
  const picked = pickTemplate(template.languages, card.locale);
  if (picked === undefined) return { kind: "window_closed" };
  const [code, { text: frame, confirmLabel, declineLabel }] = picked;
  const buttons = { confirm: confirmLabel, decline: declineLabel };
  const { prompt: limit, label, markup } = limits;
  const rendered = templateText(card, time, { frame, limit, label, markup, buttons });
  if (rendered.kind !== "text") return rendered;
  const button = (index: string, payload: string): JsonObject => ({
    type: "button",
    sub_type: "quick_reply",
    index,
    parameters: [{ type: "payload", payload }],
  });
  const components = [
    { type: "body", parameters: [{ type: "text", text: rendered.variable }] },
    button("0", tokens.confirm),
    button("1", tokens.decline),
  ];
  const body = { type: "template", template: { name: template.name, language: { code }, components } };
  return { kind: "messages", messages: [{ kind: "prompt", text: rendered.text, body }] };
}

/** A card as the messages that ask it. */
export function renderPrompt(
  card: FrozenCard,
  tokens: PromptTokens,
  time: PromptTime,
  template: WhatsAppTemplate | undefined,
): Prompt {
  if (time.window === "closed") {
    return template ? templateMessage(card, tokens, time, template) : { kind: "window_closed" };
  }
  const texts = promptTexts(card, time, limits);
  if (texts.kind !== "texts") return texts;
  const prompt = buttonMessage(texts.prompt, card, tokens);
  const [first, ...rest] = texts.details.map(textMessage);
  return { kind: "messages", messages: first ? [first, ...rest, prompt] : [prompt] };
}
