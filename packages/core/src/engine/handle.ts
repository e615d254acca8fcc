import { IntegrityError } from "../base/errors.ts";
import { apply, replay } from "../flow/apply.ts";
import { rowOf } from "../flow/due.ts";
import type { DraftEvent } from "../flow/events.ts";
import { firstPrev, openEvents, sealEvents } from "../flow/journal.ts";
import { type Command, rule } from "../flow/machine.ts";
import type { Refusal } from "../flow/refusal.ts";
import { type Ruling, refuse } from "../flow/ruling.ts";
import type { Write } from "../flow/write.ts";
import type { Append, AppendResult, KeyRow, StoredWrite, WriteAppend } from "../ports/store.ts";
import { chatDeliveries } from "./chats/duties.ts";
import { type Kernel, maxRounds } from "./kernel.ts";
import { recordedEvents } from "./observe.ts";
import { deliveriesOf } from "./tell.ts";

/** Folds a stored write. */
export function fold(stored: StoredWrite): Write {
  return replay(openEvents(stored));
}

/** Reads and folds a write; undefined when there is none. */
export async function load(kernel: Kernel, writeId: string): Promise<Write | undefined> {
  const stored = await kernel.store.readWrite(writeId);
  if (!stored) return undefined;
  const write = fold(stored);
  kernel.recent.put(write);
  return write;
}

/** A write's next events, ready to append, and the write as it stands after them. */
export type Step = { readonly write: Write; readonly append: WriteAppend };

/** Seals ruled events after `write` (undefined for a new one). */
export function stepOf(
  kernel: Kernel,
  writeId: string,
  write: Write | undefined,
  drafts: readonly DraftEvent[],
): Step {
  const tail = { writeId, seq: write?.seq ?? 0, head: write?.head ?? firstPrev };
  const { rows, plains, events } = sealEvents(tail, drafts, kernel.clock.now());
  const after = events.reduce<Write | undefined>(apply, write);
  if (!after) throw new IntegrityError(`write ${writeId}: no events to append`);
  return { write: after, append: { row: rowOf(after), events: rows, plains } };
}

/** Appends steps of one or several writes in one transaction. */
export async function appendSteps(
  kernel: Kernel,
  steps: readonly Step[],
  rest: Partial<Pick<Append, "guards" | "conversations" | "key" | "erase" | "deliveries">> = {},
): Promise<AppendResult> {
  const deliveries = [...deliveriesOf(kernel, steps), ...(rest.deliveries ?? [])];
  if (kernel.channels.size > 0)
    deliveries.push(...(await chatDeliveries(kernel, steps, rest.conversations ?? [])));
  const result = await kernel.store.append({
    guards: rest.guards ?? [],
    conversations: rest.conversations ?? [],
    writes: steps.map((step) => step.append),
    key: rest.key ?? null,
    ...(rest.erase && { erase: rest.erase }),
    deliveries,
    now: kernel.clock.now(),
  });
  if (result.kind !== "appended") return result;
  if (deliveries.length > 0) kernel.bell.ring();
  for (const { write, append } of steps) {
    kernel.recent.put(write);
    if (!kernel.observer.isWatched()) continue;
    for (const event of recordedEvents(append.row, append.events)) kernel.observer.emit(event);
  }
  return result;
}

/** Records that time is up, so that whoever is told "expired" finds it so; a loser of this race was told the truth too. */
async function expireOverdue(kernel: Kernel, write: Write): Promise<void> {
  const ruling = rule(write, { type: "expire", at: kernel.clock.now() });
  if (ruling.kind === "events") await appendSteps(kernel, [stepOf(kernel, write.id, write, ruling.events)]);
}

/** What came of one command: the write as it now stands, and whether this very call changed it. */
export type Handled = { readonly kind: "changed" | "repeat"; readonly write: Write };

/**
 * Reads, rules, appends; and again when somebody else was faster, until the rule has the last word on what is stored.
 *
 * `commandFor` sees the write as it stands and may refuse before any rule does. `epoch` guards the append against a
 * change of customer. `known` is a write as it stood a moment ago: it and what this process remembers spare the first
 * read where the append succeeds; nothing is refused on their word. `key` is claimed together with a `confirmed`;
 * where somebody has it already, that is a `call_in_progress`.
 */
export async function handle(
  kernel: Kernel,
  writeId: string,
  commandFor: (write: Write) => Command | Refusal | Promise<Command | Refusal>,
  options: { readonly epoch?: number; readonly known?: Write; readonly key?: KeyRow } = {},
): Promise<Handled | Refusal> {
  const remembered = options.known ?? kernel.recent.get(writeId);
  let fresh = remembered === undefined;
  let write = remembered ?? (await load(kernel, writeId));
  for (let round = 0; round < maxRounds; round += 1) {
    if (!write) return { refused: "not_found" };
    const command = await commandFor(write);
    const ruling: Ruling = "refused" in command ? refuse(command) : rule(write, command);
    if (ruling.kind !== "events" && !fresh) {
      fresh = true;
      write = await load(kernel, writeId);
      continue;
    }
    if (ruling.kind === "repeat") return { kind: "repeat", write };
    if (ruling.kind === "refusal") {
      if (ruling.refusal.refused === "expired") await expireOverdue(kernel, write);
      return ruling.refusal;
    }
    const step = stepOf(kernel, writeId, write, ruling.events);
    const { conversationId } = write;
    const guards = options.epoch === undefined ? [] : [{ conversationId, epoch: options.epoch }];
    const result = await appendSteps(kernel, [step], {
      guards,
      key: ruling.events.some(({ type }) => type === "confirmed") ? (options.key ?? null) : null,
    });
    if (result.kind === "appended") return { kind: "changed", write: step.write };
    if (result.on === "key") return { refused: "call_in_progress" };
    if (result.on === "epoch") return { refused: "session_ended", reason: "customer_changed" };
    fresh = true;
    write = await load(kernel, writeId);
  }
  throw new IntegrityError(`write ${writeId}: gave up after ${maxRounds} lost races`);
}
