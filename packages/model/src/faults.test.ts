import { describe, expect, test, vi } from "vitest";
import { type Explored, explore, replay, stepsIn } from "./explore.ts";
import { faults } from "./faults.ts";
import type { Fault } from "./process.ts";
import { memoryStores } from "./stores.ts";

type Rule = (write: object | undefined, command: { type: string }) => unknown;

const patch = vi.hoisted(() => ({ rule: undefined as ((rule: Rule) => Rule) | undefined }));

// The rules themselves, for the one fault that no store, tool or view can have.
vi.mock("../../core/src/flow/machine.ts", async (original) => {
  const real = await original<{ rule: Rule }>();
  const rule: Rule = (...given) => (patch.rule?.(real.rule) ?? real.rule)(...given);
  return { ...real, rule };
});

/** A write that ran and has its final outcome. */
const isSettled = (write: object | undefined): boolean =>
  write !== undefined && "state" in write && ["applied", "not_applied"].includes(String(write.state));

const stores = memoryStores();

function find(fault: Fault): Promise<Explored> {
  return explore({ stores, runs: 5000, seed: 1, fault });
}

describe("MODEL-2 the model finds an engine that", () => {
  for (const { name, breaks, ...fault } of faults) {
    test(name, { timeout: 120_000 }, async () => {
      const { failure, sequences } = await find(fault);
      console.log(`${name}: after ${sequences} sequences`);
      expect(failure).toContain(`Invariant ${breaks} `);
    });
  }

  test("changes a final state", { timeout: 120_000 }, async () => {
    patch.rule = (rule) => (write, command) =>
      rule(command.type === "resolve" && isSettled(write) ? { ...write, state: "unknown" } : write, command);
    try {
      const { failure } = await find({});
      expect(failure).toContain("Invariant 7 ");
    } finally {
      patch.rule = undefined;
    }
  });
});

test("MODEL-3 a failure is made again by its seed, and by the steps that it was shortened to", async () => {
  const fault = faults.find(({ name }) => name === "takes a throw for a refusal") ?? {};
  const { failure } = await find(fault);
  const said = failure ?? "";
  expect((await find(fault)).failure).toBe(said);
  const steps = stepsIn(said);
  expect(steps.length).toBeLessThanOrEqual(4);
  await expect(replay(stores, steps, fault)).rejects.toThrow("Invariant 6 ");
});
