import { UsageError } from "./usage-error.ts";

/** Something that looks like an exported journal; whether it is one is for the proof to say. */
export type JournalLike = { readonly writeId?: unknown; readonly events: readonly unknown[] };

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isJournalLike(value: unknown): value is JournalLike {
  return isObject(value) && Array.isArray(value.events);
}

/** How many members the objects in a value have, all told. Without recursion: a file may be nested as deep as it likes. */
function countNames(value: unknown): number {
  let names = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null) continue;
    const below: readonly unknown[] = Array.isArray(next) ? next : Object.values(next);
    if (!Array.isArray(next)) names += below.length;
    for (const item of below) open.push(item);
  }
  return names;
}

/**
 * JSON.parse keeps the last of two members of one name, another reader keeps the first: they would see two journals, and
 * one of them unverified. Outside strings each colon is a member.
 */
function refuseRepeated(text: string, value: unknown, source: string): void {
  const colons = text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"/g, "").split(":").length - 1;
  if (colons !== countNames(value))
    throw new Error(`${source} names a member twice in one object; readers would not agree on what it says`);
}

function parse(text: string, source: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The parser's own message would quote the file, which may hold a customer's data.
    throw new UsageError(`${source} is not JSON`, { cause: error });
  }
  refuseRepeated(text, value, source);
  return value;
}

function parseLines(text: string, source: string): unknown[] {
  return text
    .split("\n")
    .flatMap((line, index) => (line.trim() === "" ? [] : [parse(line, `${source}, line ${index + 1},`)]));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The values that a file holds: one, a list, `{ "journals": [...] }`, or one on each line. */
function valuesIn(text: string, source: string): readonly unknown[] {
  const [first = "", ...rest] = text.split("\n").filter((line) => line.trim() !== "");
  if (!isJson(text) && rest.length > 0 && isJson(first)) return parseLines(text, source);
  const value = parse(text, source);
  if (Array.isArray(value)) return value;
  return isObject(value) && Array.isArray(value.journals) ? value.journals : [value];
}

/** The journals in a file's text. Throws UsageError where it holds none, or something else beside them. */
export function readJournals(text: string, source: string): readonly JournalLike[] {
  if (text.trim() === "") throw new UsageError(`${source} is empty`);
  const values = valuesIn(text.replace(/^\ufeff/, ""), source);
  if (values.length === 0) throw new UsageError(`${source} holds no journal`);
  return values.map((value, index) => {
    if (isJournalLike(value)) return value;
    const which = values.length === 1 ? "" : `, number ${index + 1} of ${values.length},`;
    throw new UsageError(
      `${source}${which} is no exported journal: it has no list of events (export one with GET /v1/writes/{id}/journal)`,
    );
  });
}
