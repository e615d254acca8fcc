import { canonical } from "../base/canonical.ts";
import { sha256 } from "./hash.ts";
import type { Note } from "./proof.ts";
import { type HashedTexts, hashedNames, type ReadEvent } from "./read-event.ts";

/** What stands as `prev` of the first event. */
const firstPrev = "0".repeat(64);

/** An event with the number it should have and the hash that its members give. */
export type Link = { readonly seq: number; readonly event: ReadEvent; readonly computed: string };

function hashOf(texts: HashedTexts): Promise<string> {
  return sha256(`{${hashedNames.map((name) => `"${name}":${texts[name]}`).join()}}`);
}

/** What is known of the place of an event in the chain. */
type Place = {
  readonly seq: number;
  readonly writeId: unknown;
  /** Hash of the event before; undefined where that cannot be read. */
  readonly before: string | undefined;
  /** What the event after (or the head, after the last) says this one's hash is. */
  readonly saidAfter: unknown;
};

/** Which one member was changed, where putting back what it has to be gives the hash again. */
async function changedMember({ hash, texts }: ReadEvent, place: Place): Promise<string | undefined> {
  const candidates: readonly (readonly [keyof HashedTexts, unknown])[] = [
    ["prev", place.before],
    ["seq", place.seq],
    ["writeId", place.writeId],
  ];
  for (const [name, value] of candidates) {
    if (typeof value !== "string" && typeof value !== "number") continue;
    if ((await hashOf({ ...texts, [name]: canonical(value) })) === hash) return name;
  }
  return undefined;
}

async function noteHash(event: ReadEvent, computed: string, place: Place, note: Note): Promise<void> {
  if (place.saidAfter === computed) {
    note(place.seq, "hash", `was changed: the event's own members and what follows say ${computed}`);
    return;
  }
  const changed = await changedMember(event, place);
  if (changed !== undefined) {
    note(place.seq, changed, "was changed: with what has to stand there the event has its hash again");
    return;
  }
  note(
    place.seq,
    "hash",
    `is not that of the event, which is ${computed}: one of ${hashedNames.join(", ")} or the hash was changed`,
  );
}

/** The write that the events are of: what the journal says, unless not one of them says so too. */
function writeIdOf(said: unknown, events: readonly (ReadEvent | undefined)[], note: Note): unknown {
  const own = events.filter((event) => event !== undefined).map(({ writeId }) => writeId);
  if (own.length === 0 || own.includes(said as string)) return said;
  if (typeof said === "string") note(null, "writeId", "is not that of the events");
  return own[0];
}

/** The number an event has to have: one more than the event before, whatever that says, or its place in the list. */
function numberOf(event: ReadEvent | undefined, index: number, before: ReadEvent | undefined): number {
  const own = event?.seq;
  return own !== undefined && before !== undefined && own === before.seq + 1 ? own : index + 1;
}

/**
 * Follows the chain: numbers, one write, each event's own hash and that of the event before. Answers with every event that
 * could be read and with how many of them, from the first on, are beyond doubt.
 */
export async function followChain(
  journal: { readonly writeId: unknown; readonly head: unknown },
  events: readonly (ReadEvent | undefined)[],
  note: Note,
): Promise<{ readonly links: readonly Link[]; readonly sound: number }> {
  const links: Link[] = [];
  let faults = 0;
  let sound = 0;
  const found: Note = (...fault) => {
    faults += 1;
    note(...fault);
  };
  const writeId = writeIdOf(journal.writeId, events, note);
  let before: { readonly hash: string; readonly computed: string } | undefined = {
    hash: firstPrev,
    computed: firstPrev,
  };
  for (const [index, event] of events.entries()) {
    const seq = numberOf(event, index, events[index - 1]);
    if (event === undefined) {
      faults += 1;
      before = undefined;
      continue;
    }
    const computed = await hashOf(event.texts);
    const last = index === events.length - 1;
    const saidAfter = last ? journal.head : events[index + 1]?.prev;
    const place: Place = { seq, writeId, before: before?.hash, saidAfter };
    if (event.hash !== computed) {
      await noteHash(event, computed, place, found);
    } else {
      if (before !== undefined && event.prev !== before.hash && event.prev !== before.computed)
        found(seq, "prev", `is not the hash of the event before it${said(index)}`);
      if (event.writeId !== writeId) found(seq, "writeId", "is not that of the other events");
    }
    if (event.seq !== seq)
      found(
        seq,
        "seq",
        `is ${event.seq} where ${seq} has to stand: an event is missing, moved or there twice`,
      );
    links.push({ seq, event, computed });
    before = { hash: event.hash, computed };
    if (faults === 0) sound = links.length;
  }
  noteHead(journal.head, links, events, note);
  return { links, sound };
}

function said(index: number): string {
  return index === 0
    ? ", which for the first event are 64 zeros: its beginning is missing"
    : ": one was removed, inserted or moved here";
}

function noteHead(
  head: unknown,
  links: readonly Link[],
  events: readonly (ReadEvent | undefined)[],
  note: Note,
): void {
  const last = events.at(-1);
  // What was noted of the last event already says why it cannot be the head.
  if (typeof head !== "string" || last === undefined) return;
  const computed = links.at(-1)?.computed;
  if (head === last.hash || head === computed) return;
  const earlier = links.find(({ event }) => event.hash === head);
  note(
    null,
    "head",
    earlier === undefined
      ? `is not the hash of the last event, number ${links.at(-1)?.seq}: the tail is missing, or the head was changed`
      : `is the hash of event ${earlier.seq}, and not of the last one: what follows was added, or the head was changed`,
  );
}
