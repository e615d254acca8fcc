import { expect, test } from "vitest";
import { galleryLocales, galleryStates } from "./choices.ts";
import { composeCards } from "./compose-cards.ts";

const stateOf = {
  edited: "proposed",
  drifted: "proposed",
  high_risk: "proposed",
  long_values: "proposed",
  hostile_values: "proposed",
  many_fields: "proposed",
} as const;

test.each(galleryLocales)(
  "PLAY-30 each of the gallery's cards is in the state it is named for: %s",
  async (locale) => {
    const cards = await composeCards(locale);
    expect(galleryStates.map((state) => [state, cards[state].card.state, cards[state].card.locale])).toEqual(
      galleryStates.map((state) => [state, { ...stateOf }[state as keyof typeof stateOf] ?? state, locale]),
    );
    expect([cards.edited, cards.drifted].map(({ card }) => card.changes.map(({ by }) => by))).toEqual([
      ["customer"],
      ["drift"],
    ]);
    expect(cards.applied.card.receipt?.undo).not.toBeNull();
  },
);
