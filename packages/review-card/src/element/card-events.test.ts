import { describe, expect, it } from "vitest";
import { cancelOrder } from "../example-cards.ts";
import { createCardWatch } from "./card-events.ts";

type Told = ReturnType<ReturnType<typeof createCardWatch>>;

/** What a page is told of these cards, one after the other. */
function told(...cards: readonly Parameters<ReturnType<typeof createCardWatch>>[0][]): Told[] {
  const watch = createCardWatch();
  return cards.map((card) => watch(card));
}

const waits = cancelOrder();
const card = (state: typeof waits.state, writeId = waits.writeId): typeof waits =>
  cancelOrder({ state, writeId });

describe("the element's events", () => {
  it("EMBED-6 tells of a confirmation once, and of each outcome that differs from the one before", () => {
    expect(told(waits, card("running"), card("running"), card("unknown"), card("applied"))).toEqual([
      [],
      ["confirmed"],
      [],
      ["settled"],
      ["settled"],
    ]);
    expect(told(waits, card("applied"))).toEqual([[], ["confirmed", "settled"]]);
    expect(told(waits, card("awaiting_verification"), card("running"), card("pending"))).toEqual([
      [],
      ["confirmed"],
      [],
      ["settled"],
    ]);
  });

  it("EMBED-6 tells of a decline, also of one that came instead of a verification", () => {
    expect(told(waits, card("declined"), card("declined"))).toEqual([[], ["declined"], []]);
    expect(told(waits, card("awaiting_verification"), card("declined"))).toEqual([
      [],
      ["confirmed"],
      ["declined"],
    ]);
  });

  it("EMBED-6 tells nothing of what was so before the page was loaded", () => {
    expect(told(undefined, card("applied"))).toEqual([[], []]);
    expect(told(card("declined"))).toEqual([[]]);
  });

  it("EMBED-6 tells nothing of a write that nobody decided", () => {
    for (const state of ["expired", "withdrawn", "superseded"] as const) {
      expect(told(waits, card(state))).toEqual([[], []]);
    }
  });

  it("EMBED-6 tells of a write without a question that it settled, and claims no confirmation", () => {
    expect(told(null, card("applied"))).toEqual([[], ["settled"]]);
    expect(told(card("applied"), card("applied", "wr_2"), card("proposed", "wr_3"), null)).toEqual([
      [],
      ["settled"],
      [],
      [],
    ]);
  });
});
