/** How a call of a handler ends, and whether the provider made the change. */
export const endings = [
  "value",
  "value",
  "lost",
  "refused",
  "error",
  "pending",
  "untraceable",
  "hang",
  "hang-applied",
  "late",
  "late-refused",
  "late-effect",
  "step-up",
  "rubbish",
] as const;

export type Ending = (typeof endings)[number];

/** What a status handler answers. */
export const statusEndings = ["truth", "truth", "throw", "rubbish", "hang", "step-up"] as const;

export type StatusEnding = (typeof statusEndings)[number];

/** What a preview answers. */
export const looks = ["plan", "plan", "plan", "plan", "plan", "throw", "rejected", "noop", "hang"] as const;

export type Look = (typeof looks)[number];

/** Endings with which the change is made when the request arrives. */
export function makesAtOnce(ending: Ending): boolean {
  return ["value", "lost", "hang-applied", "late", "rubbish"].includes(ending);
}

/** What is said by a provider that holds the change, or part of it, under a key that it honours. */
export function honouring(ending: Ending, holds: "nothing" | "a part" | "the change"): Ending {
  if (holds === "nothing") return ending;
  if (holds === "a part") return "error";
  return ["value", "lost", "hang", "error", "rubbish", "late"].includes(ending) ? ending : "value";
}
