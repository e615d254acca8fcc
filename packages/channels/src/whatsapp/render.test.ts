import { type Prompt, promptTokens } from "@countersign/core";
import { exampleCard, missingTexts } from "@countersign/core/testing";
import { expect, test } from "vitest";
import { whatsappOptions } from "../fixtures.ts";
import { whatsapp } from "./index.ts";

const english = {
  text: "Please check: {{1}} Thank you.",
  confirmLabel: "Yes, do it",
  declineLabel: "No, keep it",
};
const spanish = { text: "Revisa esto: {{1}} Gracias.", confirmLabel: "Sí", declineLabel: "No" };
const template = { name: "check_it", languages: { en: english, es_MX: spanish } };

function promptOutside(change: object = {}): Prompt {
  const channel = whatsapp({ ...whatsappOptions, template });
  const time = { expiresAt: Date.UTC(2026, 11, 1, 14, 30), window: "closed" } as const;
  return channel.prompt(exampleCard(change), promptTokens("k3"), time);
}

test("CHAN-5 outside the window the approved template carries the whole card on one line, and says what its buttons mean", () => {
  const said =
    "Cancel this order? · The shop stops packing. · Order: A-1042 · Refund: €48.00 · What changes: · Status: was Open, now Cancelled · More details: · Channel: web · Trace: sent, not shown here · ⚠ Refunds take 5 days. · This cannot be undone. · Open until Tue, Dec 1, 2026, 02:30 PM UTC. · “Yes, do it” means: Cancel order. · “No, keep it” means: Keep order. · Tap “Yes, do it” or “No, keep it”.";
  const button = (index: string, payload: string): object => ({
    type: "button",
    sub_type: "quick_reply",
    index,
    parameters: [{ type: "payload", payload }],
  });
  const prompt = promptOutside();
  expect(prompt).toEqual({
    kind: "messages",
    messages: [
      {
        kind: "prompt",
        text: `Please check: ${said} Thank you.`,
        body: {
          type: "template",
          template: {
            name: "check_it",
            language: { code: "en" },
            components: [
              { type: "body", parameters: [{ type: "text", text: said }] },
              button("0", "cs1.k3.c"),
              button("1", "cs1.k3.x"),
            ],
          },
        },
      },
    ],
  });
  expect(missingTexts(exampleCard(), prompt)).toEqual([]);
});

test("CHAN-5 a template speaks the card's language, or the nearest one that was approved", () => {
  const codeFor = (locale: string): unknown =>
    JSON.stringify(promptOutside({ locale })).match(/"code":"(\w+)"/)?.[1];
  expect(["es", "es-MX", "es-AR", "en-GB", "ja"].map(codeFor)).toEqual([
    "es_MX",
    "es_MX",
    "es_MX",
    "en",
    "en",
  ]);
});

test("CHAN-5 what does not fit into the template is not asked, since nothing can go before it", () => {
  const prompt = promptOutside({ description: "The shop stops packing. ".repeat(40).trim() });
  expect(prompt).toEqual({
    kind: "confirmation_too_long",
    part: "prompt",
    limit: 1024,
    length: expect.any(Number),
    unit: "characters",
  });
});
