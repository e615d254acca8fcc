import type { Store } from "@countersign/core";
import { acts } from "./acts.ts";
import { endings, looks, statusEndings } from "./endings.ts";
import { isFinalState } from "./ledger.ts";
import type { Fault, Process } from "./process.ts";
import { stage } from "./stage.ts";
import type { Step } from "./steps.ts";

/** What a run amounted to. */
export type Counts = {
  readonly steps: number;
  readonly writes: number;
  readonly effects: number;
  readonly calls: number;
  readonly crashes: number;
  readonly unknown: number;
};

/** One run. Every method rejects with the first violation of an invariant. */
export type World = {
  perform(step: Step): Promise<void>;
  /** Lets everything come to its end and checks what is left; the store is then free for another run. */
  finish(): Promise<Counts>;
};

// In minutes at first, then in steps beyond the longest gap between two status checks.
const endingSteps: readonly number[] = [
  ...Array.from({ length: 20 }, () => 60_000),
  ...Array.from({ length: 40 }, () => 4 * 3_600_000),
];

/** Begins a run. `name` sets it apart from other runs on the same store. */
export function world(base: Store, name: string, fault: Fault = {}): World {
  const scene = stage(base, name, fault);
  const { order, time, book, provider, running, raise, around } = scene;
  const act = acts(scene);
  let steps = 0;

  async function drain(): Promise<void> {
    while ((await order.release(1000)) > 0) raise();
  }

  async function wait(process: Process): Promise<void> {
    for (const ms of endingSteps) {
      await time.advance(ms, drain);
      if ((await base.nextDueAt(time.now() + 1e12)) === null) return;
      void scene.request(process, "operator", { conversationId: null }, () => process.engine.runDue());
      await drain();
    }
  }

  return {
    async perform(step) {
      steps += 1;
      scene.draw.seed(step.seed);
      around.script.ending = endings[step.ending % endings.length] ?? "value";
      around.script.status = statusEndings[step.status % statusEndings.length] ?? "truth";
      around.script.look = looks[step.look % looks.length] ?? "plan";
      const process = running[step.process % running.length];
      if (!process) return;
      await act(step, process);
      if (step.releases === null) await drain();
      else await order.release(step.releases);
      raise();
    },

    async finish() {
      Object.assign(around.script, { ending: "value", status: "truth", look: "plan" });
      while (provider.unfinished() > 0) provider.finish(0, true);
      for (const process of running) process.store.times = 0;
      await drain();
      if (running[0]) await wait(running[0]);
      raise();
      for (const write of book.writes.values()) {
        const stored = await base.readWrite(write.id);
        if (stored?.events.length !== write.history.length || stored.row.state !== write.state)
          scene.blame(7, `the store holds ${write.id} as ${stored?.row.state}; ${write.state} was appended`);
        if (!isFinalState(write.state) && !stored?.row.attention)
          scene.blame(12, `${write.id} stays ${write.state} and nobody is called`);
      }
      raise();
      for (const { life } of running) life.alive = false;
      return { ...scene.counts, steps, writes: book.writes.size, effects: provider.effects() };
    },
  };
}
