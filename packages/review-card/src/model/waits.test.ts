import { beforeAll, describe, expect, it, vi } from "vitest";
import { cancelOrder, closeAccount, exampleTime, sendNote } from "../example-cards.ts";
import { manualTimers } from "../manual-timers.ts";
import { createReviewCardModel, type ReviewCardModel, type ReviewCardOptions } from "../model.ts";
import type { CardAnswer } from "./answer.ts";
import { loadEditing } from "./load-editing.ts";
import { cutLong, isWord, wordOf } from "./waits.ts";

const press = new Event("click");

beforeAll(loadEditing);

function armed(options: ReviewCardOptions): ReviewCardModel {
  const timers = manualTimers();
  const model = createReviewCardModel({ serverTime: exampleTime, timers, trusts: () => true, ...options });
  model.connect();
  model.setPresence("visible");
  timers.advance(500);
  return model;
}

const command = () => vi.fn((_: unknown): Promise<CardAnswer> => new Promise(() => {}));

describe("a long value", () => {
  it.each([
    ["320 characters", "a".repeat(320)],
    ["eight lines", "a\n".repeat(7)],
  ])("CARD-43 is shown whole up to %s", (_, text) => {
    expect(cutLong(text)).toBeNull();
  });

  it("CARD-43 is cut at a word where there are words, and loses nothing", () => {
    const text = `${"word ".repeat(60)}${"end ".repeat(10)}`;
    expect(cutLong(text)?.[0]).toBe(`${"word ".repeat(47)}word`);
    expect(cutLong(text)?.join("")).toBe(text);
  });

  it("CARD-43 is cut after five lines where it has many", () => {
    expect(cutLong("line\n".repeat(500))?.[0]).toBe("line\nline\nline\nline\nline");
  });

  it("CARD-43 never cuts a mark, a letter from its accents, or half a character", () => {
    const mark = `${"a".repeat(236)}⟦U+202E⟧${"b".repeat(200)}`;
    expect(cutLong(mark)?.[0]).toBe("a".repeat(236));
    const accents = "e\u0301\u0302".repeat(200);
    expect(cutLong(accents)?.[0]).toBe("e\u0301\u0302".repeat(80));
    const astral = "😀".repeat(200);
    expect([...(cutLong(astral)?.[1] ?? "")].every((point) => point === "😀")).toBe(true);
  });

  it("CARD-43 has to be opened before the card is confirmed, and not before it is declined", () => {
    const onConfirm = command();
    const onDecline = command();
    const model = armed({ card: sendNote(), onConfirm, onDecline });
    expect(model.view()).toMatchObject({ armed: true, waits: { type: "unopened", label: "Note" } });
    model.confirm(press);
    expect(onConfirm).not.toHaveBeenCalled();
    model.decline(press);
    expect(onDecline).toHaveBeenCalledTimes(1);
  });

  it("CARD-43 may be confirmed once it was opened, and has to be opened again when it changed", () => {
    const onConfirm = command();
    const card = sendNote();
    const model = armed({ card, onConfirm });
    model.open(card.fields[1]?.display ?? "");
    expect(model.view()).toMatchObject({ waits: null });
    const other = sendNote({ version: 2, seq: 2 }, "Another one. ".repeat(30));
    model.sync({ card: other, serverTime: exampleTime, onConfirm });
    expect(model.view()).toMatchObject({ waits: { type: "unopened", label: "Note" } });
    model.sync({ card: sendNote({ version: 3, seq: 3 }), serverTime: exampleTime, onConfirm });
    expect(model.view()).toMatchObject({ waits: null });
  });

  it("CARD-43 need not be opened by the customer who wrote it", async () => {
    const long = "I wrote this myself. ".repeat(20).trim();
    const base = sendNote({}, "short");
    const saved = sendNote({ version: 2, seq: 2 }, long);
    const model = armed({
      card: base,
      onConfirm: command(),
      onEdit: async () => ({ type: "ok", card: saved, serverTime: exampleTime, consequencesChanged: false }),
    });
    model.edit("/note");
    model.enter("/note", long);
    model.save();
    await Promise.resolve();
    await Promise.resolve();
    expect(model.view()).toMatchObject({ state: "proposed", card: { version: 2 }, waits: null });
  });
});

describe("a write of high risk", () => {
  it("CARD-44 is confirmed only once its word was typed, and declined at any time", () => {
    const onConfirm = command();
    const onDecline = command();
    const model = armed({ card: closeAccount(), onConfirm, onDecline });
    expect(model.view()).toMatchObject({ armed: true, waits: { type: "word", word: "CLOSE" }, typed: "" });
    model.type("CLOS");
    model.confirm(press);
    expect(onConfirm).not.toHaveBeenCalled();
    model.type("close ");
    model.confirm(press);
    expect(onConfirm).toHaveBeenCalledTimes(1);
    model.decline(press);
    expect(onDecline).not.toHaveBeenCalled();
  });

  it("CARD-44 asks for the word again for every version", () => {
    const model = armed({ card: closeAccount(), onConfirm: command() });
    model.type("close");
    expect(model.view()).toMatchObject({ waits: null });
    model.sync({ card: closeAccount({ version: 2, seq: 2 }), serverTime: exampleTime });
    expect(model.view()).toMatchObject({ waits: { type: "word" }, typed: "" });
  });

  it("CARD-44 never asks for a word where the risk is not high", () => {
    expect(armed({ card: cancelOrder(), onConfirm: command() }).view()).toMatchObject({ waits: null });
  });

  it.each([
    ["en", "Close account", "CLOSE", "cLoSe"],
    ["tr", "İptal et", "İPTAL", "iptal"],
    ["de", "Konto schließen", "KONTO", "konto"],
    ["ja", "口座を閉じる", "口座を閉じる", "口座を閉じる"],
    ["en", "Ｃlose", "ＣLOSE", "close"],
    ["ar", "إغلاق الحساب", "إغلاق", " إغلاق "],
  ])(
    "CARD-44 takes the first word of the button, in any case and width: %s",
    (locale, confirmLabel, word, typed) => {
      const card = closeAccount({ locale, confirmLabel });
      expect([wordOf(card), isWord(typed, card), isWord("", card)]).toEqual([word, true, false]);
    },
  );
});
