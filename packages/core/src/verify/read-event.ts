import { canonical } from "../base/canonical.ts";
import { isPlainObject, type Json, type JsonObject } from "../base/json.ts";
import { visible } from "../base/text.ts";
import type { Note } from "./proof.ts";

/** The members of an event that its hash covers, in canonical order. */
export const hashedNames = ["at", "body", "by", "commits", "prev", "seq", "type", "v", "writeId"] as const;

type HashedName = (typeof hashedNames)[number];

/** The canonical texts of what an event's hash covers. */
export type HashedTexts = Readonly<Record<HashedName, string>>;

/** One event of an export whose members are all there and of the right kind. */
export type ReadEvent = {
  readonly writeId: string;
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly body: JsonObject;
  readonly commits: Readonly<Record<string, string>>;
  readonly prev: string;
  readonly hash: string;
  readonly plain: JsonObject | undefined;
  readonly texts: HashedTexts;
};

/** True for a lower-case hexadecimal SHA-256. */
export function isHash(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

/** A name out of an untrusted file, fit for a message. */
export function nameOf(name: string): string {
  return `"${visible(name.length > 60 ? `${name.slice(0, 60)}…` : name)}"`;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

const commitNames = ["args", "card", "plan", "outcome"];

function faultOfCommits(value: unknown): string | undefined {
  if (!isPlainObject(value)) return "is no object";
  for (const [name, commit] of Object.entries(value)) {
    if (!commitNames.includes(name)) return `names ${nameOf(name)}, which nothing can be committed under`;
    if (!isHash(commit)) return `holds for ${name} no SHA-256 in lower-case hexadecimal`;
  }
  return undefined;
}

function kind(fits: (value: unknown) => boolean, otherwise: string): (value: unknown) => string | undefined {
  return (value) => (fits(value) ? undefined : otherwise);
}

const isHashOrNot = kind(isHash, "is no SHA-256 in lower-case hexadecimal");
const isObjectOrNot = kind(isPlainObject, "is no object");
const isTextOrNot = kind((value) => typeof value === "string", "is no text");

/** What is wrong with each member on its own; undefined where nothing is. */
const members: Readonly<Record<HashedName | "hash", (value: unknown) => string | undefined>> = {
  writeId: isTextOrNot,
  seq: kind(isCount, "is no whole number from 1 on"),
  at: kind(Number.isSafeInteger, "is no whole number of milliseconds"),
  type: isTextOrNot,
  v: kind((value) => value === 1, "is not 1, the only version of events that is known here"),
  by: isObjectOrNot,
  body: isObjectOrNot,
  commits: faultOfCommits,
  prev: isHashOrNot,
  hash: isHashOrNot,
};

/** The canonical text of a value, or why it has none. */
function textOf(value: unknown): { readonly text: string } | { readonly fault: string } {
  try {
    return { text: canonical(value) };
  } catch (error) {
    return {
      fault: `has no canonical form: ${error instanceof Error ? error.message : "it cannot be read"}`,
    };
  }
}

/**
 * Reads one event of an export, noting every member that is missing, of the wrong kind, or not part of the format; an
 * event with such a fault is answered with undefined. What is answered is a copy: nothing can change it meanwhile.
 */
export function readEvent(
  raw: unknown,
  note: (what: string, problem: string) => void,
): ReadEvent | undefined {
  if (!isPlainObject(raw)) {
    note("event", "is no object");
    return undefined;
  }
  const texts: Record<string, string> = {};
  const values: Record<string, Json> = {};
  let sound = true;
  const spoil = (what: string, problem: string): void => {
    sound = false;
    note(what, problem);
  };
  for (const name of Object.keys(raw)) {
    const value: unknown = raw[name];
    if (value === undefined) continue;
    if (!Object.hasOwn(members, name) && name !== "plain") {
      spoil(nameOf(name), "is no member of an event; no hash covers it");
      continue;
    }
    const read = textOf(value);
    if ("fault" in read) {
      spoil(name, read.fault);
      continue;
    }
    texts[name] = read.text;
    values[name] = JSON.parse(read.text) as Json;
    const fault = name === "plain" ? isObjectOrNot(value) : members[name as HashedName](value);
    if (fault !== undefined) spoil(name, fault);
  }
  for (const name of Object.keys(members)) {
    if (!Object.hasOwn(raw, name) || raw[name] === undefined) spoil(name, "is missing");
  }
  return sound ? ({ ...values, plain: values.plain, texts } as unknown as ReadEvent) : undefined;
}

/** The members of an export that come before its events; undefined where it cannot be read at all. */
export type ReadJournal = {
  readonly writeId: unknown;
  readonly head: unknown;
  readonly events: readonly unknown[];
};

/** Reads what stands around the events, noting what is missing or not part of the format. */
export function readJournal(raw: unknown, note: Note): ReadJournal | undefined {
  if (!isPlainObject(raw)) {
    note(null, "journal", "is no object");
    return undefined;
  }
  for (const name of Object.keys(raw)) {
    if (!["writeId", "head", "events"].includes(name))
      note(null, nameOf(name), "is no member of an exported journal; no hash covers it");
  }
  const { writeId, head, events } = raw;
  if (typeof writeId !== "string") note(null, "writeId", "is no text");
  if (!isHash(head)) note(null, "head", "is no SHA-256 in lower-case hexadecimal");
  if (!Array.isArray(events)) {
    note(null, "events", "is no list");
    return undefined;
  }
  if (events.length === 0) {
    note(null, "events", "is empty: a journal begins with the proposal");
    return undefined;
  }
  if (Object.keys(events).length !== events.length) {
    note(null, "events", "has holes, or members that are not in the list");
    return undefined;
  }
  return { writeId, head, events };
}
