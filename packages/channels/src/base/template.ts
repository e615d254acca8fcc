import { ConfigurationError } from "@countersign/core";
import { measure, type TextLimit } from "../render/limits.ts";

/** The text of an approved template in one language, as it was approved. */
export type TemplateText = {
  /** With `{{1}}` once, neither at its start nor at its end: the whole decision stands there, on one line. */
  readonly text: string;
  /** Text of the first button. */
  readonly confirmLabel: string;
  /** Text of the second button. */
  readonly declineLabel: string;
};

/** Refuses a template text that no prompt could be sent with. */
function checkTemplateText(where: string, template: TemplateText, limit: TextLimit, label: number): void {
  const fail = (what: string): never => {
    throw new ConfigurationError(`${where}: ${what}`);
  };
  const { text, confirmLabel, declineLabel } = template;
  if (typeof text !== "string" || !/^[^{}]+\{\{1\}\}[^{}]+$/.test(text)) {
    fail("text needs {{1}} once, with words before and after it");
  }
  if (!measure(text, limit).fits) fail(`text is longer than ${limit.characters}`);
  for (const one of [confirmLabel, declineLabel]) {
    if (typeof one !== "string" || one.trim() === "" || one.length > label) {
      fail(`confirmLabel and declineLabel need 1 to ${label} characters`);
    }
  }
  if (confirmLabel.trim() === declineLabel.trim()) fail("confirmLabel and declineLabel must differ");
}

/** Refuses templates that no prompt could be sent with. */
export function checkTemplates<One extends TemplateText>(
  where: string,
  languages: { readonly [code: string]: One } | undefined,
  limit: TextLimit,
  label: number,
): void {
  const entries = Object.entries(languages ?? {});
  if (entries.length === 0) {
    throw new ConfigurationError(`${where} needs languages: one text for each approved language`);
  }
  for (const [code, one] of entries) checkTemplateText(`${where}.languages.${code}`, one, limit, label);
}

const plain = (code: string): string => code.replaceAll("_", "-").toLowerCase();

/** The template for a locale: of its own language code (`pt_BR`), else its language, else English, else the first. */
export function pickTemplate<One>(
  languages: { readonly [code: string]: One },
  locale: string,
): readonly [code: string, template: One] | undefined {
  const all = Object.entries(languages);
  const ofKin = (other: string): readonly [string, One] | undefined =>
    all.find(([code]) => plain(code).split("-")[0] === other.split("-")[0]);
  const wanted = plain(locale);
  return all.find(([code]) => plain(code) === wanted) ?? ofKin(wanted) ?? ofKin("en") ?? all[0];
}
