import { expect, test } from "vitest";
import { Stop } from "./run.mjs";
import { chosenSteps } from "./steps.mjs";

const all = ["lint", "unit", "e2e"].map((name) => ({ name, run: async () => 0 }));

function namesFor(...args: string[]): string[] {
  return chosenSteps(args, all).map(({ name }) => name);
}

test("without arguments every step runs", () => {
  expect(namesFor()).toEqual(["lint", "unit", "e2e"]);
});

test("--only picks steps, which keep their own order", () => {
  expect(namesFor("--only", "e2e,lint")).toEqual(["lint", "e2e"]);
  expect(namesFor("--only=unit")).toEqual(["unit"]);
});

test("an unknown step or argument is refused with the names that exist", () => {
  const usage =
    "Use `npm test` for everything, or `npm test -- --only lint,unit,e2e` with the steps you want.";
  const refusals: [string[], string][] = [
    [["--only", "units"], "There is no step named units."],
    [["--only"], "These arguments are not understood: --only"],
    [["--fast"], "These arguments are not understood: --fast"],
    [["--only", "unit", "e2e"], "These arguments are not understood: --only unit e2e"],
  ];
  for (const [args, message] of refusals) {
    expect(() => namesFor(...args)).toThrow(expect.objectContaining({ message, next: usage }));
    expect(() => namesFor(...args)).toThrow(Stop);
  }
});
