import { isPlainObject } from "../base/json.ts";
import { visible } from "../base/text.ts";
import { isLocale, localise } from "../card/locale.ts";
import { messageLocales, messagesFor } from "../card/messages.ts";
import type { Text } from "./presentation.ts";

/** Ends the check of a definition: throws, saying where in the presentation and what to do. */
export type Fail = (where: string, problem: string) => never;

/** The most UTF-16 units of a confirm or decline label: what the narrowest chat button holds. */
const maxButtonLabel = 20;
/** The most UTF-16 units of a row's label. */
export const maxLabel = 60;

const readable = /[\p{L}\p{N}]/u;

const eachOf = (text: Text): readonly string[] => (typeof text === "string" ? [text] : Object.values(text));
const localesOf = (texts: readonly Text[]): readonly string[] => [
  ...new Set(texts.flatMap((text) => (typeof text === "string" ? [] : Object.keys(text)))),
];
const folded = (text: string): string => text.normalize("NFKC").trim().toLowerCase();

/** Checks that a value is a text, with a letter or digit in every locale, and no longer than `max`. */
export function checkText(
  value: unknown,
  where: string,
  fail: Fail,
  max: number = Number.POSITIVE_INFINITY,
): Text {
  if (typeof value !== "string" && !(isPlainObject(value) && Object.keys(value).length > 0)) {
    return fail(where, 'give a text, or one text per locale such as { en: "…", es: "…" }.');
  }
  if (typeof value === "object") {
    for (const locale of Object.keys(value)) {
      if (!isLocale(locale)) fail(where, `"${locale}" is no locale; use a tag such as "es" or "pt-BR".`);
    }
  }
  for (const [locale, text] of typeof value === "string" ? [["", value]] : Object.entries(value)) {
    const at = locale === "" ? where : `${where}.${locale}`;
    if (typeof text !== "string" || !readable.test(text))
      fail(at, "give words; a blank, a picture or a sign alone says nothing.");
    if ((text as string).length > max) {
      fail(at, `"${text}" has ${(text as string).length} UTF-16 units; shorten it to ${max} or less.`);
    }
  }
  return value as Text;
}

/** Checks the two button labels: short, without invisible characters, and different in every locale. */
export function checkButtons(confirm: Text | undefined, decline: Text | undefined, fail: Fail): void {
  for (const [where, text] of [
    ["confirmLabel", confirm],
    ["declineLabel", decline],
  ] as const) {
    if (text === undefined) continue;
    checkText(text, where, fail, maxButtonLabel);
    for (const label of eachOf(text)) {
      if (visible(label) !== label) fail(where, `remove what cannot be seen: "${visible(label)}".`);
    }
  }
  if (confirm === undefined && decline === undefined) return;
  const locales = localesOf([confirm ?? "", decline ?? ""]);
  for (const locale of [
    ...locales,
    ...(confirm === undefined || decline === undefined ? messageLocales : ["en"]),
  ]) {
    const words = messagesFor(locale);
    const one = localise(confirm ?? words.confirm, locale);
    const other = localise(decline ?? words.decline, locale);
    if (folded(one) !== folded(other)) continue;
    const missing = decline === undefined ? "declineLabel" : "confirmLabel";
    const isDefault = confirm === undefined || decline === undefined;
    const advice = isDefault ? `set a ${missing} of its own` : "say what each button does";
    fail(
      missing,
      `both buttons read "${one}" in ${locale}; ${advice}, such as "Cancel order" and "Keep order".`,
    );
  }
}

/** Checks that no two labels of one list read the same in any locale that the definition knows. */
export function checkUnique(labels: readonly Text[], where: (index: number) => string, fail: Fail): void {
  for (const locale of [...localesOf(labels), "en"]) {
    const seen = new Map<string, number>();
    labels.forEach((label, index) => {
      const text = localise(label, locale);
      const first = seen.get(folded(text));
      if (first !== undefined)
        fail(where(index), `"${text}" is also ${where(first)} in ${locale}; tell the two apart.`);
      seen.set(folded(text), index);
    });
  }
}
