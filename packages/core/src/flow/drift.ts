import type { Instant } from "../base/clock.ts";
import { type Json, sameJson } from "../base/json.ts";
import type { CheckedPlan, PlanEffect, Tolerance } from "../tool/plan.ts";
import { allowance } from "../tool/tolerance.ts";

function differs(shown: Json, now: Json, tolerance: Tolerance | undefined, seconds: number): boolean {
  if (tolerance === undefined || typeof shown !== "number" || typeof now !== "number")
    return !sameJson(shown, now);
  // One part in 10^12 is what adding and subtracting decimals as binary fractions can cost.
  const slack = 1e-12 * Math.max(Math.abs(shown), Math.abs(now));
  return Math.abs(now - shown) > allowance(tolerance, shown, seconds) + slack;
}

function effectDrifted(shown: PlanEffect, now: PlanEffect | undefined, seconds: number): boolean {
  if (!now) return true;
  const { before, after, ...rest } = shown;
  const { before: beforeNow, after: afterNow, ...restNow } = now;
  return (
    // The tolerance that counts is the one the customer was shown.
    !sameJson({ ...rest, tolerance: null }, { ...restNow, tolerance: null }) ||
    differs(before, beforeNow, shown.tolerance, seconds) ||
    differs(after, afterNow, shown.tolerance, seconds)
  );
}

/**
 * True when a plan made at `at` is no longer the one a version was shown with: another target or version of one, a value
 * beyond its tolerance, other counts, items or warnings. What only the provider will know, and which checks passed, are no
 * part of what a customer decides on.
 */
export function hasDrifted(
  shown: CheckedPlan | undefined,
  now: CheckedPlan | undefined,
  at: Instant,
): boolean {
  if (!shown || !now) return shown !== now;
  const material = ({ targets, counts, items, warnings, reversible }: CheckedPlan): Json => {
    return { targets, counts, items, warnings, reversible };
  };
  const seconds = Math.min(Math.max(0, (at - shown.madeAt) / 1000), shown.validSeconds);
  return (
    !sameJson(material(shown), material(now)) ||
    shown.effects.length !== now.effects.length ||
    shown.effects.some((effect, index) => effectDrifted(effect, now.effects[index], seconds))
  );
}
