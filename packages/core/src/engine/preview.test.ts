import { describe, expect, test } from "vitest";
import { rejected, stepUpRequired } from "../tool/outcome.ts";
import { call, cancelA1042, cardOf, confirm, granted, makeScene, signIn, writeIn } from "./fixtures.ts";
import { order, plan, previewed, shown } from "./preview-fixtures.ts";

test("FLOW-27 the card says what a preview found, in the conversation's language", async () => {
  const { card } = await previewed();
  expect({ effects: card.effects, warnings: card.warnings, reversible: card.reversible }).toEqual({
    effects: [
      { label: "Status", before: "open", after: "cancelled" },
      { label: "Refund", before: null, after: "€48.00", tolerance: "at least €47.00, at most €49.00" },
      { label: "To change", before: null, after: "1" },
      { label: "To remove", before: null, after: "2" },
      { label: "Affected", before: null, after: 'Mug, "Tray, large"' },
    ],
    warnings: ["The discount is lost."],
    reversible: false,
  });
});

test("FLOW-27 the targets and their versions stand in the journal and in the digest", async () => {
  const { scene, card } = await previewed();
  const { events } = granted(await scene.engine.operator.journal(card.writeId));
  expect(events[0]?.body).toMatchObject({ targets: [order("7")], digest: card.digest });
  expect(events[0]?.plain).toMatchObject({ plan: { targets: [order("7")], validSeconds: 900 } });
});

const notNow = "What this would do cannot be found out right now. Try again in a moment.";

describe("a proposal whose preview", () => {
  test.each([
    [
      "refuses is refused with the tool's message",
      () => rejected("It is on its way."),
      { refused: "preview_failed", message: "It is on its way." },
    ],
    [
      "throws is refused without one",
      () => {
        throw new Error("connection reset by 10.0.0.7");
      },
      { refused: "preview_failed", message: notNow },
    ],
    [
      "is no plan is refused, not shown in part",
      () => ({ effects: [{ label: "x" }] }),
      { refused: "preview_failed", message: notNow },
    ],
    [
      "asks for a better sign-in says so",
      () => stepUpRequired({ level: "high", maxAuthAgeSeconds: 300 }),
      { refused: "verification_required", level: "high", maxAuthAgeSeconds: 300 },
    ],
    [
      "finds nothing to do is answered so",
      () => ({ noop: true }),
      { kind: "noop", tool: "cancel_order", replayed: false },
    ],
  ])("FLOW-28 %s", async (_name, look, expected) => {
    const faults: unknown[] = [];
    const scene = makeScene({ tool: { preview: look }, report: (error) => faults.push(error) });
    await signIn(scene);
    expect(await call(scene)).toEqual(expected);
    expect(await call(scene)).toEqual(expected);
    expect((await scene.engine.operator.list({})).writes).toEqual([]);
    expect(scene.calls).toEqual([]);
  });

  test("FLOW-28 hangs is given up at the tool's time limit", async () => {
    const signals: AbortSignal[] = [];
    const preview = (_args: unknown, { signal }: { signal: AbortSignal }) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    const scene = makeScene({ tool: { preview }, report: () => {} });
    await signIn(scene);
    const asked = call(scene);
    await scene.clock.advance(15_000);
    expect(await asked).toEqual({ refused: "preview_failed", message: notNow });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});

test("RUN-21 the handler gets what was confirmed beyond its arguments, frozen", async () => {
  const { scene, session, card } = await previewed();
  granted(await confirm(scene, session, card));
  const given = scene.calls[0]?.context.plan;
  expect(given).toMatchObject({ targets: [order("7")], effects: plan.effects });
  expect(Object.isFrozen(given?.targets[0])).toBe(true);
});

test("RUN-21 a tool without preview is given no plan", async () => {
  const { scene, session, card } = await shown(makeScene());
  granted(await confirm(scene, session, card));
  expect(scene.calls[0]?.context.plan).toBeNull();
});

test("FLOW-31 a look that finds nothing left to do, or refuses, ends the write with nothing changed", async () => {
  for (const [look, message] of [
    [() => ({ noop: true }), null],
    [() => rejected("It has been sent."), "It has been sent."],
  ] as const) {
    const { world, scene, session, card } = await previewed();
    world.look = look;
    const settled = granted(await confirm(scene, session, card)).card;
    expect({ state: settled.state, message: settled.receipt?.message }).toEqual({
      state: "not_applied",
      message,
    });
    expect(granted(await confirm(scene, session, card)).card).toEqual(settled);
    expect(scene.calls).toEqual([]);
  }
});

test("FLOW-31 a look that cannot be made leaves the write as it is, and the next confirm looks again", async () => {
  const { world, scene, session, card } = await previewed();
  world.look = () => {
    throw new Error("down");
  };
  expect(await confirm(scene, session, card)).toEqual({ refused: "preview_unavailable" });
  expect(await cardOf(scene, session)).toEqual(card);
  world.look = () => plan;
  expect(granted(await confirm(scene, session, card)).card.state).toBe("applied");
});

test("FLOW-31 a look that asks for a better sign-in leaves the write as it is", async () => {
  const { world, scene, session, card } = await previewed();
  world.look = () => stepUpRequired({ level: "high" });
  expect(await confirm(scene, session, card)).toEqual({ refused: "verification_required", level: "high" });
  expect(await cardOf(scene, session)).toEqual(card);
});

test("FLOW-28 an edit looks again too, and changes nothing where the look refuses or fails", async () => {
  const { world, scene, session, card } = await previewed();
  const edit = () =>
    scene.engine.customer.edit({
      session,
      writeId: card.writeId,
      version: 1,
      values: { "/reason": "other" },
    });
  world.look = () => rejected("Not for that reason.");
  expect(await edit()).toEqual({ refused: "preview_failed", message: "Not for that reason." });
  world.look = () => ({ noop: true });
  expect(await edit()).toMatchObject({ refused: "preview_failed" });
  world.look = () => {
    throw new Error("down");
  };
  expect(await edit()).toEqual({ refused: "preview_unavailable" });
  expect(await cardOf(scene, session)).toEqual(card);
  world.look = () => ({ ...plan, reversible: true });
  expect(granted(await edit())).toMatchObject({
    consequencesChanged: true,
    card: { version: 2, reversible: true },
  });
});

test("FLOW-29 the look is made for the customer who is asked, with the arguments as they stand", async () => {
  const looks: unknown[] = [];
  const preview = (args: unknown, context: { customer: unknown }) => {
    looks.push([args, (context.customer as { customerId: string }).customerId, "idempotencyKey" in context]);
    return plan;
  };
  const { scene, session, card } = await previewed({ preview });
  const { card: edited } = granted(
    await scene.engine.customer.edit({
      session,
      writeId: card.writeId,
      version: 1,
      values: { "/reason": "other" },
    }),
  );
  granted(await confirm(scene, session, edited));
  const other = { ...cancelA1042, reason: "other" };
  expect(looks).toEqual([cancelA1042, other, other].map((args) => [args, "cus_ana", false]));
});

test("FLOW-29 of many confirms at once after a change, each is told the new version and nothing runs", async () => {
  const { world, scene, session, card } = await previewed();
  world.look = () => ({ ...plan, targets: [order("8")] });
  const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(scene, session, card)));
  expect(new Set(answers.map((answer) => ("refused" in answer ? answer.refused : "ran")))).toEqual(
    new Set(["drifted", "stale_version"]),
  );
  expect((await cardOf(scene, session)).version).toBe(2);
  expect(scene.calls).toEqual([]);
});

test("RUN-11 a tool without confirmation runs with what its look found, and not where that refuses", async () => {
  const { world, scene } = await previewed({ confirmation: "none" });
  expect(scene.calls.map(({ context }) => context.plan?.targets)).toEqual([[order("7")]]);
  world.look = () => rejected("No.");
  expect(await call(scene)).toEqual({ refused: "preview_failed", message: "No." });
  expect(scene.calls).toHaveLength(1);
});

test("FLOW-29 the first customer to verify is asked anew, and a confirm looks for them", async () => {
  const seen: unknown[] = [];
  const preview = (_args: unknown, context: { customer: { customerId: string } | null }) => {
    seen.push(context.customer?.customerId ?? null);
    return context.customer ? { ...plan, effects: [plan.effects[0]] } : plan;
  };
  const scene = makeScene({ tool: { customer: "any", preview } });
  writeIn(await call(scene));
  const session = await signIn(scene);
  const card = await cardOf(scene, session);
  expect(card.version).toBe(2);
  expect(await confirm(scene, session, card)).toMatchObject({ refused: "drifted", card: { version: 3 } });
  expect(seen).toEqual([null, "cus_ana"]);
  expect(granted(await confirm(scene, session, await cardOf(scene, session))).card.state).toBe("applied");
});

test("FLOW-27 a bound that grows with time reads as a number on a later version too", async () => {
  const price = {
    type: "price",
    label: "Price",
    before: null,
    after: 100,
    tolerance: { perSecond: 0.5 },
  } as const;
  const { scene, session, card } = await previewed({ preview: () => ({ effects: [price] }) });
  await scene.clock.advance(333);
  const edit = { session, writeId: card.writeId, version: 1, values: { "/reason": "other" } };
  const { card: edited } = granted(await scene.engine.customer.edit(edit));
  expect(edited.effects[0]?.tolerance).toBe("at least -350, at most 550");
});
