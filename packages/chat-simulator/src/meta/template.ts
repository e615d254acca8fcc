import { listAt, textAt } from "../json.ts";
import type { Button, Outgoing } from "../platform.ts";
import type { ApprovedTemplate } from "../whatsapp/account.ts";
import type { ApiAnswer } from "../wire.ts";
import { graphError } from "./error.ts";

/** A template message, filled in as the phone shows it. */
export type FilledTemplate = Pick<Outgoing, "kind" | "text" | "buttons" | "template">;

const wrong = (code: number, message: string, details: string): ApiAnswer =>
  graphError({ code, message, details });

function parametersOf(component: unknown): readonly unknown[] {
  return listAt(component, "parameters");
}

/**
 * Fills an approved template in. `payloads`: how this platform writes the payloads of the buttons.
 *
 * Codes and conditions: Meta, "WhatsApp error codes" (June 2026); a parameter may hold neither line breaks, tabs nor more
 * than four spaces in a row.
 */
export function fillTemplate(
  template: unknown,
  approved: readonly ApprovedTemplate[],
  payloads: (components: readonly unknown[]) => readonly (string | undefined)[],
): FilledTemplate | ApiAnswer {
  const name = textAt(template, "name");
  const language = textAt(template, "language", "code");
  const found = approved.find((one) => one.name === name && one.language === language);
  if (found === undefined) {
    return wrong(
      132001,
      "Template name does not exist in the translation",
      `template name (${name}) does not exist in ${language}`,
    );
  }
  const components = listAt(template, "components");
  const body = components.find((component) => textAt(component, "type")?.toLowerCase() === "body");
  const values = parametersOf(body).map((parameter) => textAt(parameter, "text") ?? "");
  const expected = new Set(found.text.match(/\{\{\d+\}\}/g)).size;
  if (values.length !== expected) {
    return wrong(
      132000,
      "Number of parameters does not match the expected number of params",
      `body: number of localizable_params (${values.length}) does not match the expected number of params (${expected})`,
    );
  }
  if (values.some((value) => /[\n\t]| {5}/.test(value))) {
    return wrong(
      132018,
      "There was an issue with the parameters in your template",
      "Param text cannot have new-line/tab characters or more than 4 consecutive spaces",
    );
  }
  const given = payloads(components);
  if (given.length > found.buttons.length) {
    return wrong(
      132018,
      "There was an issue with the parameters in your template",
      `buttons: the template has ${found.buttons.length}`,
    );
  }
  const text = found.text.replace(/\{\{(\d+)\}\}/g, (_, number) => values[Number(number) - 1] ?? "");
  const buttons = found.buttons.map((label, index): Button => ({ label, payload: given[index] ?? label }));
  return { kind: buttons.length > 0 ? "prompt" : "text", text, buttons, template: true };
}
