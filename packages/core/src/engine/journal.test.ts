import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonical } from "../base/canonical.ts";
import type { Json } from "../base/json.ts";
import { applied, pending, stepUpRequired } from "../tool/outcome.ts";
import { cardOf, confirm, granted, makeScene, proposed, ran, type Scene } from "./fixtures.ts";
import type { ExportedEvent, ExportedJournal } from "./views.ts";

const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");

async function journalOf({ engine }: Scene, writeId: string): Promise<ExportedJournal> {
  return granted(await engine.operator.journal(writeId));
}

/** Checks an exported journal by the published recipe alone; answers with what does not hold. */
function faultsOf({ writeId, head, events }: ExportedJournal): string[] {
  const faults: string[] = [];
  let prev = "0".repeat(64);
  for (const [index, event] of events.entries()) {
    const { hash, plain, ...hashed } = event;
    if (event.writeId !== writeId || event.seq !== index + 1 || event.prev !== prev)
      faults.push(`${index + 1}: chain`);
    if (sha256(canonical(hashed)) !== hash) faults.push(`${event.seq}: hash`);
    const values: { readonly [name: string]: Json | undefined } = {
      args: plain?.args,
      card: plain?.card,
      outcome: plain?.outcome,
    };
    for (const [name, commit] of Object.entries(event.commits)) {
      if (plain && sha256(plain.salt + canonical(values[name])) !== commit)
        faults.push(`${event.seq}: ${name}`);
    }
    if ("digest" in event.body && "principal" in event.body && digestOf(event) !== event.body.digest)
      faults.push(`${event.seq}: digest`);
    prev = hash;
  }
  if (events.at(-1)?.hash !== head) faults.push("head");
  return faults;
}

function digestOf({ body, commits }: ExportedEvent): string {
  const { tool, toolVersion, principal, targets } = body;
  return sha256(
    canonical({
      v: 1,
      tool,
      toolVersion,
      principal,
      targets,
      argsCommit: commits.args,
      cardCommit: commits.card,
    }),
  );
}

/** A write with a long life: edited, confirmed, asked to verify, pending, checked, applied. */
async function longLife(): Promise<{ readonly scene: Scene; readonly writeId: string }> {
  const { scene, session, card } = await proposed({ tool: { extend: { seconds: 900, times: 1 } } });
  const { writeId } = card;
  const { customer, host } = scene.engine;
  granted(await customer.extend({ session, writeId, version: 1 }));
  granted(await customer.edit({ session, writeId, version: 1, values: { "/note": "Too slow." } }));
  scene.handler = (_args, { attempt }) =>
    attempt === 1 ? stepUpRequired({ level: "high" }) : pending("op-1");
  granted(await confirm(scene, session, await cardOf(scene, session)));
  await host.customerVerified({
    conversationId: "c-1",
    customerId: "cus_ana",
    level: "high",
    authenticatedAt: scene.clock.now(),
  });
  await scene.clock.advance(6000);
  await scene.engine.runDue();
  scene.status = () => applied({ status: "cancelled" });
  await scene.clock.advance(20_000);
  await scene.engine.runDue();
  return { scene, writeId };
}

test("JOURNAL-2 chain, commits and digests of an export can be computed again from the published recipe", async () => {
  const { scene, writeId } = await longLife();
  const journal = await journalOf(scene, writeId);
  expect(journal.events.map(({ type }) => type)).toEqual([
    "proposed",
    "extended",
    "edited",
    "confirmed",
    "started",
    "step_up_required",
    "verified",
    "started",
    "settled",
    "checked",
    "settled",
  ]);
  expect(faultsOf(journal)).toEqual([]);
});

test("JOURNAL-2 bodies hold what the published recipe promises", async () => {
  const { scene, writeId } = await longLife();
  const { events } = await journalOf(scene, writeId);
  const body = (type: string): ExportedEvent["body"] =>
    events.find((event) => event.type === type)?.body ?? {};
  for (const type of ["proposed", "edited"]) {
    expect(Object.keys(body(type))).toEqual(
      expect.arrayContaining(["version", "digest", "tool", "toolVersion", "principal", "targets"]),
    );
  }
  expect(body("confirmed")).toEqual({ version: 2, digest: body("edited").digest, surface: "web" });
  expect(body("started")).toMatchObject({ attempt: 1, version: 2, argsCommit: events[2]?.commits.args });
  expect(body("settled")).toMatchObject({ attempt: 2, outcome: "pending" });
  const card = events[0]?.plain?.card as { readonly [name: string]: Json };
  expect(Object.keys(card).sort()).toEqual([
    "confirmLabel",
    "declineLabel",
    "description",
    "details",
    "effects",
    "fields",
    "locale",
    "reversible",
    "risk",
    "timeZone",
    "title",
    "tool",
    "warnings",
  ]);
});

test("JOURNAL-3 any flipped character of an export is noticed", async () => {
  const { scene, writeId } = await longLife();
  const journal = await journalOf(scene, writeId);
  const text = JSON.stringify(journal);
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.integer({ min: 1, max: 127 }), (place, mask) => {
      const flipped =
        text.slice(0, place) + String.fromCharCode(text.charCodeAt(place) ^ mask) + text.slice(place + 1);
      let faults: unknown[];
      try {
        const read = JSON.parse(flipped) as ExportedJournal;
        // The same journal, written in another way.
        if (canonical(read) === canonical(journal)) return;
        faults = faultsOf(read);
      } catch (error) {
        faults = [error];
      }
      expect(faults).not.toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("JOURNAL-7 a journal that does not hold together is not exported", async () => {
  const { scene, card } = await ran(() => ({ status: "cancelled" }));
  const store = {
    ...scene.store,
    async readWrite(writeId: string) {
      const stored = await scene.store.readWrite(writeId);
      return stored && { ...stored, events: stored.events.filter(({ seq }) => seq !== 2) };
    },
  };
  const damaged = makeScene({ store });
  await expect(damaged.engine.operator.journal(card.writeId)).rejects.toThrow(
    `write ${card.writeId}: event 3 follows 1`,
  );
  expect(await damaged.engine.operator.journal("wr_nobody")).toEqual({ refused: "not_found" });
});

test("JOURNAL-7 arguments that are not the ones committed to are never run", async () => {
  const { scene, session, card } = await proposed();
  const store = {
    ...scene.store,
    async readWrite(writeId: string) {
      const stored = await scene.store.readWrite(writeId);
      const plains = stored?.plains.map((plain) => ({
        ...plain,
        args: plain.args?.replace("A-1042", "A-6666") ?? null,
      }));
      return stored && plains && { ...stored, plains };
    },
  };
  const reports: string[] = [];
  const damaged = makeScene({
    store,
    report: (error, during) => reports.push(`${String(error)} while ${during}`),
  });
  const { card: after } = granted(await confirm(damaged, session, card));
  expect(after.state).toBe("not_applied");
  expect(damaged.calls).toEqual([]);
  expect(reports).toEqual([
    `IntegrityError: write ${card.writeId}: its arguments are not the confirmed ones while starting a write`,
  ]);
});
