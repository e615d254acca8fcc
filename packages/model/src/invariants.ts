/** What must hold after every step, by number. The numbers are used in reports and by the tests with named faults. */
export const invariants = {
  1: "a handler runs only what the bound customer confirmed",
  2: "a handler receives exactly the arguments that were shown",
  3: "a conversation has one open write at most",
  4: "a write has one idempotency key of its own",
  5: "nothing leads to a second effect",
  6: "not applied is said on certainty only",
  7: "a final state never changes",
  8: "a decision for something else runs nothing and hears the truth",
  9: "nothing but a person's press confirms",
  10: "an agent sees no key, reference, secret or other customer's data",
  11: "a card's words are the tool's, and its values are whole and visible",
  12: "what is told is what is known",
} as const;

export type Invariant = keyof typeof invariants;

/** An invariant that did not hold. */
export class ViolationError extends Error {
  override readonly name = "ViolationError";
  readonly invariant: Invariant;

  constructor(invariant: Invariant, what: string) {
    super(`Invariant ${invariant} (${invariants[invariant]}) is broken: ${what}`);
    this.invariant = invariant;
  }
}

/** Notes that an invariant does not hold; the step that is under way ends with the first of them. */
export type Blame = (invariant: Invariant, what: string) => void;
