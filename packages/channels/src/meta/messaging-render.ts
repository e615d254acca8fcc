import type { JsonObject, OutboundMessage, Prompt, PromptTime, PromptTokens } from "@countersign/core";
import type { FrozenCard } from "@countersign/core/card";
import type { Limits } from "../render/limits.ts";
import { promptTexts } from "../render/prompt-text.ts";

// Always an answer within the 24 hours: Meta's tags for anything later ended on 27 April 2026, and the one that is left
// is for people, not for programs.
function response(message: JsonObject): JsonObject {
  return { messaging_type: "RESPONSE", message };
}

/** A plain message. */
export function textMessage(text: string): OutboundMessage {
  return { kind: "text", text, body: response({ text }) };
}

function buttonMessage(text: string, card: FrozenCard, tokens: PromptTokens): OutboundMessage {
  const button = (title: string, payload: string): JsonObject => ({ type: "postback", title, payload });
  const buttons = [button(card.confirmLabel, tokens.confirm), button(card.declineLabel, tokens.decline)];
  const payload = { template_type: "button", text, buttons };
  return { kind: "prompt", text, body: response({ attachment: { type: "template", payload } }) };
}

/** A card as the messages that ask it, within the 24 hours. A postback cannot be made by typing, a quick reply's text can. */
export function renderPrompt(
  card: FrozenCard,
  tokens: PromptTokens,
  time: PromptTime,
  limits: Limits,
): Prompt {
  if (time.window === "closed") return { kind: "window_closed" };
  const texts = promptTexts(card, time, limits);
  if (texts.kind !== "texts") return texts;
  const prompt = buttonMessage(texts.prompt, card, tokens);
  const [first, ...rest] = texts.details.map(textMessage);
  return { kind: "messages", messages: first ? [first, ...rest, prompt] : [prompt] };
}
