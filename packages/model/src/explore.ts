import fc from "fast-check";
import { sequences } from "./commands.ts";
import type { Fault } from "./process.ts";
import type { Step } from "./steps.ts";
import type { Stores } from "./stores.ts";
import { type Counts, world } from "./world.ts";

export type Explored = Counts & { readonly sequences: number; readonly failure: string | null };

const counted = ["steps", "writes", "effects", "calls", "crashes", "unknown"] as const;

/**
 * Runs `runs` random sequences and answers with what they amounted to. The failure, if there is one, names the invariant,
 * the shortest sequence found as JSON, and the seed that makes it again.
 */
export async function explore(options: {
  readonly stores: Stores;
  readonly runs: number;
  readonly fault?: Fault;
  readonly seed?: number;
  readonly maxSteps?: number;
}): Promise<Explored> {
  const { stores, runs, fault, seed, maxSteps = 40 } = options;
  const sum = { sequences: 0, steps: 0, writes: 0, effects: 0, calls: 0, crashes: 0, unknown: 0 };
  let number = 0;
  const property = fc.asyncProperty(sequences(maxSteps), async (commands) => {
    number += 1;
    const store = await stores.take();
    let isClean = false;
    try {
      const real = world(store, nameOf(number), fault);
      await fc.asyncModelRun(() => ({ model: {}, real }), commands);
      const counts = await real.finish();
      isClean = true;
      sum.sequences += 1;
      for (const name of counted) sum[name] += counts[name];
    } finally {
      await stores.giveBack(store, isClean);
    }
  });
  const details = await fc.check(property, { numRuns: runs, ...(seed !== undefined && { seed }) });
  const failure = details.failed
    ? `${String(details.errorInstance)}\n${fc.defaultReportMessage(details)}`
    : null;
  return { ...sum, failure };
}

/** Names of one length, so that ids sort alike in every run; digits only, since letters could spell what must not be told. */
function nameOf(number: number): string {
  return String(number).padStart(6, "0");
}

/** Runs one sequence again; rejects as it did. */
export async function replay(stores: Stores, steps: readonly Step[], fault?: Fault): Promise<void> {
  const store = await stores.take();
  try {
    const real = world(store, nameOf(1), fault);
    for (const step of steps) await real.perform(step);
    await real.finish();
  } finally {
    await stores.giveBack(store, false);
  }
}

/** The steps that a failure names. */
export function stepsIn(failure: string): readonly Step[] {
  const [, list = ""] = /^Counterexample: \[(.*?)(?: \/\*.*)?\]$/m.exec(failure) ?? [];
  return JSON.parse(`[${list}]`);
}
