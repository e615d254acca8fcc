import { at, listAt, textAt } from "../json.ts";
import { graphError } from "../meta/error.ts";
import { fillTemplate } from "../meta/template.ts";
import { type Button, type Outgoing, plainText } from "../platform.ts";
import type { ApprovedTemplate } from "../whatsapp/account.ts";
import type { ApiAnswer } from "../wire.ts";

type Content = Pick<Outgoing, "kind" | "text" | "buttons" | "template" | "quickReplies">;

/** What a platform takes; lengths in UTF-16 units unless they are called bytes. */
export type MessagingLimits = {
  readonly text: number;
  readonly textUnit: "characters" | "bytes";
  readonly quickReplyTitle: "refused" | "cut";
};

const bytes = (text: string): number => Buffer.byteLength(text, "utf8");
const invalid = (message: string): ApiAnswer => graphError({ code: 100, message });

function wrongText(text: string | undefined, name: string, most: number, unit: "characters" | "bytes") {
  if (text === undefined || text.trim() === "") return invalid(`Param ${name} must be a non-empty string`);
  const length = unit === "bytes" ? bytes(text) : text.length;
  return length > most ? invalid(`Length of param ${name} must be less than or equal to ${most}`) : undefined;
}

function wrongButtons(buttons: readonly Button[], most: number): ApiAnswer | undefined {
  if (buttons.length < 1 || buttons.length > most)
    return invalid(`Param buttons must have 1 to ${most} items`);
  for (const { label, payload } of buttons) {
    const wrong =
      wrongText(label, "title", 20, "characters") ?? wrongText(payload, "payload", 1000, "characters");
    if (wrong) return wrong;
  }
  return undefined;
}

function buttonOf(value: unknown): Button {
  return { label: textAt(value, "title") ?? "", payload: textAt(value, "payload") ?? "" };
}

function readTemplate(payload: unknown): Content | ApiAnswer {
  const type = textAt(payload, "template_type");
  if (type !== "button") return invalid(`Param template_type must be button, not ${type}`);
  const buttons = listAt(payload, "buttons");
  if (buttons.some((button) => textAt(button, "type") !== "postback")) {
    return invalid("Param buttons[type] must be postback");
  }
  const read = buttons.map(buttonOf);
  const text = textAt(payload, "text") ?? "";
  const wrong = wrongText(text, "text", 640, "characters") ?? wrongButtons(read, 3);
  return wrong ?? { kind: "prompt", text, buttons: read, template: false };
}

function readText(message: unknown, limits: MessagingLimits): Content | ApiAnswer {
  const text = textAt(message, "text") ?? "";
  const wrong = wrongText(text, "message[text]", limits.text, limits.textUnit);
  if (wrong) return wrong;
  if (at(message, "quick_replies") === undefined) return { ...plainText, text };
  const buttons = listAt(message, "quick_replies")
    .map(buttonOf)
    .map((button) =>
      limits.quickReplyTitle === "cut" ? { ...button, label: button.label.slice(0, 20) } : button,
    );
  return wrongButtons(buttons, 13) ?? { kind: "prompt", text, buttons, template: false, quickReplies: true };
}

function utilityPayloads(components: readonly unknown[]): readonly (string | undefined)[] {
  const buttons = components.find((component) => textAt(component, "type")?.toLowerCase() === "buttons");
  return listAt(buttons, "parameters").map((parameter) => textAt(parameter, "payload"));
}

// The tags for anything but a person's answer ended on 27 April 2026: with one, the request is invalid at any time.
function wrongType(body: unknown): ApiAnswer | undefined {
  const type = textAt(body, "messaging_type");
  const known = ["RESPONSE", "UPDATE", "UTILITY", "MESSAGE_TAG"];
  if (type === undefined || !known.includes(type)) return invalid("Param messaging_type is required");
  const tag = at(body, "tag");
  return tag === undefined || tag === "HUMAN_AGENT" ? undefined : invalid("Invalid parameter");
}

/**
 * A message to send, or why it cannot be. Meta, "Send API", "Button template" (22 Apr 2026), "Quick replies" (June 2026),
 * "Send a utility message" (13 Mar 2026).
 */
export function readMessagingMessage(
  body: unknown,
  limits: MessagingLimits,
  templates: readonly ApprovedTemplate[] | undefined,
): { readonly send: Outgoing } | { readonly answer: ApiAnswer } {
  const to = textAt(body, "recipient", "id");
  if (to === undefined || to === "") return { answer: invalid("Param recipient[id] is required") };
  const wrong = wrongType(body);
  if (wrong) return { answer: wrong };
  const message = at(body, "message");
  const isUtility = textAt(body, "messaging_type") === "UTILITY";
  const content =
    isUtility && templates
      ? fillTemplate(at(message, "template"), templates, utilityPayloads)
      : at(message, "attachment") === undefined
        ? readText(message, limits)
        : readTemplate(at(message, "attachment", "payload"));
  return "status" in content ? { answer: content } : { send: { to, ...content } };
}
