import { expect, test } from "vitest";
import { ConfigurationError } from "../base/errors.ts";
import {
  applied,
  isOutcome,
  OperationRefError,
  outcomeKind,
  pending,
  rejected,
  stepUpRequired,
} from "./outcome.ts";

test("RUN-2 each outcome is told apart from a bare value", () => {
  const values = [
    applied(1),
    rejected("no"),
    pending("op-1"),
    stepUpRequired({}),
    { outcome: "applied" },
    "applied",
    null,
    undefined,
  ];
  expect(values.map(outcomeKind)).toEqual([
    "applied",
    "rejected",
    "pending",
    "step_up_required",
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(values.map(isOutcome)).toEqual([true, true, true, true, false, false, false, false]);
});

test("RUN-3 a value that cannot even be looked at is a bare value", () => {
  const refuse = (): never => {
    throw new Error("not to be looked at");
  };
  expect(outcomeKind(new Proxy({}, { has: refuse }))).toBe(undefined);
  expect(outcomeKind(new Proxy({}, { has: () => true, get: refuse }))).toBe(undefined);
});

test("RUN-2 an outcome that went through JSON is a bare value: no data from outside can pass for one", () => {
  expect(isOutcome(JSON.parse(JSON.stringify(applied(1))))).toBe(false);
});

test.each(["x", "~", " ", "op_1", "a".repeat(256)])("TOOL-4 %j is a reference", (reference) => {
  expect(pending(reference, "Being sent.")).toMatchObject({
    operationRef: reference,
    message: "Being sent.",
  });
});

test.each(["", "a".repeat(257), "a\tb", "é", "\u007f", "a\nb", "\u0000", undefined, 7, null])(
  "TOOL-4 %j is no reference",
  (reference) => {
    expect(() => pending(reference as string)).toThrow(
      new OperationRefError(
        "pending(operationRef): use 1 to 256 printable ASCII characters, such as the provider's id",
      ),
    );
  },
);

test.each([0, 1, 300, 86_400])("TOOL-5 an age of %d seconds may be asked for", (maxAuthAgeSeconds) => {
  expect(stepUpRequired({ level: "high", maxAuthAgeSeconds })).toMatchObject({
    level: "high",
    maxAuthAgeSeconds,
  });
});

test.each([-1, 86_401, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "300"])(
  "TOOL-5 an age of %s may not",
  (maxAuthAgeSeconds) => {
    expect(() => stepUpRequired({ maxAuthAgeSeconds: maxAuthAgeSeconds as number })).toThrow(
      new ConfigurationError("stepUpRequired: maxAuthAgeSeconds is a whole number from 0 to 86400"),
    );
  },
);

test("TOOL-5 a level that nobody knows may not be asked for", () => {
  expect(() => stepUpRequired({ level: "highest" as "high" })).toThrow(
    new ConfigurationError('stepUpRequired: level is "low", "standard" or "high"'),
  );
});
