import { followChain, type Link } from "./chain.ts";
import { checkCommits, makesVersion } from "./commits.ts";
import { requireSha256 } from "./hash.ts";
import { followLife } from "./life.ts";
import type { Anchor, JournalProof, Note, ProofFault } from "./proof.ts";
import { isHash, type ReadEvent, readEvent, readJournal } from "./read-event.ts";
import { checkShown } from "./shown.ts";

function place(head: string, links: readonly Link[], note: Note): Anchor | null {
  const last = links.at(-1)?.event;
  if (!isHash(head)) {
    note(null, "head", "that was given is no SHA-256 in lower-case hexadecimal");
    return null;
  }
  const found = links.find(({ event }) => event.hash === head);
  if (found !== undefined) return { seq: found.seq, since: links.length - links.indexOf(found) - 1 };
  note(
    null,
    "head",
    `the journal ends at event ${links.at(-1)?.seq} with hash ${last?.hash}; the given head is not in it: its tail is missing, or it is another journal`,
  );
  return null;
}

async function prove(
  exported: unknown,
  given: string | undefined,
  note: Note,
): Promise<JournalProof | undefined> {
  const journal = readJournal(exported, note);
  if (journal === undefined) return undefined;
  let before: ReadEvent | undefined;
  const events = journal.events.map((raw, index) => {
    let seq = index + 1;
    const noted: [what: string, problem: string][] = [];
    const event = readEvent(raw, (what, problem) => noted.push([what, problem]));
    if (event !== undefined && before !== undefined && event.seq === before.seq + 1) seq = event.seq;
    for (const [what, problem] of noted) note(seq, what, problem);
    before = event;
    return event;
  });
  const { links, sound } = await followChain(journal, events, note);
  for (const link of links) {
    await checkCommits(link, note);
    if (makesVersion(link.event.type)) checkShown(link, note);
  }
  // Of events that were tampered with, and of those after them, the order of things proves nothing.
  const upTo = sound === journal.events.length ? "end" : "damage";
  const life = followLife(links.slice(0, sound), upTo, note);
  const last = links.at(-1);
  if (last === undefined) return undefined;
  const anchor = given === undefined ? null : place(given, links, note);
  const { state, versions, decision, confirmationRequired, runs, contradictions } = life;
  const erased = links.filter(
    ({ event }) => event.plain === undefined && Object.keys(event.commits).length > 0,
  );
  return {
    ok: true,
    writeId: last.event.writeId,
    head: last.event.hash,
    events: links.length,
    state,
    versions,
    decision,
    confirmationRequired,
    runs,
    contradictions,
    erased: erased.map(({ seq }) => seq),
    anchor,
  };
}

/**
 * Verifies an exported journal (what `GET /v1/writes/{id}/journal` answers) by itself: that no event was changed, removed,
 * inserted or moved, that the plain values which are still there are the ones committed to, and that what was shown is what
 * was confirmed and what ran.
 *
 * Takes anything and throws for no input; what does not hold is named event by event. `head` is a hash that was kept
 * outside, such as the head of an earlier export: with it a missing tail is noticed too. Needs Web Crypto (throws a
 * ConfigurationError without it), asks nothing of a network and of no other module of the engine.
 */
export async function verifyJournal(
  exported: unknown,
  options: { readonly head?: string } = {},
): Promise<JournalProof> {
  requireSha256();
  const faults: ProofFault[] = [];
  const note: Note = (seq, what, problem) => void faults.push({ seq, what, problem });
  let proof: JournalProof | undefined;
  try {
    proof = await prove(exported, options.head, note);
  } catch (error) {
    const name = error instanceof Error ? error.name : typeof error;
    note(null, "journal", `cannot be read: looking at it threw ${name}`);
  }
  const [first, ...rest] = faults;
  if (first !== undefined) return { ok: false, faults: [first, ...rest] };
  return proof ?? { ok: false, faults: [{ seq: null, what: "journal", problem: "cannot be read" }] };
}
