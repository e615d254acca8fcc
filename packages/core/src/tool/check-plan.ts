import { canonical } from "../base/canonical.ts";
import { ConfigurationError } from "../base/errors.ts";
import { findJsonFault, isPlainObject, maxArgumentBytes } from "../base/json.ts";
import { currencyCode } from "../card/money.ts";
import { checkText, type Fail, maxLabel } from "./check-text.ts";
import { formats } from "./default-format.ts";
import type { CheckedPlan, Plan, PlanEffect, Target, Tolerance } from "./plan.ts";
import { checkFlag, checkKeys, checkList } from "./resolve-display.ts";

const keysOfPlan = [
  "noop",
  "targets",
  "effects",
  "counts",
  "items",
  "warnings",
  "reversible",
  "checks",
  "expected",
];
const keysOfEffect = [
  "type",
  "target",
  "label",
  "before",
  "after",
  "format",
  "currency",
  "unit",
  "tolerance",
];

function checkString(value: unknown, where: string, fail: Fail): string {
  return typeof value === "string" && value !== "" ? value : fail(where, "give a text that is not empty.");
}

function checkStrings(value: unknown, where: string, fail: Fail): readonly string[] {
  return checkList(value, where, fail).map((item, index) => checkString(item, `${where}[${index}]`, fail));
}

function checkTarget(value: unknown, where: string, fail: Fail): Target {
  checkKeys(value, ["type", "id", "version"], where, fail);
  const { type, id, version } = value as Record<string, unknown>;
  return {
    type: checkString(type, `${where}.type`, fail),
    id: checkString(id, `${where}.id`, fail),
    version: checkString(version, `${where}.version`, fail),
  };
}

function checkTolerance(value: unknown, after: unknown, where: string, fail: Fail): Tolerance {
  const [key, ...others] = isPlainObject(value) ? Object.keys(value) : [];
  if (key === undefined || others.length > 0 || !["absolute", "relative", "perSecond"].includes(key)) {
    return fail(where, "give one of absolute, relative and perSecond, such as { absolute: 100 }.");
  }
  const amount = (value as Record<string, unknown>)[key];
  if (typeof amount !== "number" || !Number.isFinite(amount) || amount < 0)
    return fail(`${where}.${key}`, "give a number that is not negative.");
  if (typeof after !== "number") return fail(where, 'only a number in "after" can have a tolerance.');
  return { [key]: amount } as Tolerance;
}

function checkEffect(value: unknown, where: string, fail: Fail): PlanEffect {
  checkKeys(value, keysOfEffect, where, fail);
  const { type, target, label, before, after, format, currency, unit, tolerance } = value as Record<
    keyof PlanEffect,
    unknown
  >;
  if (format !== undefined && !(formats as readonly unknown[]).includes(format))
    fail(`${where}.format`, `give one of ${formats.join(", ")}.`);
  const code = currency === undefined ? undefined : currencyCode(currency);
  if (format === "money" && code === undefined)
    fail(`${where}.currency`, 'money needs an ISO 4217 code such as "EUR".');
  if (unit !== undefined && unit !== "minor" && unit !== "major")
    fail(`${where}.unit`, 'give "minor" or "major".');
  if (before === undefined && after === undefined) fail(where, "give before, after or both.");
  return {
    type: checkString(type, `${where}.type`, fail),
    ...(target !== undefined && { target: checkString(target, `${where}.target`, fail) }),
    label: checkText(label, `${where}.label`, fail, maxLabel),
    before: (before ?? null) as PlanEffect["before"],
    after: (after ?? null) as PlanEffect["after"],
    ...(format !== undefined && { format: format as NonNullable<PlanEffect["format"]> }),
    ...(code !== undefined && { currency: code }),
    ...(unit !== undefined && { unit: unit as "minor" | "major" }),
    ...(tolerance !== undefined && {
      tolerance: checkTolerance(tolerance, after, `${where}.tolerance`, fail),
    }),
  };
}

function checkCounts(value: unknown, fail: Fail): CheckedPlan["counts"] {
  if (value === undefined) return null;
  checkKeys(value, ["add", "change", "remove"], "counts", fail);
  const count = (name: string): number => {
    const given = (value as Record<string, unknown>)[name];
    return Number.isSafeInteger(given) && (given as number) >= 0
      ? (given as number)
      : fail(`counts.${name}`, "give a whole number from 0 on.");
  };
  return { add: count("add"), change: count("change"), remove: count("remove") };
}

function checkExpected(value: unknown, fail: Fail): CheckedPlan["expected"] {
  if (value === undefined) return null;
  checkKeys(value, ["responseType", "projected", "serverAssigned"], "expected", fail);
  const { responseType, projected, serverAssigned } = value as Record<string, unknown>;
  if (!isPlainObject(projected)) fail("expected.projected", "give an object.");
  return {
    responseType: checkString(responseType, "expected.responseType", fail),
    projected: projected as NonNullable<CheckedPlan["expected"]>["projected"],
    serverAssigned: checkStrings(serverAssigned, "expected.serverAssigned", fail),
  };
}

/**
 * Checks what an author's preview returned, and fills in what was left out. `how` says when it was made and for how long its
 * version is to stand. Throws a `ConfigurationError` that names the tool, the place and what to do.
 */
export function checkPlan(
  tool: string,
  value: unknown,
  how: Pick<CheckedPlan, "madeAt" | "validSeconds">,
): CheckedPlan | "noop" {
  const fail: Fail = (where, problem) => {
    throw new ConfigurationError(`Tool "${tool}", plan${where === "" ? "" : `.${where}`}: ${problem}`);
  };
  checkKeys(value, keysOfPlan, "", fail);
  const plan = value as { readonly [key in keyof Plan]: unknown };
  checkFlag(plan.noop, "noop", fail);
  if (plan.noop === true) return "noop";
  checkFlag(plan.reversible, "reversible", fail);
  const checked: CheckedPlan = {
    targets: checkList(plan.targets, "targets", fail).map((target, index) =>
      checkTarget(target, `targets[${index}]`, fail),
    ),
    effects: checkList(plan.effects, "effects", fail).map((effect, index) =>
      checkEffect(effect, `effects[${index}]`, fail),
    ),
    counts: checkCounts(plan.counts, fail),
    items: checkStrings(plan.items, "items", fail),
    warnings: checkList(plan.warnings, "warnings", fail).map((text, index) =>
      checkText(text, `warnings[${index}]`, fail),
    ),
    reversible: (plan.reversible as boolean | undefined) ?? null,
    checks: checkStrings(plan.checks, "checks", fail),
    expected: checkExpected(plan.expected, fail),
    ...how,
  };
  const fault = findJsonFault(checked);
  if (fault) fail(fault.pointer, `${fault.message}.`);
  const text = canonical(checked);
  if (text.length > maxArgumentBytes)
    fail("", `it is larger than ${maxArgumentBytes} characters; name fewer items.`);
  // A copy of its own: an author's object may change after it was given.
  return JSON.parse(text) as CheckedPlan;
}
