import type { WriteRow } from "./store.ts";

/** The place of a write in a list, as text for `WriteFilter.cursor`: base64url, to be handed back as it is. */
export function writeCursor({ createdAt, id }: Pick<WriteRow, "createdAt" | "id">): string {
  return Buffer.from(JSON.stringify([createdAt, id]), "utf8").toString("base64url");
}

/** The place that {@link writeCursor} wrote down. Throws a `RangeError` for any other text. */
export function parseWriteCursor(cursor: string): Pick<WriteRow, "createdAt" | "id"> {
  let place: unknown;
  try {
    place = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    place = undefined;
  }
  if (Array.isArray(place) && place.length === 2) {
    const [createdAt, id]: readonly unknown[] = place;
    if (typeof createdAt === "number" && Number.isSafeInteger(createdAt) && typeof id === "string") {
      return { createdAt, id };
    }
  }
  throw new RangeError(
    "cursor is not one that a page of this list ended with; ask for the first page, without cursor",
  );
}

/** Returns `limit` when it is a whole number from 1 to 200, and throws a `RangeError` otherwise. */
export function checkLimit(limit: number): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= 200) return limit;
  throw new RangeError(`limit is ${limit}; give a whole number from 1 to 200`);
}
