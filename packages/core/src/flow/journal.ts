import { canonical } from "../base/canonical.ts";
import type { Instant } from "../base/clock.ts";
import { sha256 } from "../base/digest.ts";
import type { JournalRow, PlainRow, StoredWrite } from "../ports/store.ts";
import type { DraftEvent, DraftPlain, JournalEvent, Plain } from "./events.ts";

/** What stands as `prev` of a journal's first event. */
export const firstPrev: string = "0".repeat(64);

type Envelope = Omit<JournalRow, "hash">;

/**
 * The hash of an event: SHA-256 of the canonical JSON of all its other members. `by`, `body` and `commits` are canonical
 * already, so the text is put together in sorted order without parsing them again.
 */
function hashOf(row: Envelope): string {
  return sha256(
    `{"at":${row.at},"body":${row.body},"by":${row.by},"commits":${row.commits},"prev":"${row.prev}","seq":${row.seq},` +
      `"type":"${row.type}","v":${row.v},"writeId":${JSON.stringify(row.writeId)}}`,
  );
}

/** Numbers, chains and hashes drafts that follow `tail`, as rows to store. */
export function sealEvents(
  tail: { readonly writeId: string; readonly seq: number; readonly head: string },
  drafts: readonly DraftEvent[],
  at: Instant,
): {
  readonly rows: [JournalRow, ...JournalRow[]];
  readonly plains: PlainRow[];
  /** The same events as read back from the rows. */
  readonly events: readonly JournalEvent[];
} {
  const rows: JournalRow[] = [];
  const events: JournalEvent[] = [];
  const plains: PlainRow[] = [];
  let { seq, head } = tail;
  for (const draft of drafts) {
    seq += 1;
    const { type, by, body, plain } = draft;
    const { writeId } = tail;
    const commits = commitsOf(plain);
    const row: Writable<JournalRow> = {
      writeId,
      seq,
      at,
      type,
      v: 1,
      by: canonical(by),
      body: canonical(body),
      commits: canonical(commits),
      prev: head,
      hash: "",
    };
    row.hash = hashOf(row);
    head = row.hash;
    rows.push(row);
    // The draft's own plain holds texts too; what is read back from the rows holds the values only.
    const read = { writeId, seq, at, type, by, body, commits, hash: head, plain: plain && plainOf(plain) };
    events.push(read as JournalEvent);
    if (plain) {
      plains.push({
        writeId,
        seq,
        salt: plain.salt,
        args: plain.args?.text ?? null,
        card: plain.card?.text ?? null,
        plan: plain.plan?.text ?? null,
        outcome: plain.outcome?.text ?? null,
        idempotencyKey: plain.idempotencyKey ?? null,
      });
    }
  }
  return { rows: rows as [JournalRow, ...JournalRow[]], plains, events };
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

// Member by member here and below: each spread of a member that may be absent costs as much as a short text's hash.
function commitsOf(plain: DraftPlain | undefined): JournalEvent["commits"] {
  const commits: Writable<JournalEvent["commits"]> = {};
  if (plain?.args) commits.args = plain.args.commit;
  if (plain?.card) commits.card = plain.card.commit;
  if (plain?.plan) commits.plan = plain.plan.commit;
  if (plain?.outcome) commits.outcome = plain.outcome.commit;
  return commits;
}

function plainOf(draft: DraftPlain): Plain {
  const plain: Writable<Plain> = { salt: draft.salt };
  if (draft.args) plain.args = draft.args.value;
  if (draft.card) plain.card = draft.card.value;
  if (draft.plan) plain.plan = draft.plan.value;
  if (draft.outcome) plain.outcome = draft.outcome.value;
  if (draft.idempotencyKey !== undefined) plain.idempotencyKey = draft.idempotencyKey;
  return plain;
}

function openPlain(row: PlainRow): Plain {
  return {
    salt: row.salt,
    ...(row.args !== null && { args: JSON.parse(row.args) }),
    ...(row.card !== null && { card: JSON.parse(row.card) }),
    ...(row.plan !== null && { plan: JSON.parse(row.plan) }),
    ...(row.outcome !== null && { outcome: JSON.parse(row.outcome) }),
    ...(row.idempotencyKey !== null && { idempotencyKey: row.idempotencyKey }),
  };
}

/** Reads one stored event back. Rows are our own writing, so their texts are trusted here. */
function openEvent(row: JournalRow, plain: PlainRow | undefined): JournalEvent {
  return {
    writeId: row.writeId,
    seq: row.seq,
    at: row.at,
    type: row.type,
    by: JSON.parse(row.by),
    body: JSON.parse(row.body),
    commits: JSON.parse(row.commits),
    hash: row.hash,
    plain: plain && openPlain(plain),
  } as JournalEvent;
}

/** Reads a stored write's journal back, in order. */
export function openEvents(stored: Pick<StoredWrite, "events" | "plains">): JournalEvent[] {
  const plains = new Map(stored.plains.map((plain) => [plain.seq, plain]));
  return stored.events.map((row) => openEvent(row, plains.get(row.seq)));
}
