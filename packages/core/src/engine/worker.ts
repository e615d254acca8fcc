import type { Instant } from "../base/clock.ts";
import type { Command } from "../flow/machine.ts";
import type { Write } from "../flow/write.ts";
import { deliver, delivers, takeDeliveries } from "./deliveries.ts";
import { handle, load } from "./handle.ts";
import { type Kernel, nextCheckAt, recoveryOf, writeToolOf } from "./kernel.ts";
import { repeat } from "./repeat.ts";

const batch = 50;

// What is left to record an outcome after the longest status check may have timed out.
const recordingMs = 30_000;

/**
 * How long a taken write is held: as long as the slowest status check here may take, and no longer, so that what a killed
 * worker had taken comes back soon.
 */
export function holdMs(kernel: Kernel): number {
  const timeouts = [...kernel.tools.values()].map((tool) =>
    tool.effect === "write" && tool.status ? tool.timeoutSeconds * 1000 : 0,
  );
  return Math.max(0, ...timeouts) + recordingMs;
}

// How often is looked whether something is due. Other processes' writes fall due here too, so it is not only planned ahead.
const lookEveryMs = 500;

/** What a write that is due now needs to be told; undefined when somebody else was faster. */
function dueCommand(kernel: Kernel, write: Write): Command | undefined {
  const at = kernel.clock.now();
  const salt = kernel.random.salt();
  switch (write.state) {
    case "proposed":
      return { type: "expire", at };
    case "running":
      return {
        type: "endLease",
        at,
        salt,
        nextCheckAt: nextCheckAt(kernel, writeToolOf(kernel, write.tool), "unknown", write.checks),
      };
    case "awaiting_verification":
      return { type: "endStepUp", at, salt };
    default:
      return undefined;
  }
}

type Taken = { readonly ids: readonly string[]; readonly heldUntil: Instant };

async function takeDue(kernel: Kernel): Promise<Taken> {
  const now = kernel.clock.now();
  const leaseMs = holdMs(kernel);
  return {
    ids: await kernel.store.takeDue({ now, limit: batch, leaseMs }),
    heldUntil: now + leaseMs,
  };
}

/** Does what is due and answers with how many writes it moved. */
export async function runDue(kernel: Kernel): Promise<number> {
  let moved = 0;
  while (true) {
    const { ids } = await takeDue(kernel);
    const results = await Promise.allSettled(ids.map((id) => moveDue(kernel, id)));
    for (const result of results) {
      if (result.status === "rejected") kernel.report(result.reason, "doing what is due");
      else if (result.value) moved += 1;
    }
    if (ids.length < batch) return moved;
  }
}

async function moveDue(kernel: Kernel, writeId: string): Promise<boolean> {
  const write = await load(kernel, writeId);
  if (!write) return false;
  if (write.state === "pending" || write.state === "unknown") {
    if (write.nextCheckAt === null || write.nextCheckAt > kernel.clock.now()) return false;
    const recovery = recoveryOf(writeToolOf(kernel, write.tool), write.state);
    if (recovery === "same_key") return kernel.runner.rerun(write);
    await kernel.runner.checkStatus(write);
    return true;
  }
  const handled = await handle(
    kernel,
    writeId,
    (current) => dueCommand(kernel, current) ?? { refused: "already_decided" },
    { known: write },
  );
  return "kind" in handled && handled.kind === "changed";
}

// More than this at once, and what is due waits for what is under way.
const mostAtOnce = 200;

/** A worker that was started. */
export type Worker = {
  /** Takes nothing new; resolves when what was begun is over. */
  stop(): Promise<void>;
  /** Gives back what it still holds, so that another process takes it now and not only when the hold ends. */
  handBack(): Promise<void>;
};

/**
 * Does what falls due, and tells receivers, until it is stopped. Nothing waits for anything else: a shop or receiver that
 * hangs holds up its own write only.
 */
export function startWorker(kernel: Kernel): Worker {
  const { store } = kernel;
  const underWay = new Set<Promise<unknown>>();
  /** How to give back what is held. */
  const held = new Set<() => Promise<void>>();
  let stopped = false;
  const begin = (work: Promise<unknown>, what: string): Promise<unknown> => {
    const over = work.catch((error) => kernel.report(error, what)).finally(() => underWay.delete(over));
    underWay.add(over);
    return over;
  };
  const hold = (work: Promise<unknown>, what: string, giveBack: () => Promise<void>): void => {
    held.add(giveBack);
    void begin(work, what).finally(() => held.delete(giveBack));
  };
  const lookForWrites = async (): Promise<void> => {
    const next = await store.nextDueAt(kernel.clock.now());
    while (next !== null && next <= kernel.clock.now() && underWay.size < mostAtOnce && !stopped) {
      const { ids, heldUntil } = await takeDue(kernel);
      for (const id of ids)
        hold(moveDue(kernel, id), "doing what is due", () => store.releaseWrite(id, heldUntil));
      if (ids.length < batch) return;
    }
  };
  let isLeft = false;
  // What came in at once must not wait for one look after the other: taken until nothing is left, or no room, and then as
  // soon as there is room again.
  const lookForDeliveries = async (): Promise<void> => {
    while (delivers(kernel) && !stopped) {
      isLeft = underWay.size >= mostAtOnce;
      if (isLeft) return;
      const rows = await takeDeliveries(kernel);
      for (const row of rows) {
        const giveBack = (): Promise<void> => store.retryDelivery(row.id, row.dueAt);
        hold(deliver(kernel, row).finally(lookOn), "making a delivery", giveBack);
      }
      if (rows.length === 0) return;
    }
  };
  const lookOn = (): void => {
    if (isLeft) kernel.bell.ring();
  };
  const often = { firstMs: 0, everyMs: lookEveryMs, during: "looking for what is due" };
  const stops = [lookForWrites, lookForDeliveries].map((look) => repeat(kernel, often, look));
  const unhear = kernel.bell.onRing(() => void begin(lookForDeliveries(), often.during));
  return {
    async stop() {
      stopped = true;
      unhear();
      await Promise.all(stops.map((stop) => stop()));
      await Promise.allSettled([...underWay]);
    },
    async handBack() {
      const given = await Promise.allSettled([...held].map((giveBack) => giveBack()));
      for (const result of given) {
        if (result.status === "rejected") kernel.report(result.reason, "handing back what is due");
      }
    },
  };
}
