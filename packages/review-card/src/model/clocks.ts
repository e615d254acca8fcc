import { versionKey } from "./inner.ts";
import type { Timers } from "./timers.ts";
import type { CardView } from "./view.ts";

/** The two clocks of a card: when its buttons become live, and when its words about time change. */
export type Clocks = {
  /** Sets both by the view that is about to be shown. True when what was armed stays so. */
  follow(view: CardView, serverNow: number, mayArm: boolean, running: boolean): boolean;
};

const arming = new Set<CardView["state"]>(["proposed", "editing", "awaiting_verification"]);

const tickMs = 1000;

/** Buttons arm once one version stood in one state, in view, for `armDelayMs` without a break. */
export function createClocks(
  timers: Timers,
  armDelayMs: number,
  onArmed: (version: string) => void,
  onTick: () => void,
): Clocks {
  let place = "";
  let cancelArm: () => void = () => {};
  let cancelTick: () => void = () => {};
  return {
    follow(view, serverNow, mayArm, running) {
      cancelTick();
      const card = "card" in view ? view.card : null;
      const left = Date.parse(card?.expiresAt ?? "") - serverNow;
      if (running && card?.state === "proposed" && left > 0) {
        cancelTick = timers.after(Math.min(left, tickMs), onTick);
      }
      const version = card && mayArm && arming.has(view.state) ? versionKey(card) : "";
      // A notice above the buttons moves them.
      const next = version && `${view.state} ${version} ${"note" in view ? view.note?.type : ""}`;
      if (next === place) return true;
      place = next;
      cancelArm();
      if (version) cancelArm = timers.after(armDelayMs, () => onArmed(version));
      return false;
    },
  };
}
