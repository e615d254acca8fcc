import { expect, test } from "vitest";
import { z } from "zod";
import type { Json } from "../base/json.ts";
import { memoryStore } from "../memory/store.ts";
import { createEngine } from "./create.ts";
import { cancelA1042, cardOf, confirm, granted, makeScene, proposed, signIn } from "./fixtures.ts";

type Set = Awaited<ReturnType<typeof proposed>>;

function edit(
  { scene, session, card }: Set,
  values: { readonly [pointer: string]: Json },
  version = card.version,
) {
  return scene.engine.customer.edit({ session, writeId: card.writeId, version, values });
}

test("FLOW-16 an edit makes a new version with a new digest and keeps the expiry; the agent is told what changed", async () => {
  const set = await proposed();
  await set.scene.clock.advance(60_000);
  const { card, consequencesChanged } = granted(
    await edit(set, { "/reason": "other", "/note": "Too slow." }),
  );
  expect({ version: card.version, seq: card.seq, expiresAt: card.expiresAt, consequencesChanged }).toEqual({
    version: 2,
    seq: 2,
    expiresAt: set.card.expiresAt,
    consequencesChanged: false,
  });
  expect(card.digest).not.toBe(set.card.digest);
  expect(card.changes).toEqual([
    { label: "Reason", from: "Arrives too late", to: "Another reason", by: "customer" },
    { label: "Note", from: null, to: "Too slow.", by: "customer" },
  ]);
  const { changedByCustomer } = granted(
    await set.scene.engine.agent.read({ agent: "bot", writeId: card.writeId }),
  );
  expect(changedByCustomer).toEqual([
    { label: "Reason", from: "Arrives too late", to: "Another reason" },
    { label: "Note", from: null, to: "Too slow." },
  ]);
});

test("FLOW-17 the handler gets exactly what the card showed last", async () => {
  const set = await proposed();
  const { card } = granted(await edit(set, { "/reason": "other", "/note": "Too slow." }));
  granted(await confirm(set.scene, set.session, card));
  expect(set.scene.calls.map(({ args }) => args)).toEqual([
    { orderId: "A-1042", reason: "other", note: "Too slow." },
  ]);
});

test("FLOW-13 after an edit the older version is refused, for a confirm and for an edit", async () => {
  const set = await proposed();
  const { card } = granted(await edit(set, { "/reason": "other" }));
  const stale = { refused: "stale_version", card };
  expect(await confirm(set.scene, set.session, set.card)).toEqual(stale);
  expect(await edit(set, { "/reason": "late" })).toEqual(stale);
  expect(set.scene.calls).toEqual([]);
});

test("FLOW-18 what is not declared editable cannot be edited, and nothing of such an edit is kept", async () => {
  const set = await proposed();
  const refused = await edit(set, {
    "/orderId": "A-9",
    "/reason": "other",
    "/unknown": 1,
    "": {},
    reason: "other",
  });
  expect(refused).toEqual({
    refused: "edit_not_allowed",
    issues: [
      { pointer: "/orderId", message: "cannot be changed by the customer" },
      ...["/unknown", "", "reason"].map((pointer) => ({
        pointer,
        message: 'is no field of this card; name a field by its "argument", such as "/reason"',
      })),
    ],
  });
  expect(await cardOf(set.scene, set.session)).toEqual(set.card);
});

test("FLOW-16 an edit is checked by the tool's own schema", async () => {
  const set = await proposed();
  const wrong = await edit(set, { "/reason": "because" });
  expect(wrong).toEqual({
    refused: "invalid_arguments",
    issues: [{ pointer: "/reason", message: expect.any(String) }],
  });
  expect(await edit(set, { "/reason": ["late"] })).toMatchObject({ refused: "invalid_arguments" });
  expect(await edit(set, { "/note": "\ud83d" })).toMatchObject({
    refused: "invalid_arguments",
    issues: [{ pointer: "/note" }],
  });
  expect(await cardOf(set.scene, set.session)).toEqual(set.card);
});

test("FLOW-18 an optional value can be cleared, a required one cannot", async () => {
  const set = await proposed();
  const noted = granted(await edit(set, { "/note": "Too slow." })).card;
  const cleared = granted(await edit({ ...set, card: noted }, { "/note": null }));
  expect(cleared.consequencesChanged).toBe(false);
  expect(cleared.card.changes).toEqual([{ label: "Note", from: "Too slow.", to: null, by: "customer" }]);
  expect(await edit({ ...set, card: cleared.card }, { "/reason": null })).toMatchObject({
    refused: "invalid_arguments",
    issues: [{ pointer: "/reason" }],
  });
  granted(await confirm(set.scene, set.session, cleared.card));
  expect(set.scene.calls.map(({ args }) => args)).toEqual([cancelA1042]);
});

/** A tool whose schema and card react to what is edited, so that an edit can have consequences. */
const consequential = {
  input: z
    .object({
      orderId: z.string().trim(),
      reason: z.string().default("none"),
      note: z.string().optional(),
      hidden: z.string().default("a"),
    })
    .overwrite((args) => ({ ...args, hidden: args.note === "secretly" ? "b" : "a" })),
  presentation: {
    fields: [
      { argument: "orderId", label: "Order", editable: true },
      { argument: "reason", label: "Reason", editable: true },
      { argument: "note", label: "Note", editable: true },
    ],
    omit: ["hidden"],
  },
};

test.each([
  ["a value that stays as it was submitted", { "/reason": "late again" }, false],
  ["several of them", { "/reason": "late again", "/note": "Hello." }, false],
  ["the same value once more", { "/reason": "late" }, false],
  ["no value at all", {}, false],
  ["a value that the schema tidied up", { "/orderId": " A-7 " }, true],
  ["a cleared value that a default replaced", { "/reason": null }, true],
  ["a value that changes another, hidden one", { "/note": "secretly" }, true],
])("FLOW-19 an edit of %s", async (_name, values, changed) => {
  const set = await proposed({ tool: consequential });
  expect(granted(await edit(set, values)).consequencesChanged).toBe(changed);
});

test("FLOW-20 when an edit and a confirm race, what runs is what was confirmed, or nothing", async () => {
  for (let round = 0; round < 50; round += 1) {
    const set = await proposed();
    const both = [() => edit(set, { "/reason": "other" }), () => confirm(set.scene, set.session, set.card)];
    if (round % 2 === 1) both.reverse();
    const answers = await Promise.all(both.map((one) => one()));
    const [edited, confirmed] = round % 2 === 1 ? answers.reverse() : answers;
    if (confirmed && !("refused" in confirmed)) {
      expect(edited).toMatchObject({ refused: "already_decided" });
      expect(set.scene.calls.map(({ args }) => args)).toEqual([cancelA1042]);
    } else {
      expect(confirmed).toMatchObject({ refused: "stale_version", card: { version: 2 } });
      expect(set.scene.calls).toEqual([]);
    }
  }
});

test("FLOW-20 of two edits of one version one counts", async () => {
  const set = await proposed();
  const answers = await Promise.all([edit(set, { "/note": "one" }), edit(set, { "/note": "two" })]);
  expect(
    answers.map((answer) => ("refused" in answer ? answer.refused : answer.card.version)).sort(),
  ).toEqual([2, "stale_version"]);
});

test("FLOW-22 a write whose tool was changed since never runs, and says so", async () => {
  const store = memoryStore();
  const before = await proposed({ store });
  const after = makeScene({ store, tool: { version: "2" } });
  const expected = {
    refused: "superseded",
    card: { ...before.card, state: "superseded", seq: 2, reason: "tool_changed" },
  };
  expect(await confirm(after, before.session, before.card)).toEqual(expected);
  expect(await confirm(after, before.session, before.card)).toEqual(expected);
  expect([...before.scene.calls, ...after.calls]).toEqual([]);
});

test("FLOW-22 a write whose tool was removed since cannot be edited and never runs", async () => {
  const store = memoryStore();
  const { scene, session, card } = await proposed({ store });
  const engine = createEngine({ tools: [], store, clock: scene.clock });
  const refused = await engine.customer.edit({
    session,
    writeId: card.writeId,
    version: 1,
    values: { "/reason": "other" },
  });
  expect(refused).toMatchObject({
    refused: "superseded",
    card: { state: "superseded", reason: "tool_changed", title: "Cancel this order?" },
  });
  expect(scene.calls).toEqual([]);
});

test("FLOW-16 a card keeps the language of its version", async () => {
  const set = await proposed();
  await set.scene.engine.host.startSession({
    conversationId: "c-1",
    locale: "es",
    timeZone: "Europe/Madrid",
  });
  const { card } = granted(await edit(set, { "/note": "Hola." }));
  expect([card.locale, card.timeZone]).toEqual(["en", "UTC"]);
  expect((await signIn(set.scene)).epoch).toBe(set.session.epoch);
});
