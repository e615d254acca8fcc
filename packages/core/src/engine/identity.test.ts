import { expect, test } from "vitest";
import {
  call,
  cancelA1042,
  cardOf,
  confirm,
  granted,
  later,
  makeScene,
  proposed,
  ran,
  signIn,
  writeIn,
} from "./fixtures.ts";

/** A scene whose cancel tool serves visitors who have not verified, with a write proposed to one of them. */
async function visited() {
  const scene = makeScene({ tool: { customer: "any" } });
  const session = await scene.engine.host.startSession({ conversationId: "c-1" });
  const { id } = writeIn(await call(scene));
  return { scene, session, id, card: await cardOf(scene, session) };
}

const ana = { conversationId: "c-1", customerId: "cus_ana", level: "standard" } as const;

test("ID-1 the first customer to verify takes over what waits, and confirms it afresh", async () => {
  const { scene, session, id, card } = await visited();
  const { engine, clock } = scene;
  const verified = await engine.host.customerVerified({ ...ana, authenticatedAt: clock.now() });
  expect(verified).toEqual({ epoch: 1, superseded: [], rebound: [id], resumed: [] });
  const ended = { refused: "session_ended", reason: "customer_changed" };
  expect(await engine.customer.card(session)).toEqual(ended);
  expect(await confirm(scene, session, card)).toEqual(ended);
  const own = await engine.host.startSession({ conversationId: "c-1" });
  const rebound = await cardOf(scene, own);
  expect(rebound).toEqual({ ...card, version: 2, seq: 2, digest: rebound.digest });
  expect(rebound.digest).not.toBe(card.digest);
  expect(await confirm(scene, own, card)).toEqual({ refused: "stale_version", card: rebound });
  expect(scene.calls).toEqual([]);
  expect(granted(await confirm(scene, own, rebound)).card.state).toBe("applied");
  expect(scene.calls.map(({ context }) => context.customer)).toEqual([
    { customerId: "cus_ana", level: "standard", authenticatedAt: clock.now() },
  ]);
});

test("ID-1 what a visitor let expire is not taken over", async () => {
  const { scene, id } = await visited();
  await scene.clock.advance(900_000);
  const verified = await scene.engine.host.customerVerified({ ...ana, authenticatedAt: scene.clock.now() });
  expect(verified).toEqual({ epoch: 1, superseded: [], rebound: [], resumed: [] });
  expect(granted(await scene.engine.agent.read({ agent: "bot", writeId: id })).state).toBe("expired");
});

test("ID-2 the same customer verifying again changes nothing and ends no session", async () => {
  const { scene, session, card } = await proposed();
  const again = await scene.engine.host.customerVerified({
    ...ana,
    level: "high",
    authenticatedAt: scene.clock.now(),
  });
  expect(again).toEqual({ epoch: 1, superseded: [], rebound: [], resumed: [] });
  expect(await cardOf(scene, session)).toEqual(card);
  expect(granted(await confirm(scene, session, card)).card.state).toBe("applied");
  expect(scene.calls[0]?.context.customer).toEqual({
    customerId: "cus_ana",
    level: "high",
    authenticatedAt: scene.clock.now(),
  });
});

test("ID-3 another customer sets aside what waits, and nothing of it runs or shows", async () => {
  const { scene, session, card } = await proposed();
  const { engine, clock } = scene;
  const { writeId } = card;
  const changed = await engine.host.customerVerified({
    ...ana,
    customerId: "cus_ben",
    authenticatedAt: clock.now(),
  });
  expect(changed).toEqual({ epoch: 2, superseded: [writeId], rebound: [], resumed: [] });
  const ended = { refused: "session_ended", reason: "customer_changed" };
  expect(await confirm(scene, session, card)).toEqual(ended);
  expect(await engine.sessionEnd(session)).toBe("customer_changed");
  const ben = await engine.host.startSession({ conversationId: "c-1" });
  expect(await engine.customer.card(ben)).toEqual({ card: null, others: [] });
  expect(await confirm(scene, ben, card)).toEqual({ refused: "not_found" });
  expect(await engine.customer.decline({ session: ben, writeId, version: 1 })).toEqual({
    refused: "not_found",
  });
  expect(scene.calls).toEqual([]);
  expect(writeIn(await call(scene)).state).toBe("proposed");
});

test("ID-3 a sign-out sets aside what waits, and nothing for a verified customer can be proposed", async () => {
  const { scene, session, card } = await proposed();
  const out = await scene.engine.host.customerSignedOut("c-1");
  expect(out).toEqual({ epoch: 2, superseded: [card.writeId] });
  expect(await confirm(scene, session, card)).toEqual({ refused: "session_ended", reason: "signed_out" });
  expect(await call(scene)).toEqual({ refused: "verification_required", level: "low" });
  expect(await scene.engine.host.customerSignedOut("c-1")).toEqual({ epoch: 2, superseded: [] });
  const back = await signIn(scene);
  expect(await cardOf(scene, back)).toEqual({ ...card, seq: 2, state: "superseded", reason: "signed_out" });
  expect(await confirm(scene, back, card)).toMatchObject({
    refused: "superseded",
    card: { reason: "signed_out" },
  });
  expect(scene.calls).toEqual([]);
});

test("ID-3 a session ends at its own end, and not a millisecond before", async () => {
  const scene = makeScene();
  await signIn(scene);
  const session = await scene.engine.host.startSession({ conversationId: "c-1", lifetimeMs: 5000 });
  await scene.clock.advance(4999);
  expect(await scene.engine.sessionEnd(session)).toBeUndefined();
  await scene.clock.advance(1);
  expect(await scene.engine.customer.card(session)).toEqual({ refused: "session_ended", reason: "expired" });
});

test("ID-4 a customer who comes back sees their own receipt again, and never another's", async () => {
  const { scene, card } = await ran(() => ({ status: "cancelled" }));
  const ben = await signIn(scene, "cus_ben");
  expect(await scene.engine.customer.card(ben)).toEqual({ card: null, others: [] });
  writeIn(await call(scene, "cancel_order", { orderId: "B-7", reason: "other" }));
  const bens = await cardOf(scene, ben);
  const back = await signIn(scene);
  expect(await scene.engine.customer.card(back)).toEqual({ card, others: [] });
  expect(await confirm(scene, back, bens)).toEqual({ refused: "not_found" });
});

test("ID-4 visitors without a name do not see each other's cards", async () => {
  const { scene, session, card } = await visited();
  granted(await confirm(scene, session, card));
  await signIn(scene);
  await scene.engine.host.customerSignedOut("c-1");
  const next = await scene.engine.host.startSession({ conversationId: "c-1" });
  expect(await scene.engine.customer.card(next)).toEqual({ card: null, others: [] });
  expect(await confirm(scene, next, card)).toEqual({ refused: "not_found" });
});

test("ID-7 of customers who verify at the same moment each begins an epoch of their own", async () => {
  const { engine, clock } = makeScene();
  const ids = ["cus_ana", "cus_ben", "cus_eve"];
  const changes = await Promise.all(
    ids.map((customerId) =>
      engine.host.customerVerified({ ...ana, customerId, authenticatedAt: clock.now() }),
    ),
  );
  expect(changes.map((change) => granted(change).epoch).sort()).toEqual([1, 2, 3]);
  expect((await engine.host.readConversation("c-1")).customer.epoch).toBe(3);
});

test("ID-5 a write that runs while the customer changes is recorded, and told to its own customer only", async () => {
  const { scene, session, card } = await proposed();
  const shop = later<unknown>();
  scene.handler = () => shop.promise;
  const answer = confirm(scene, session, card);
  await scene.clock.settle();
  const { writeId } = card;
  expect(
    await scene.engine.host.customerVerified({
      ...ana,
      customerId: "cus_ben",
      authenticatedAt: scene.clock.now(),
    }),
  ).toMatchObject({ superseded: [] });
  shop.finish({ status: "ana-only" });
  await answer;
  const told = granted(await scene.engine.agent.read({ agent: "bot", writeId }));
  expect({ state: told.state, result: told.result, message: told.message }).toEqual({
    state: "applied",
    result: null,
    message: "Done.",
  });
  expect(granted(await scene.engine.operator.read(writeId)).result).toEqual({ status: "ana-only" });
  const ben = await scene.engine.host.startSession({ conversationId: "c-1" });
  expect(await scene.engine.customer.card(ben)).toEqual({ card: null, others: [] });
  const back = await signIn(scene);
  expect((await cardOf(scene, back)).receipt?.fields).toEqual([{ label: "Status", display: "ana-only" }]);
  expect(granted(await scene.engine.agent.read({ agent: "bot", writeId })).result).toEqual({
    status: "ana-only",
  });
});

test("ID-5 what the former customer changed, or was told, is withheld from an agent serving the next", async () => {
  const { scene, session, card } = await proposed();
  const { writeId } = card;
  granted(await scene.engine.customer.edit({ session, writeId, version: 1, values: { "/note": "private" } }));
  granted(await confirm(scene, session, await cardOf(scene, session)));
  expect(granted(await scene.engine.agent.read({ agent: "bot", writeId })).changedByCustomer.length).toBe(1);
  await signIn(scene, "cus_ben");
  expect(granted(await scene.engine.agent.read({ agent: "bot", writeId })).changedByCustomer).toEqual([]);
});

test("ID-6 a sign-in is taken up to a minute ahead of our clock, and not a millisecond more", async () => {
  const { engine, clock } = makeScene();
  const at = (authenticatedAt: number) => engine.host.customerVerified({ ...ana, authenticatedAt });
  expect(await at(clock.now() + 60_001)).toEqual({
    refused: "invalid_verification",
    issues: [{ pointer: "/authenticatedAt", message: "is more than 60 seconds in the future" }],
  });
  expect(await at(Number.NaN)).toEqual({
    refused: "invalid_verification",
    issues: [{ pointer: "/authenticatedAt", message: "is not a time" }],
  });
  expect(await engine.host.readConversation("c-1")).toEqual({
    customer: { verified: false, level: null, epoch: 0 },
    openWriteId: null,
  });
  expect(await at(clock.now() + 60_000)).toMatchObject({ epoch: 1 });
});

test("ID-7 however a proposal and a change of customer race, nothing of a former customer is left waiting", async () => {
  for (let turns = 0; turns < 40; turns += 1) {
    const scene = makeScene();
    await signIn(scene);
    const answer = call(scene);
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    const change = scene.engine.host.customerVerified({
      ...ana,
      customerId: "cus_ben",
      authenticatedAt: scene.clock.now(),
    });
    const [{ id }, changed] = [writeIn(await answer), granted(await change)];
    const { customerRef, state } = granted(await scene.engine.operator.read(id));
    const { openWriteId } = await scene.engine.host.readConversation("c-1");
    const ben = await scene.engine.host.startSession({ conversationId: "c-1" });
    const bens = granted(await scene.engine.customer.card(ben)).card !== null;
    // Either it was proposed to Ben, and waits for him, or it was Ana's, and was set aside with the change.
    const expected = bens
      ? { state: "proposed", superseded: [], openWriteId: id }
      : { state: "superseded", superseded: [id], openWriteId: null };
    expect({ state, superseded: changed.superseded, openWriteId }).toEqual(expected);
    expect(customerRef).not.toBeNull();
  }
});

test("ID-7 however a confirm and a change of customer race, it runs for its own customer or not at all", async () => {
  const seen = new Set<string>();
  for (let turns = 0; turns < 40; turns += 1) {
    const { scene, session, card } = await proposed();
    const changing = () =>
      scene.engine.host.customerVerified({
        ...ana,
        customerId: "cus_ben",
        authenticatedAt: scene.clock.now(),
      });
    const early = turns % 2 === 0 ? changing() : undefined;
    for (let turn = 0; turn < turns / 2; turn += 1) await Promise.resolve();
    const answer = confirm(scene, session, card);
    const change = early ?? changing();
    const [confirmed, changed] = [await answer, granted(await change)];
    const { state } = granted(await scene.engine.operator.read(card.writeId));
    seen.add(state);
    if (state === "applied") {
      expect(changed.superseded).toEqual([]);
      expect(scene.calls.map(({ args, context }) => [args, context.customer?.customerId])).toEqual([
        [cancelA1042, "cus_ana"],
      ]);
    } else {
      expect([state, changed.superseded, scene.calls]).toEqual(["superseded", [card.writeId], []]);
      expect(["session_ended", "superseded", "not_found"]).toContain(
        "refused" in confirmed ? confirmed.refused : "confirmed",
      );
    }
  }
  expect([...seen].sort()).toEqual(["applied", "superseded"]);
});

test("ID-7 a proposal that outlived its customer's leaving is not run when they come back", async () => {
  const { scene, session, card } = await proposed();
  const { conversation } = await scene.store.readConversation("c-1");
  if (!conversation) throw new Error("no conversation");
  // What a process leaves behind that dies between recording a change of customer and setting their write aside.
  const conversations = [{ ...conversation, epoch: 3 }];
  await scene.store.append({
    guards: [],
    conversations,
    writes: [],
    key: null,
    deliveries: [],
    now: scene.clock.now(),
  });
  const back = { ...session, epoch: 3 };
  expect(await confirm(scene, back, card)).toEqual({
    refused: "superseded",
    card: { ...card, state: "superseded", seq: 2, reason: "customer_changed" },
  });
  expect(scene.calls).toEqual([]);
});
