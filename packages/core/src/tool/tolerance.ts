import type { Tolerance } from "./plan.ts";

/** How far a number may be from `shown`, up or down, after `seconds`. */
export function allowance(tolerance: Tolerance, shown: number, seconds: number): number {
  if ("absolute" in tolerance) return tolerance.absolute;
  return "relative" in tolerance ? tolerance.relative * Math.abs(shown) : tolerance.perSecond * seconds;
}
