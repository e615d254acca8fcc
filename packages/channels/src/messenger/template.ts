import type { JsonObject, Prompt, PromptTime, PromptTokens } from "@countersign/core";
import type { FrozenCard } from "@countersign/core/card";
import { pickTemplate, type TemplateText } from "../base/template.ts";
import { templateText } from "../render/prompt-text.ts";
import { limits } from "./limits.ts";

/** A utility message template with two postback buttons, approved by Meta, for prompts outside the 24 hours. */
export type UtilityTemplate = {
  readonly name: string;
  /** By Meta's language code, such as `en` or `pt_BR`. */
  readonly languages: { readonly [code: string]: TemplateText };
};

/** A card as a utility message. Meta, "Send a utility message" (13 Mar 2026). */
export function renderUtility(
  card: FrozenCard,
  tokens: PromptTokens,
  time: PromptTime,
  template: UtilityTemplate,
): Prompt {
  const picked = pickTemplate(template.languages, card.locale);
  if (picked === undefined) return { kind: "window_closed" };
  const [code, { text: frame, confirmLabel, declineLabel }] = picked;
  const buttons = { confirm: confirmLabel, decline: declineLabel };
  const { prompt: limit, label, markup } = limits;
  const rendered = templateText(card, time, { frame, limit, label, markup, buttons });
  if (rendered.kind !== "text") return rendered;
  const postback = (payload: string): JsonObject => ({ type: "POSTBACK", payload });
  const components = [
    { type: "body", parameters: [{ type: "text", text: rendered.variable }] },
    { type: "buttons", parameters: [postback(tokens.confirm), postback(tokens.decline)] },
  ];
  const message = { template: { name: template.name, language: { code }, components } };
  const body = { messaging_type: "UTILITY", message };
  return { kind: "messages", messages: [{ kind: "prompt", text: rendered.text, body }] };
}
