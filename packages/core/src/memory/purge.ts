import { isFinalState } from "../flow/write.ts";
import type { Store } from "../ports/store.ts";
import { parseWriteCursor, writeCursor } from "../ports/write-cursor.ts";
import type { MemoryTables } from "./tables.ts";

/** Drops plain rows of writes that ended long ago; see `Store.purgePlain`. */
export function purgePlain(
  tables: MemoryTables,
  { endedBefore, limit, cursor }: Parameters<Store["purgePlain"]>[0],
): string | null {
  const after = cursor === null ? undefined : parseWriteCursor(cursor);
  const found = [...tables.writes.values()]
    .filter(
      ({ row }) =>
        row.createdAt < endedBefore &&
        (after === undefined ||
          row.createdAt > after.createdAt ||
          (row.createdAt === after.createdAt && row.id > after.id)),
    )
    .sort((a, b) => a.row.createdAt - b.row.createdAt || (a.row.id < b.row.id ? -1 : 1));
  const looked = found.slice(0, limit);
  for (const stored of looked) {
    const ended = stored.events.at(-1)?.at ?? endedBefore;
    if (isFinalState(stored.row.state) && ended < endedBefore)
      tables.writes.set(stored.row.id, { ...stored, plains: [] });
  }
  const last = looked.at(-1);
  return found.length > limit && last !== undefined ? writeCursor(last.row) : null;
}
