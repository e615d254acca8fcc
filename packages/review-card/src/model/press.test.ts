import { afterEach, describe, expect, it, vi } from "vitest";
import { cancelOrder, exampleTime } from "../example-cards.ts";
import { manualTimers } from "../manual-timers.ts";
import { createReviewCardModel, type ReviewCardModel } from "../model.ts";
import type { CardAnswer } from "./answer.ts";
import { isByPerson } from "./press.ts";

afterEach(() => vi.unstubAllGlobals());

/** An event as a browser makes it; one that a script makes is never trusted. */
const byPerson = { isTrusted: true } as Event;

function armed(): { model: ReviewCardModel; sent: string[] } {
  const timers = manualTimers();
  const sent: string[] = [];
  const take = (name: string) => (): Promise<CardAnswer> => {
    sent.push(name);
    return new Promise(() => {});
  };
  const model = createReviewCardModel({
    card: cancelOrder(),
    serverTime: exampleTime,
    timers,
    onConfirm: take("confirm"),
    onDecline: take("decline"),
  });
  model.connect();
  model.setPresence("visible");
  timers.advance(500);
  return { model, sent };
}

describe("a press", () => {
  it("CARD-42 counts when a person made it, and not when a script did", () => {
    vi.stubGlobal("navigator", {});
    const { model, sent } = armed();
    model.confirm(new Event("click"));
    model.decline(new Event("click"));
    model.confirm({ nativeEvent: new Event("click") });
    expect(sent).toEqual([]);
    model.confirm({ nativeEvent: byPerson });
    expect(sent).toEqual(["confirm"]);
  });

  it.each([
    { isTrusted: true, userActivation: { isActive: true }, counts: true },
    { isTrusted: true, userActivation: { isActive: false }, counts: false },
    { isTrusted: true, userActivation: undefined, counts: true },
    { isTrusted: false, userActivation: { isActive: true }, counts: false },
  ])("CARD-42 needs the person to have acted just now, where the browser can tell: $counts", (seen) => {
    vi.stubGlobal("navigator", { userActivation: seen.userActivation });
    expect(isByPerson({ isTrusted: seen.isTrusted } as Event)).toBe(seen.counts);
  });

  it.each(["away", "covered", "framed"] as const)(
    "CARD-42 does nothing while the buttons are %s, and only a moment after they are back",
    (presence) => {
      const { model, sent } = armed();
      model.setPresence(presence);
      model.confirm(byPerson);
      model.decline(byPerson);
      model.setPresence("visible");
      model.confirm(byPerson);
      expect(sent).toEqual([]);
    },
  );

  it("CARD-42 tells why, when something covers the buttons or a foreign page frames them", () => {
    const { model } = armed();
    model.setPresence("covered");
    expect(model.view()).toMatchObject({ armed: false, waits: { type: "covered" } });
    model.setPresence("framed");
    expect(model.view()).toMatchObject({ armed: false, waits: { type: "framed" } });
    model.setPresence("away");
    expect(model.view()).toMatchObject({ armed: false, waits: null });
  });
});
