import type { WriteState } from "../card/model.ts";
import type { Write } from "../flow/write.ts";
import type { StoredWrite } from "../ports/store.ts";
import { checkNow } from "./check-now.ts";
import type { OperatorView } from "./engine.ts";
import { eraseCustomer } from "./erase.ts";
import { fold, handle, load } from "./handle.ts";
import type { Kernel } from "./kernel.ts";
import { toOperatorWrite } from "./view.ts";
import type { ExportedEvent, ExportedJournal } from "./views.ts";

/** A stored journal as it is exported: every event, with what its commits commit to where that still exists. */
function exportJournal(stored: StoredWrite): ExportedJournal {
  const plains = new Map(stored.plains.map((plain) => [plain.seq, plain]));
  const events = stored.events.map((row): ExportedEvent => {
    const plain = plains.get(row.seq);
    return {
      ...row,
      by: JSON.parse(row.by),
      body: JSON.parse(row.body),
      commits: JSON.parse(row.commits),
      // The write's own idempotency key stays inside: it would let a reader act in the provider's eyes.
      ...(plain && {
        plain: {
          salt: plain.salt,
          ...(plain.args !== null && { args: JSON.parse(plain.args) }),
          ...(plain.card !== null && { card: JSON.parse(plain.card) }),
          ...(plain.plan !== null && { plan: JSON.parse(plain.plan) }),
          ...(plain.outcome !== null && { outcome: JSON.parse(plain.outcome) }),
        },
      }),
    };
  });
  return { writeId: stored.row.id, head: stored.events.at(-1)?.hash ?? "", events };
}

/** What the people who run the place may do, by one kernel. */
export function makeOperatorView(kernel: Kernel): OperatorView {
  return {
    async list({ state, tool, conversationId, attention, limit = 50, cursor }) {
      const { rows, nextCursor } = await kernel.store.listWrites({
        ...(state !== undefined && { state: state as WriteState }),
        ...(tool !== undefined && { tool }),
        ...(conversationId !== undefined && { conversationId }),
        ...(attention === true && { attention }),
        limit,
        ...(cursor !== undefined && { cursor }),
      });
      const writes = await Promise.all(rows.map((row) => load(kernel, row.id)));
      return {
        writes: writes.filter((write): write is Write => write !== undefined).map(toOperatorWrite),
        nextCursor,
      };
    },

    async read(writeId) {
      const write = await load(kernel, writeId);
      return write ? toOperatorWrite(write) : { refused: "not_found" };
    },

    async journal(writeId) {
      const stored = await kernel.store.readWrite(writeId);
      if (!stored) return { refused: "not_found" };
      // Folding proves that the journal replays; a damaged one is not handed out as if it were whole.
      fold(stored);
      return exportJournal(stored);
    },

    async resolve({ writeId, outcome, note, operator }) {
      const handled = await handle(kernel, writeId, () => ({
        type: "resolve",
        at: kernel.clock.now(),
        by: { kind: "operator", ref: operator },
        outcome,
        note,
        salt: kernel.random.salt(),
      }));
      return "refused" in handled ? handled : toOperatorWrite(handled.write);
    },

    async check(check) {
      const write = await checkNow(kernel, check);
      return "refused" in write ? write : toOperatorWrite(write);
    },

    erase: (erase) => eraseCustomer(kernel, erase),
  };
}
