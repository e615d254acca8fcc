import { expect, test } from "vitest";
import { framesOf } from "./errors.ts";

test("HTTP-8 the place of an error is told without its message, also where that looks like a stack", () => {
  const error = new Error("answered:\n    at card 4111 1111");
  const frames = framesOf(error);
  expect(frames[0]).toContain("errors.test.ts");
  expect(frames.join("\n")).not.toContain("4111");
});

test("HTTP-8 what has no stack, or one that does not hold its message, has no place", () => {
  const changed = new Error("first");
  expect(framesOf(changed).length).toBeGreaterThan(0);
  changed.message = "second";
  expect([
    framesOf(changed),
    framesOf(Object.assign(new Error("x"), { stack: 5 })),
    framesOf("thrown"),
    framesOf(null),
  ]).toEqual([[], [], [], []]);
});
