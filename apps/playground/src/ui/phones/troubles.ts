import type { Switches } from "@countersign/chat-simulator";

const fine: Partial<Switches> = {
  window: "by_clock",
  statuses: "in_order",
  busy: 0,
  broken: 0,
  silent: 0,
  failLater: 0,
  duplicate: 0,
  overtake: 0,
};

/** What a platform can be made to do, in words. */
export const troubles: readonly { readonly label: string; readonly switches: Partial<Switches> }[] = [
  { label: "Works", switches: fine },
  { label: "Says that the 24-hour window is closed", switches: { ...fine, window: "closed" } },
  { label: "Is too busy for two requests", switches: { ...fine, busy: 2 } },
  { label: "Is broken for two requests", switches: { ...fine, broken: 2 } },
  { label: "Takes a message and never says so", switches: { ...fine, silent: 1 } },
  { label: "Takes a message and fails to deliver it", switches: { ...fine, failLater: 1 } },
  { label: "Delivers every webhook twice", switches: { ...fine, duplicate: 20 } },
  { label: "Lets a webhook overtake another", switches: { ...fine, overtake: 5 } },
  { label: "Tells statuses in the wrong order", switches: { ...fine, statuses: "reversed" } },
  { label: "Tells statuses before its own answer", switches: { ...fine, statuses: "before_answer" } },
  { label: "Tells statuses a minute late", switches: { ...fine, statuses: "late" } },
];
