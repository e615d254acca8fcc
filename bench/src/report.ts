import { type Contender, median, quantile, ratios, rounds, type Slice } from "./measure.ts";

/** Writes down what was measured and remembers what fell short. */
export type Report = {
  line(text: string): void;
  fail(text: string): void;
  /** Measures contenders against each other and closes them; `least` are ratios that the engine must reach. */
  compare(
    title: string,
    contenders: readonly Contender[],
    plan: { readonly conversations: number; readonly rounds: number },
    least: Readonly<Record<string, number>>,
  ): Promise<void>;
  /** Says what fell short, and ends the process with 1 if anything did. */
  close(): void;
};

const sliceMs = 200;

function describe(name: string, slices: readonly Slice[]): string {
  const cycles = median(slices.map((slice) => slice.cyclesPerSecond));
  const cpu = median(slices.map((slice) => slice.cpuMsPerCycle));
  return `  ${name.padEnd(24)} ${cycles.toFixed(0).padStart(7)} cycles/s   ${cpu.toFixed(3)} ms CPU a cycle`;
}

export function report(): Report {
  const failures: string[] = [];
  function line(text: string): void {
    process.stdout.write(`${text}\n`);
  }
  function compareWith(
    results: ReadonlyMap<string, readonly Slice[]>,
    other: string,
    least: number | undefined,
  ): void {
    const all = ratios(results, "engine", other);
    const middle = median(all);
    const spread = `${quantile(all, 0.1).toFixed(2)} to ${quantile(all, 0.9).toFixed(2)}`;
    const must = least === undefined ? "" : `   must be at least ${least}`;
    line(`  engine / ${other.padEnd(22)} ${middle.toFixed(2)}   (most rounds ${spread})${must}`);
    if (least !== undefined && middle < least)
      failures.push(`engine / ${other}: ${middle.toFixed(2)} is below ${least}`);
  }
  return {
    line,
    fail: (text) => failures.push(text),
    async compare(title, contenders, plan, least) {
      const { conversations } = plan;
      line(`\n${conversations} conversation${conversations === 1 ? "" : "s"} at a time, ${title}`);
      const results = await rounds(contenders, { ...plan, sliceMs });
      for (const [name, slices] of results) line(describe(name, slices));
      for (const { name } of contenders) if (name !== "engine") compareWith(results, name, least[name]);
      for (const contender of contenders) await contender.close();
    },
    close() {
      for (const failure of failures) line(`FAILED ${failure}`);
      process.exitCode = failures.length > 0 ? 1 : 0;
    },
  };
}
