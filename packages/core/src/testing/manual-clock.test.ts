import { expect, test } from "vitest";
import { manualClock } from "./manual-clock.ts";

test("TOOL-10 the time stands still until it is moved", async () => {
  const clock = manualClock(1_000);
  expect(clock.now()).toBe(1_000);
  await clock.advance(250);
  expect(clock.now()).toBe(1_250);
  await clock.set(5_000);
  expect(clock.now()).toBe(5_000);
});

test("TOOL-10 a call runs at its time and not a millisecond before", async () => {
  const clock = manualClock(0);
  const calls: number[] = [];
  clock.after(100, () => calls.push(clock.now()));
  await clock.advance(99);
  expect(calls).toEqual([]);
  await clock.advance(1);
  expect(calls).toEqual([100]);
  await clock.advance(1_000);
  expect(calls).toEqual([100]);
});

test("TOOL-10 calls run earliest first, those of one time in the order they were planned", async () => {
  const clock = manualClock(0);
  const calls: string[] = [];
  clock.after(20, () => calls.push(`late ${clock.now()}`));
  clock.after(10, () => calls.push(`first ${clock.now()}`));
  clock.after(10, () => calls.push(`second ${clock.now()}`));
  await clock.advance(30);
  expect(calls).toEqual(["first 10", "second 10", "late 20"]);
});

test("TOOL-10 what a call starts goes on before the next call, and may plan more on the way", async () => {
  const clock = manualClock(0);
  const calls: string[] = [];
  clock.after(10, () => {
    void Promise.resolve()
      .then(() => new Promise((resolve) => setImmediate(resolve)))
      .then(() => {
        calls.push(`continued ${clock.now()}`);
        clock.after(5, () => calls.push(`planned on the way ${clock.now()}`));
      });
  });
  clock.after(20, () => calls.push(`next ${clock.now()}`));
  await clock.advance(20);
  expect(calls).toEqual(["continued 10", "planned on the way 15", "next 20"]);
});

test("TOOL-10 a cancelled call never runs", async () => {
  const clock = manualClock(0);
  const calls: number[] = [];
  const cancel = clock.after(10, () => calls.push(clock.now()));
  expect(clock.planned()).toBe(1);
  cancel();
  cancel();
  expect(clock.planned()).toBe(0);
  await clock.advance(10);
  expect(calls).toEqual([]);
});

test("TOOL-10 a clock that is set back calls nothing", async () => {
  const clock = manualClock(1_000);
  const calls: number[] = [];
  clock.after(10, () => calls.push(clock.now()));
  await clock.set(500);
  expect(clock.now()).toBe(500);
  expect(calls).toEqual([]);
  await clock.set(1_010);
  expect(calls).toEqual([1_010]);
});

test("TOOL-10 what a call throws reaches the test", async () => {
  const clock = manualClock(0);
  clock.after(1, () => {
    throw new Error("broken timer");
  });
  await expect(clock.advance(1)).rejects.toThrow("broken timer");
});
