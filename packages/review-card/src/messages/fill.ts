import type { TimeLeft } from "../model/timers.ts";
import type { Messages, Plural } from "./messages.ts";

/** The parts of `template`, with `part` in the place of its `{name}`. */
export const fillParts = <T>(template: string, part: T): (string | T)[] =>
  template.split(/\{\w+\}/).flatMap((text, index) => (index ? [part, text] : text));

/** `template` with its `{name}` filled in. */
export const fill = (template: string, text: string): string => fillParts(template, text).join("");

/** The sentence for `count` things, by the plural rules of the messages' locale. */
export const fillPlural = (plural: Plural, count: number, { locale }: Messages): string =>
  fill(plural[new Intl.PluralRules(locale).select(count)] ?? plural.other, count.toLocaleString(locale));

/** The coarse countdown in words. */
export const timeLeftText = ({ count, unit, last }: TimeLeft, messages: Messages): string =>
  fill(
    last ? messages.lastTime : messages.timeLeft,
    count.toLocaleString(messages.locale, { style: "unit", unit, unitDisplay: "long" }),
  );
