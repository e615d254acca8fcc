import { describe, expect, it, vi } from "vitest";
import { cancelOrder, exampleTime, moveDelivery } from "../example-cards.ts";
import { manualTimers } from "../manual-timers.ts";
import { createReviewCardModel, type ReviewCardModel } from "../model.ts";
import type { CardAnswer } from "./answer.ts";
import { loadEditing, loaded } from "./load-editing.ts";

const code = vi.hoisted(() => ({ fails: false }));

vi.mock("../editing.ts", async (original) => {
  if (code.fails) throw new Error("The file is gone.");
  return original();
});

const never = (): Promise<CardAnswer> => new Promise(() => {});

function put(card = moveDelivery()): ReviewCardModel {
  const model = createReviewCardModel({
    card,
    serverTime: exampleTime,
    timers: manualTimers(),
    onEdit: never,
  });
  model.connect();
  return model;
}

describe("the code of editing", () => {
  it("CARD-50 is not loaded for a card of which nothing may be changed", async () => {
    put(cancelOrder({ fields: [] }));
    await new Promise((resolve) => setImmediate(resolve));
    expect(loaded.editing).toBeUndefined();
  });

  it("CARD-50 that cannot be loaded leaves the card as it is, says so, and is asked for again", async () => {
    code.fails = true;
    const model = put();
    model.edit("/note");
    await vi.waitFor(() =>
      expect(model.view()).toMatchObject({
        state: "proposed",
        note: { type: "refused", code: "edit_unavailable" },
      }),
    );
    code.fails = false;
    vi.resetModules();
    model.edit("/note");
    await vi.waitFor(() => expect(model.view()).toMatchObject({ state: "editing", opened: "/note" }));
  });

  it("CARD-50 opens the inputs at once when it is there", async () => {
    await loadEditing();
    const model = put();
    model.edit("/date");
    expect(model.view()).toMatchObject({ state: "editing", opened: "/date" });
  });
});
