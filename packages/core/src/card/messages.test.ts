import { describe, expect, it } from "vitest";
import { agentMessage, messageLocales, messagesFor, outcomeText } from "./messages.ts";
import type { WriteState } from "./model.ts";

const states: readonly WriteState[] = [
  "proposed",
  "running",
  "awaiting_verification",
  "pending",
  "unknown",
  "applied",
  "not_applied",
  "declined",
  "expired",
  "withdrawn",
  "superseded",
];

describe("the card's own words", () => {
  it("CARD-14 are written in eight languages, each with every sentence", () => {
    expect(messageLocales).toEqual(["en", "es", "pt-BR", "fr", "de", "ar", "hi", "ja"]);
    for (const locale of messageLocales) {
      const texts = [
        ...states.map((state) => outcomeText(state, locale)),
        ...Object.values(messagesFor(locale).receipts),
      ];
      expect(texts.filter((text) => text.trim() === "")).toEqual([]);
      if (locale !== "en")
        expect(texts.filter((text) => states.some((state) => text === outcomeText(state, "en")))).toEqual([]);
    }
  });

  it("CARD-14 hold two labels that fit a chat button and differ", () => {
    for (const { confirm, decline } of messageLocales.map(messagesFor)) {
      expect(confirm.length).toBeLessThanOrEqual(20);
      expect(decline.length).toBeLessThanOrEqual(20);
      expect(confirm).not.toBe(decline);
    }
  });

  it("CARD-15 never call an unknown outcome done, failed or unchanged", () => {
    for (const locale of messageLocales) {
      const { receipts, checking, states: words } = messagesFor(locale);
      expect(words.unknown).toBe(`${receipts.unknown}${locale === "ja" ? "" : " "}${checking}`);
      for (const certain of [receipts.applied, receipts.not_applied]) {
        for (const sentence of certain.split(/(?<=[.。।])\s*/).filter((text) => text !== "")) {
          expect(words.unknown).not.toContain(sentence);
        }
      }
    }
    expect(agentMessage("unknown")).not.toMatch(/\b(done|fail|success|nothing|error)/i);
  });

  it("CARD-15 tell the agent and the customer the same about every outcome", () => {
    expect(states.map(agentMessage)).toEqual([
      "It waits for the customer's decision. Nothing has changed.",
      "It is being carried out, and the result is not known yet.",
      "The customer confirmed, and has to verify who they are first. Nothing has changed.",
      "Accepted, and not finished yet.",
      "It may or may not have gone through. This is being checked.",
      "Done.",
      "Not done. Nothing was changed.",
      "The customer decided against it. Nothing was changed.",
      "The time to decide is over. Nothing was changed.",
      "It was withdrawn. Nothing was changed.",
      "It was set aside. Nothing was changed.",
    ]);
    const settled: readonly WriteState[] = ["applied", "not_applied", "pending", "unknown", "expired"];
    expect(settled.map((state) => outcomeText(state, "en"))).toEqual(settled.map(agentMessage));
  });

  it("CARD-14 serve a region from its language and everyone else in English", () => {
    expect(["es-MX", "pt-PT", "de-AT", "sw"].map((locale) => messagesFor(locale).yes)).toEqual([
      "Sí",
      "Sim",
      "Ja",
      "Yes",
    ]);
  });
});
