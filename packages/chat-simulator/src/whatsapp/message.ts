import { at, listAt, textAt } from "../json.ts";
import { graphError } from "../meta/error.ts";
import { fillTemplate } from "../meta/template.ts";
import { type Button, type Outgoing, plainText } from "../platform.ts";
import type { ApiAnswer } from "../wire.ts";
import type { ApprovedTemplate } from "./account.ts";

type Content = Pick<Outgoing, "kind" | "text" | "buttons" | "template">;

const invalid = (details: string): ApiAnswer =>
  graphError({ code: 131009, message: "Parameter value is not valid", details });
const missing = (name: string): ApiAnswer =>
  graphError({
    code: 131008,
    message: "Required parameter is missing",
    details: `Required parameter is missing: ${name}`,
  });

/** Wrong where a text is missing or too long; lengths in UTF-16 units, the strictest reading of Meta's pages. */
function wrongLength(what: string, text: string | undefined, most: number): ApiAnswer | undefined {
  if (text !== undefined && text.trim() !== "" && text.length <= most) return undefined;
  return invalid(`${what} length invalid. Min length: 1, Max length: ${most}`);
}

function readText(body: unknown): Content | ApiAnswer {
  const text = textAt(body, "text", "body");
  if (text === undefined || text === "") return missing("text['body']");
  if (text.length > 4096) {
    return graphError({ code: 100, message: "Param text['body'] must be at most 4096 characters long." });
  }
  return { ...plainText, text };
}

function wrongButtons(buttons: readonly Button[]): ApiAnswer | undefined {
  if (buttons.length < 1 || buttons.length > 3) {
    return invalid("Invalid buttons count. Min allowed buttons: 1, Max allowed buttons: 3");
  }
  for (const { label, payload } of buttons) {
    const wrong = wrongLength("Button title", label, 20) ?? wrongLength("Button reply id", payload, 256);
    if (wrong) return wrong;
    if (payload !== payload.trim()) return invalid("Button reply id has leading or trailing spaces");
  }
  const isRepeated = (texts: readonly string[]): boolean => new Set(texts).size < texts.length;
  if (isRepeated(buttons.map(({ label }) => label.trim()))) return invalid("Duplicated button titles");
  return isRepeated(buttons.map(({ payload }) => payload)) ? invalid("Duplicated reply ids") : undefined;
}

function readInteractive(body: unknown): Content | ApiAnswer {
  const interactive = at(body, "interactive");
  const type = textAt(interactive, "type");
  if (type !== "button") return invalid(`Unexpected interactive type: ${type}`);
  const text = textAt(interactive, "body", "text");
  const footer = textAt(interactive, "footer", "text");
  const buttons = listAt(interactive, "action", "buttons").map(
    (button): Button => ({
      label: textAt(button, "reply", "title") ?? "",
      payload: textAt(button, "reply", "id") ?? "",
    }),
  );
  const wrong =
    wrongLength("Body text", text, 1024) ??
    (footer === undefined ? undefined : wrongLength("Footer text", footer, 60)) ??
    wrongButtons(buttons);
  if (wrong || text === undefined) return wrong ?? missing("interactive['body']");
  return { kind: "prompt", text: [text, footer].filter(Boolean).join("\n"), buttons, template: false };
}

function quickReplies(components: readonly unknown[]): readonly (string | undefined)[] {
  const payloads: (string | undefined)[] = [];
  for (const component of components) {
    if (textAt(component, "type") !== "button") continue;
    payloads[Number(textAt(component, "index") ?? "0")] = textAt(component, "parameters", 0, "payload");
  }
  return payloads;
}

/**
 * A message to send, or why it cannot be. Meta, "Interactive reply buttons" (May 2026), "Text messages", and "Error codes"
 * (June 2026).
 */
export function readWhatsAppMessage(
  body: unknown,
  templates: readonly ApprovedTemplate[],
): { readonly send: Outgoing } | { readonly answer: ApiAnswer } {
  if (textAt(body, "messaging_product") !== "whatsapp") return { answer: missing("messaging_product") };
  // Where both are there, Meta takes the number.
  const to = textAt(body, "to")?.replace(/^\+/, "") ?? textAt(body, "recipient");
  if (to === undefined || to === "") return { answer: missing("to") };
  const callbackData = textAt(body, "biz_opaque_callback_data");
  if ((callbackData?.length ?? 0) > 512) return { answer: invalid("biz_opaque_callback_data is too long") };
  const type = textAt(body, "type") ?? "text";
  const content =
    type === "text"
      ? readText(body)
      : type === "interactive"
        ? readInteractive(body)
        : type === "template"
          ? fillTemplate(at(body, "template"), templates, quickReplies)
          : invalid(`Unexpected message type: ${type}`);
  if ("status" in content) return { answer: content };
  return { send: { to, ...content, ...(callbackData === undefined ? {} : { callbackData }) } };
}
