import fc from "fast-check";
import { expect, test } from "vitest";
import { canonical } from "../base/canonical.ts";
import type { Json } from "../base/json.ts";
import type { ExportedJournal } from "../engine/views.ts";
import { exampleJournal, shapes } from "./fixtures.ts";
import { verifyJournal } from "./verify-journal.ts";

const journals: readonly ExportedJournal[] = await Promise.all(shapes.map(exampleJournal));

type Path = readonly (string | number)[];

/** Every place in a value, the value itself aside. */
function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, below]) => {
    const place = [...path, Array.isArray(value) ? Number(name) : name];
    return [place, ...placesIn(below, place)];
  });
}

/** Something else of the same kind, near enough to be overlooked. */
function otherThan(value: Json, dice: number): Json {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + (dice % 2 === 0 ? 1 : -1);
  if (value === null) return 0;
  if (typeof value !== "string") return null;
  if (value === "") return "0";
  const at = dice % value.length;
  const flipped = String.fromCharCode(value.charCodeAt(at) ^ (1 << (dice % 7)));
  return value.slice(0, at) + flipped + value.slice(at + 1);
}

/** A copy of a journal in which one place is changed, renamed, removed, or has a neighbour it did not have. */
function tamper(journal: ExportedJournal, path: Path, how: string, dice: number): Json {
  const copy = structuredClone(journal) as unknown as Json;
  const parent = path.slice(0, -1).reduce<Json>((at, name) => (at as never)[name], copy) as {
    [name: string]: Json;
  };
  const name = String(path.at(-1));
  const value = parent[name] as Json;
  if (how === "change") parent[name] = otherThan(value, dice);
  else if (how === "insert" && Array.isArray(parent)) parent.splice(Number(name), 0, structuredClone(value));
  else if (how === "insert") parent[`${name}x`] = structuredClone(value);
  else if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else {
    delete parent[name];
    if (how === "rename") parent[otherThan(name, dice) as string] = value;
  }
  return copy;
}

/** The numbers of the events that differ; null stands for what is around them. */
function changedEvents(before: ExportedJournal, after: ExportedJournal): (number | null)[] {
  const text = (value: unknown): string => JSON.stringify(value) ?? "";
  const changed = before.events.flatMap((event, index) =>
    text(after.events?.[index]) === text(event) ? [] : [index + 1],
  );
  return changed.length > 0 && Array.isArray(after.events) ? changed : [null];
}

const reading = { numRuns: 700 };

test("PROOF-4 whatever one place of an export is changed, renamed, removed or added, it is named at its event", async () => {
  const places = fc.integer({ min: 0, max: journals.length - 1 }).chain((index) => {
    const journal = journals[index] as ExportedJournal;
    return fc.record({
      journal: fc.constant(journal),
      path: fc.constantFrom(...placesIn(journal)),
      how: fc.constantFrom("change", "rename", "remove", "insert"),
      dice: fc.nat(),
    });
  });
  await fc.assert(
    fc.asyncProperty(places, async ({ journal, path, how, dice }) => {
      const tampered = tamper(journal, path, how, dice);
      const proof = await verifyJournal(tampered);
      // What is erased looks just like this: the commits stay, and the proof counts it.
      if (path.length === 3 && path[2] === "plain" && how === "remove") {
        expect(proof).toMatchObject({ ok: true, erased: [Number(path[1]) + 1] });
        return;
      }
      const named = proof.ok ? [] : proof.faults.map(({ seq }) => seq);
      const inEvents = path[0] === "events" && path.length > 1;
      const removedLast =
        path.length === 2 && ["remove", "rename"].includes(how) && path[1] === journal.events.length - 1;
      const expected = inEvents && !removedLast ? Number(path[1]) + 1 : null;
      // A copy of an event is found where it stands the second time.
      expect(named).toContain(path.length === 2 && how === "insert" ? Number(path[1]) + 2 : expected);
    }),
    reading,
  );
}, 60_000);

test("PROOF-4 one flipped bit anywhere in the text of an export is named at its event, unless the text says the same", async () => {
  const flips = fc.record({
    journal: fc.constantFrom(...journals),
    place: fc.nat({ max: 1_000_000 }),
    bit: fc.integer({ min: 0, max: 7 }),
  });
  let named = 0;
  await fc.assert(
    fc.asyncProperty(flips, async ({ journal, place, bit }) => {
      const bytes = Buffer.from(JSON.stringify(journal));
      const at = place % bytes.length;
      bytes[at] = (bytes[at] as number) ^ (1 << bit);
      let after: ExportedJournal;
      try {
        after = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as ExportedJournal;
        if (canonical(after) === canonical(journal)) return;
      } catch {
        return;
      }
      const proof = await verifyJournal(after);
      const found = proof.ok ? [] : proof.faults.map(({ seq }) => seq);
      expect(changedEvents(journal, after).some((seq) => found.includes(seq))).toBe(true);
      named += 1;
    }),
    reading,
  );
  // Most flips leave JSON behind: this is no test of JSON.parse.
  expect(named).toBeGreaterThan(350);
}, 60_000);
