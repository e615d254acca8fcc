/** Something that can run whole cycles, one after the other, for each of several conversations. */
export type Contender = {
  readonly name: string;
  cycle(conversation: number): Promise<void>;
  close(): Promise<void>;
};

/** Cycles per second, and milliseconds of CPU per cycle, in one slice of time. */
export type Slice = { readonly cyclesPerSecond: number; readonly cpuMsPerCycle: number };

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The value below which `share` of the values lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Runs a contender for one slice, `conversations` at a time. */
async function slice(contender: Contender, conversations: number, sliceMs: number): Promise<Slice> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const end = start + sliceMs;
  let cycles = 0;
  const loop = async (conversation: number): Promise<void> => {
    while (performance.now() < end) {
      await contender.cycle(conversation);
      cycles += 1;
    }
  };
  await Promise.all(Array.from({ length: conversations }, (_, index) => loop(index)));
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { cyclesPerSecond: cycles / seconds, cpuMsPerCycle: (user + system) / 1000 / cycles };
}

// A server that has run for a while is what is measured, not a compiler at work: it takes some five thousand cycles until
// the compiler has nothing left to do, and many at a time get there in seconds.
const warmUp = { conversations: 64, ms: 3000 } as const;

/** One round: every contender once, in an order that turns from round to round. */
export async function rounds(
  contenders: readonly Contender[],
  plan: { readonly conversations: number; readonly rounds: number; readonly sliceMs: number },
): Promise<ReadonlyMap<string, readonly Slice[]>> {
  const results = new Map<string, Slice[]>(contenders.map(({ name }) => [name, []]));
  for (const contender of contenders) await slice(contender, warmUp.conversations, warmUp.ms);
  for (let round = 0; round < plan.rounds; round += 1) {
    for (let turn = 0; turn < contenders.length; turn += 1) {
      const contender = contenders[(turn + round) % contenders.length];
      if (contender)
        results.get(contender.name)?.push(await slice(contender, plan.conversations, plan.sliceMs));
    }
  }
  return results;
}

/** Ratios of one contender to another, round by round. */
export function ratios(results: ReadonlyMap<string, readonly Slice[]>, one: string, other: string): number[] {
  const base = results.get(other) ?? [];
  return (results.get(one) ?? []).map(
    (mine, round) => mine.cyclesPerSecond / (base[round]?.cyclesPerSecond ?? Number.NaN),
  );
}
