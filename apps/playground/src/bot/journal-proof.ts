import { createHash } from "node:crypto";
import type { WireJournal } from "./countersign-api.ts";

type Value = null | boolean | number | string | readonly Value[] | { readonly [name: string]: Value };

/** RFC 8785: names in UTF-16 order, no spaces, numbers and strings as ECMAScript writes them. */
function canonical(value: Value): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const members = Object.entries(value as { readonly [name: string]: Value });
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(",")}}`;
}

/**
 * Whether every event hashes to what it says and follows the one before.
 *
 * Written against the published description of the journal, not with the server's own code, so that it is a second opinion.
 */
export function journalIntact(journal: WireJournal): boolean {
  let prev = "0".repeat(64);
  for (const [index, { hash, ...content }] of journal.events.entries()) {
    const found = createHash("sha256")
      .update(canonical(content as Value))
      .digest("hex");
    if (content.prev !== prev || content.seq !== index + 1 || found !== hash) return false;
    prev = hash;
  }
  return journal.head === prev;
}
