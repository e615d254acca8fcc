import { IntegrityError } from "../base/errors.ts";
import type { Append, WriteAppend } from "./store.ts";

function checkWrite({ row, events, plains }: WriteAppend): void {
  let seq = events[0].seq;
  for (const event of events) {
    if (event.writeId !== row.id) {
      throw new IntegrityError(
        `an append of write ${row.id} holds an event of write ${event.writeId}; append each to its own`,
      );
    }
    if (event.seq !== seq) {
      throw new IntegrityError(
        `an append of write ${row.id} holds event ${event.seq} where ${seq} follows; number events without gaps`,
      );
    }
    seq += 1;
  }
  if (row.seq !== seq - 1) {
    throw new IntegrityError(
      `the row of write ${row.id} stands at event ${row.seq}, its last event is ${seq - 1}; make them the same`,
    );
  }
  for (const plain of plains) {
    if (plain.writeId !== row.id || plain.seq < events[0].seq || plain.seq > row.seq) {
      throw new IntegrityError(
        `an append of write ${row.id} holds plain values without an event; append them with their event`,
      );
    }
  }
}

function checkErasure({ erase, writes }: Append): void {
  if (erase === undefined) return;
  for (const { row } of writes) {
    if (row.customerRef === erase.customerRef) continue;
    throw new IntegrityError(
      `an append that erases customer ${erase.customerRef} holds write ${row.id} of another; append that one apart`,
    );
  }
}

/**
 * Refuses an append that no correct program makes, before anything is read or written: for adapter authors.
 *
 * Throws an `IntegrityError` for events of another write, gaps in their numbers, a row that stands at another event, plain
 * values without event, the same write twice, and an erasure with a write of somebody else.
 */
export function checkAppend(append: Append): void {
  checkErasure(append);
  const first = append.writes[0];
  if (first === undefined) return;
  checkWrite(first);
  if (append.writes.length === 1) return;
  const ids = new Set([first.row.id]);
  for (const write of append.writes.slice(1)) {
    checkWrite(write);
    if (ids.has(write.row.id)) {
      throw new IntegrityError(
        `an append holds write ${write.row.id} twice; put all its events into one entry`,
      );
    }
    ids.add(write.row.id);
  }
}
