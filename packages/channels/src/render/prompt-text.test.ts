import { promptTokens } from "@countersign/core";
import {
  type CardField,
  type FrozenCard,
  formatValue,
  messageLocales,
  visible,
} from "@countersign/core/card";
import { exampleCard, missingTexts } from "@countersign/core/testing";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { channels } from "../fixtures.ts";
import { limits as instagramLimits } from "../instagram/limits.ts";
import { limits as messengerLimits } from "../messenger/limits.ts";
import { limits as twilioLimits } from "../twilio/limits.ts";
import { limits as whatsappLimits } from "../whatsapp/limits.ts";
import type { Limits } from "./limits.ts";
import { measure } from "./limits.ts";
import { promptTexts } from "./prompt-text.ts";

const tokens = promptTokens("0123456789abcdefABCDEF");
const time = { expiresAt: Date.UTC(2026, 11, 1, 14, 30), window: "open" } as const;

const allLimits: { readonly [name: string]: Limits } = {
  whatsapp: whatsappLimits,
  messenger: messengerLimits,
  instagram: instagramLimits,
  twilio: twilioLimits,
};

const letters = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: fc.constantFrom("*", "_", "~", "`", "\n", ">", "-", " ", "a", "1", "."), maxLength: 30 }),
  fc.string({
    unit: fc.constantFrom("ا", "ب", "א", "漢", "é", "👍", "\u202e", "\u200b", "e\u0301"),
    maxLength: 30,
  }),
  fc.string({ unit: "grapheme-ascii", minLength: 200, maxLength: 900 }),
);
const word = letters.map((text) => visible(text)).filter((text) => text !== "");
const label = fc
  .string({ unit: "grapheme-ascii", minLength: 1, maxLength: 20 })
  .map((text) => visible(text.trim()));

const format = fc.constantFrom("text", "multiline", "list", "json", "masked", "money", "number", "date");
const value = fc.oneof(letters, fc.integer(), fc.array(letters, { maxLength: 5 }));

const cards: fc.Arbitrary<FrozenCard> = fc
  .record({
    locale: fc.constantFrom(...messageLocales),
    title: word,
    description: fc.option(word),
    fields: fc.array(fc.tuple(label, format, value), { maxLength: 8 }),
    details: fc.array(fc.tuple(label, fc.option(value)), { maxLength: 4 }),
    effects: fc.array(fc.tuple(label, fc.option(word), fc.option(word)), { maxLength: 3 }),
    warnings: fc.array(word, { maxLength: 3 }),
    reversible: fc.option(fc.boolean()),
    confirmLabel: label,
    declineLabel: label,
  })
  .map(({ fields, details, effects, ...rest }) => ({
    ...exampleCard(),
    ...rest,
    fields: fields.map(([name, how, of], index): CardField => {
      const { display } = formatValue(of, { format: how, currency: "EUR" }, rest.locale, "UTC");
      return { argument: `/f${index}`, label: name, format: how, value: of, display, editable: false };
    }),
    details: details.map(([name, of], index) => ({
      argument: `/d${index}`,
      label: name,
      display: of === null ? null : formatValue(of, { format: "text" }, rest.locale, "UTC").display,
      omitted: of === null,
    })),
    effects: effects.map(([name, before, after]) => ({ label: name, before, after })),
  }));

describe("for any card, language and values", async () => {
  const opened = await Promise.all(channels.map(async ([name, open]) => [name, await open()] as const));
  afterAll(async () => {
    await Promise.all(opened.map(([, { far }]) => far.close()));
  });

  for (const [name, { channel }] of opened) {
    test(`CHAN-1 ${name}: nothing that the card shows is missing, and nothing is longer than the platform takes`, () => {
      const limits = allLimits[name] as Limits;
      const kinds: Set<string> = new Set();
      fc.assert(
        fc.property(cards, (card) => {
          const prompt = channel.prompt(card, tokens, time);
          const isSplit = prompt.kind === "messages" && prompt.messages.length > 1;
          kinds.add(isSplit ? "with details" : prompt.kind);
          if (prompt.kind !== "messages") return;
          expect(missingTexts(card, prompt)).toEqual([]);
          expect(prompt.messages.length).toBeLessThanOrEqual(limits.details + 1);
          for (const { kind, text } of prompt.messages) {
            expect(measure(text, kind === "prompt" ? limits.prompt : limits.text).fits).toBe(true);
          }
        }),
        { numRuns: 400 },
      );
      expect([...kinds].sort()).toEqual(["confirmation_too_long", "messages", "with details"]);
    });
  }
});

describe("a prompt's text", () => {
  test("CHAN-1 reads in order, with both answers in words and the time to answer", () => {
    expect(promptTexts(exampleCard(), time, whatsappLimits)).toEqual({
      kind: "texts",
      details: [],
      prompt: [
        "Cancel this order?",
        "",
        "The shop stops packing.",
        "",
        "Order: A-1042",
        "Refund: €48.00",
        "",
        "What changes:",
        "Status: was Open, now Cancelled",
        "",
        "More details:",
        "Channel: web",
        "Trace: sent, not shown here",
        "",
        "⚠ Refunds take 5 days.",
        "This cannot be undone.",
        "",
        "Open until Tue, Dec 1, 2026, 02:30 PM UTC.",
        "Tap “Cancel order” or “Keep order”.",
      ].join("\n"),
    });
  });

  test("CHAN-2 keeps the object and the amount beside the buttons when the rest goes before it", () => {
    const card = exampleCard({ description: "The shop stops packing. ".repeat(40).trim() });
    const texts = promptTexts(card, time, messengerLimits);
    expect(texts).toEqual({
      kind: "texts",
      details: [expect.stringContaining(card.description ?? "")],
      prompt: [
        "Cancel this order?",
        "",
        "Order: A-1042",
        "Refund: €48.00",
        "",
        "What changes:",
        "Status: was Open, now Cancelled",
        "",
        "More details:",
        "Channel: web",
        "Trace: sent, not shown here",
        "",
        "⚠ Refunds take 5 days.",
        "This cannot be undone.",
        "",
        "Everything is listed in the message above.",
        "Open until Tue, Dec 1, 2026, 02:30 PM UTC.",
        "Tap “Cancel order” or “Keep order”.",
      ].join("\n"),
    });
  });

  test("CHAN-4 shows markup, line breaks and hidden characters of a value instead of obeying them", () => {
    const display = visible("*bold* _it_ `code` ~no~\n> quote \u202eevil\u200b");
    const shown = (limits: Limits): string => {
      const card = exampleCard({
        description: null,
        details: [],
        effects: [],
        warnings: [],
        reversible: null,
      });
      const note: CardField = { argument: "/note", label: "Note", format: "text", display, editable: false };
      const texts = promptTexts({ ...card, fields: [note] }, time, limits);
      const line = texts.kind === "texts" ? texts.prompt.split("\n")[2] : undefined;
      return (line ?? "").replaceAll("\u2060", "+");
    };
    const whole = "Note: *bold* _it_ `code` ~no~⟦↵⟧> quote ⟦U+202E⟧evil⟦U+200B⟧";
    expect(shown(instagramLimits)).toBe(whole);
    expect(shown(whatsappLimits)).toBe(
      "Note: +*+bold+*+ +_+it+_+ +`+code+`+ +~+no+~+⟦↵⟧> quote ⟦U+202E⟧evil⟦U+200B⟧",
    );
  });

  test("CHAN-4 keeps a value of the other direction from moving its neighbours", () => {
    const name: CardField = {
      argument: "/name",
      label: "Name",
      format: "text",
      display: "אבי 12",
      editable: false,
    };
    const lineOf = (locale: string): string | undefined => {
      const texts = promptTexts(
        exampleCard({ locale, description: null, fields: [name] }),
        time,
        whatsappLimits,
      );
      return texts.kind === "texts" ? texts.prompt.split("\n")[2] : undefined;
    };
    expect([lineOf("en"), lineOf("ar")]).toEqual(["Name: \u2068אבי 12\u2069", "Name: \u2068אבי 12\u2069"]);
  });

  test("CHAN-15 has words of its own in each of the eight languages, and they all fit", () => {
    const prompts = messageLocales.map((locale) => {
      const texts = promptTexts(exampleCard({ locale }), time, instagramLimits);
      return texts.kind === "texts" ? texts.prompt : texts.kind;
    });
    expect(new Set(prompts).size).toBe(messageLocales.length);
    for (const prompt of prompts) {
      expect(prompt).toContain("Cancel order");
      expect(prompt).not.toMatch(/[{}]/);
    }
  });
});
