import type { Instant } from "../base/clock.ts";
import { replay } from "../flow/apply.ts";
import { needsAttention } from "../flow/due.ts";
import type { EventType } from "../flow/events.ts";
import { openEvents } from "../flow/journal.ts";
import type { DeliveryRow, StoredWrite } from "../ports/store.ts";
import type { DeliveryEnd } from "./chats/delivery-end.ts";
import type { Step } from "./handle.ts";
import { type Kernel, timeText } from "./kernel.ts";
import type { OutcomeNotice, Receiver, ReceiverAnswer } from "./receiver.ts";
import { toAgentWrite, toOperatorWrite } from "./view.ts";

// What a host is told of: that a write was decided or cannot be, and every way in which one can come to an end or become known.
const told: ReadonlySet<string> = new Set<EventType>([
  "confirmed",
  "declined",
  "withdrawn",
  "expired",
  "superseded",
  "step_up_required",
  "undelivered",
  "settled",
  "resolved",
  "contradicted",
]);

const kindPrefix = "outcome ";
const attemptMs = 15_000;

// Seconds before the next attempt; the last one repeats. Together some three days.
const gapsSeconds: readonly number[] = [5, 15, 45, 120, 360, 1200, 3600, 10_800, 21_600];
const mostAttempts = 19;

/**
 * What an append of these steps makes to be told, one delivery a receiver and write. Only the number of the event is kept:
 * what is told is read from the journal when it is sent, so nothing that may have to be erased stands here.
 */
export function deliveriesOf(kernel: Kernel, steps: readonly Step[]): readonly DeliveryRow[] {
  if (kernel.receivers.length === 0) return [];
  const now = kernel.clock.now();
  return steps
    .filter(({ append }) => append.events.some(({ type }) => told.has(type)))
    .flatMap(({ write: { id, seq } }) =>
      kernel.receivers.map(({ name }) => ({
        // Padded, since those of one write are made in order of id.
        id: `${id}.${String(seq).padStart(6, "0")} ${name}`,
        kind: `${kindPrefix}${name}`,
        writeId: id,
        body: JSON.stringify({ seq }),
        dueAt: now,
        attempts: 0,
      })),
    );
}

/** What a receiver is told of a write as of event `seq`. */
function noticeOf(stored: StoredWrite, seq: number): OutcomeNotice {
  const events = openEvents(stored).filter((event) => event.seq <= seq);
  const write = replay(events);
  const { digest, surface, reason } = toOperatorWrite(write);
  return {
    id: `${write.id}.${seq}`,
    timestamp: timeText(events.at(-1)?.at ?? write.createdAt),
    write: {
      ...toAgentWrite(write, true),
      digest,
      head: write.head,
      surface,
      reason,
      needsAttention: needsAttention(write),
    },
  };
}

async function ask(kernel: Kernel, receiver: Receiver, notice: OutcomeNotice): Promise<ReceiverAnswer> {
  const controller = new AbortController();
  let cancel = (): void => {};
  const late = new Promise<ReceiverAnswer>((resolve) => {
    cancel = kernel.clock.after(attemptMs, () => {
      controller.abort(new Error("not received within 15 s"));
      resolve({ kind: "retry" });
    });
  });
  const asking = (async () => receiver.receive(notice, controller.signal))();
  try {
    return await Promise.race([asking, late]);
  } catch (error) {
    kernel.report(error, `telling ${receiver.name} of write ${notice.write.id}`);
    return { kind: "retry" };
  } finally {
    cancel();
  }
}

function nextAttempt(kernel: Kernel, attempts: number, afterMs = 0): Instant {
  const gap = gapsSeconds[Math.min(attempts, gapsSeconds.length) - 1] ?? 0;
  // ±10 %, so that what failed together does not come back together.
  const jitter = 0.9 + 0.2 * kernel.random.fraction();
  return kernel.clock.now() + Math.max(Math.round(gap * 1000 * jitter), afterMs);
}

/** Tells one receiver of one write. */
export async function tellReceiver(kernel: Kernel, row: DeliveryRow): Promise<DeliveryEnd> {
  const { kind, writeId, attempts } = row;
  const name = kind.slice(kindPrefix.length);
  const receiver = kernel.receivers.find((candidate) => candidate.name === name);
  const stored = writeId === null ? undefined : await kernel.store.readWrite(writeId);
  // Another process may know a receiver that this one does not: while it is new, nobody is given up.
  const began = kernel.clock.now();
  const answer =
    receiver && stored
      ? await ask(kernel, receiver, noticeOf(stored, JSON.parse(row.body).seq))
      : ({ kind: "retry" } as const);
  const givenUp = answer.kind === "gone" || (answer.kind === "retry" && attempts >= mostAttempts);
  if (kernel.observer.isWatched()) {
    const at = kernel.clock.now();
    const result = givenUp ? "given_up" : answer.kind === "received" ? "received" : "retry";
    const durationMs = at - began;
    kernel.observer.emit({ type: "told", at, receiver: name, writeId, attempts, result, durationMs });
  }
  if (answer.kind === "received") return "over";
  if (givenUp) {
    const why = answer.kind === "gone" ? "it wants nothing more" : `it failed ${attempts} times`;
    kernel.report(new Error(why), `giving up telling ${name} of write ${writeId}`);
    return "over";
  }
  return { againAt: nextAttempt(kernel, attempts, answer.kind === "retry" ? answer.afterMs : 0) };
}
