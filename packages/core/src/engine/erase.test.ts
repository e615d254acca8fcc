import { expect, test } from "vitest";
import { canonical } from "../base/canonical.ts";
import { sha256 } from "../base/digest.ts";
import { memoryStore } from "../memory/store.ts";
import type { Append, Store } from "../ports/store.ts";
import { pending } from "../tool/outcome.ts";
import {
  call,
  cancelA1042,
  cardOf,
  confirm,
  granted,
  later,
  makeScene,
  proposed,
  type Scene,
  signIn,
  writeIn,
} from "./fixtures.ts";
import type { ExportedJournal } from "./views.ts";

const canary = "canary of Ana";

function erase({ engine }: Scene, customerId = "cus_ana") {
  return engine.operator.erase({ customerId, operator: "Ben" });
}

/** The numbers of the events whose place in the chain does not hold. */
function brokenLinks({ events, head }: ExportedJournal): readonly number[] {
  const broken = events.filter(({ hash, plain: _, ...hashed }, index) => {
    const prev = events[index - 1]?.hash ?? "0".repeat(64);
    return sha256(canonical(hashed)) !== hash || hashed.prev !== prev;
  });
  return [...broken.map(({ seq }) => seq), ...(events.at(-1)?.hash === head ? [] : [0])];
}

/** A store that does `first` once, right before the next append that `when` picks. */
function interrupted(store: Store, when: (append: Append) => boolean, first: () => Promise<unknown>): Store {
  let armed = true;
  return {
    ...store,
    async append(append) {
      if (armed && when(append)) {
        armed = false;
        await first();
      }
      return store.append(append);
    },
  };
}

/** Ana's life with the shop: an applied write that she edited, a declined one, one that expired. */
async function anaWasHere(): Promise<{ readonly scene: Scene; readonly ids: readonly string[] }> {
  const scene = makeScene();
  scene.handler = () => ({ status: canary });
  const session = await signIn(scene);
  const note = { ...cancelA1042, note: canary };
  const first = writeIn(await call(scene, "cancel_order", note, { idempotencyKey: "k-1" }));
  const version = { session, writeId: first.id, version: 1 };
  granted(await scene.engine.customer.edit({ ...version, values: { "/note": `${canary}, edited` } }));
  granted(await confirm(scene, session, await cardOf(scene, session)));
  await call(scene, "find_order", { orderId: canary }, { idempotencyKey: "k-2" });
  const second = writeIn(await call(scene, "cancel_order", { ...note, orderId: "A-2" }));
  granted(await scene.engine.customer.decline({ session, writeId: second.id, version: 1 }));
  const third = writeIn(await call(scene, "cancel_order", { ...note, orderId: "A-3" }));
  await scene.clock.advance(900_000);
  await scene.engine.runDue();
  return { scene, ids: [first.id, second.id, third.id] };
}

test("OPS-5 after an erasure every list and read works, holds no value, and every journal still verifies", async () => {
  const { scene, ids } = await anaWasHere();
  const { agent, operator, host } = scene.engine;
  const before = granted(await operator.list({}));
  expect(JSON.stringify(before)).toContain(canary);
  expect(await erase(scene)).toEqual({ writes: 3 });
  const after = granted(await operator.list({}));
  expect(after.writes.map(({ id, state }) => [id, state])).toEqual(
    before.writes.map(({ id, state }) => [id, state]),
  );
  const reads = await Promise.all(ids.map((writeId) => agent.read({ agent: "bot", writeId })));
  expect(reads.map((read) => granted(read).state)).toEqual(["applied", "declined", "expired"]);
  expect(granted(await operator.read(ids[0] ?? ""))).toMatchObject({
    state: "applied",
    result: null,
    changedByCustomer: [],
    needsAttention: false,
  });
  const journals = await Promise.all(ids.map(async (id) => granted(await operator.journal(id))));
  expect(journals.map(brokenLinks)).toEqual([[], [], []]);
  expect(journals.flatMap(({ events }) => events.filter((event) => "plain" in event))).toEqual([]);
  expect(journals.map(({ events }) => events.at(-1))).toEqual(
    journals.map(() =>
      expect.objectContaining({
        type: "erased",
        by: { kind: "operator", ref: "Ben" },
        body: { version: expect.any(Number) },
        commits: {},
      }),
    ),
  );
  expect(JSON.stringify([after, reads, journals])).not.toContain("canary");
  expect(await scene.engine.runDue()).toBe(0);
  expect(await host.readConversation("c-1")).toEqual({
    customer: { verified: false, level: null, epoch: 2 },
    openWriteId: null,
  });
});

test("OPS-5 an erased customer who verifies again is a new one, and sees nothing of before", async () => {
  const { scene, ids } = await anaWasHere();
  const { customer, operator } = scene.engine;
  const refOf = async (writeId = ""): Promise<string | null> =>
    granted(await operator.read(writeId)).customerRef;
  const session = await scene.engine.host.startSession({ conversationId: "c-1" });
  await erase(scene);
  expect(await customer.card(session)).toEqual({ refused: "session_ended", reason: "signed_out" });
  expect(await call(scene)).toMatchObject({ refused: "verification_required" });
  const next = await signIn(scene);
  expect(granted(await customer.card(next))).toEqual({ card: null, others: [] });
  expect(await customer.decline({ session: next, writeId: ids[0] ?? "", version: 2 })).toEqual({
    refused: "not_found",
  });
  const { id } = writeIn(await call(scene));
  expect(await refOf(id)).not.toBe(await refOf(ids[0]));
});

test("OPS-5 a client's key of before runs nothing a second time, and a read's is free", async () => {
  const { scene } = await anaWasHere();
  await erase(scene);
  await signIn(scene);
  const again = { ...cancelA1042, note: canary };
  expect(await call(scene, "cancel_order", again, { idempotencyKey: "k-1" })).toEqual({
    refused: "idempotency_key_reused",
  });
  expect(await call(scene, "find_order", { orderId: canary }, { idempotencyKey: "k-2" })).toMatchObject({
    kind: "result",
    replayed: false,
  });
  expect(scene.calls.length).toBe(1);
});

test("OPS-5 whom nobody knows cannot be erased, nor anybody twice", async () => {
  const { scene } = await anaWasHere();
  expect(await erase(scene, "cus_nobody")).toEqual({ refused: "not_found" });
  expect(await erase(scene)).toEqual({ writes: 3 });
  expect(await erase(scene)).toEqual({ refused: "not_found" });
  await signIn(scene, "cus_ben");
  expect(await erase(scene, "cus_ben")).toEqual({ writes: 0 });
});

test("OPS-6 a customer is not erased while a write of theirs is open or pending", async () => {
  const scene = makeScene();
  const session = await signIn(scene);
  const { id } = writeIn(await call(scene));
  const unfinished = { refused: "unfinished_writes", writeIds: [id] };
  expect(await erase(scene)).toEqual(unfinished);
  const shop = later<unknown>();
  scene.handler = () => shop.promise;
  const confirming = confirm(scene, session, await cardOf(scene, session));
  await scene.clock.settle();
  expect(await erase(scene)).toEqual(unfinished);
  shop.finish(pending("op-1"));
  granted(await confirming);
  expect(await erase(scene)).toEqual(unfinished);
  expect(granted(await scene.engine.operator.read(id))).toMatchObject({ state: "pending" });
  granted(
    await scene.engine.operator.resolve({ writeId: id, outcome: "applied", note: "Seen.", operator: "Ben" }),
  );
  expect(await erase(scene)).toEqual({ writes: 1 });
});

test("OPS-6 a proposal that races an erasure is refused, or the erasure is", async () => {
  const inner = memoryStore();
  const scene = makeScene({ store: inner });
  await signIn(scene);
  const rival = makeScene({
    store: interrupted(
      inner,
      ({ writes }) => writes.length > 0,
      () => erase(scene),
    ),
  });
  expect(await call(rival)).toMatchObject({ refused: "verification_required" });
  expect((await inner.listWrites({ limit: 9 })).rows).toEqual([]);

  const other = memoryStore();
  const second = makeScene({ store: other });
  await signIn(second);
  const eraser = makeScene({
    store: interrupted(
      other,
      ({ erase: erasing }) => erasing !== undefined,
      () => call(second),
    ),
  });
  expect(await erase(eraser)).toMatchObject({ refused: "unfinished_writes" });
});

test("OPS-6 a verification that races an erasure makes a new customer", async () => {
  const inner = memoryStore();
  const scene = makeScene({ store: inner });
  await signIn(scene);
  const former = await inner.findCustomerRef("cus_ana");
  const rival = makeScene({
    store: interrupted(
      inner,
      ({ conversations }) => conversations.length > 0,
      () => erase(scene),
    ),
  });
  await signIn(rival, "cus_ana", "c-2");
  const ref = await inner.findCustomerRef("cus_ana");
  expect(ref).not.toBe(former);
  expect((await inner.readConversation("c-2")).conversation?.customerRef).toBe(ref);
  const { id } = writeIn(await call(rival, "cancel_order", cancelA1042, { conversationId: "c-2" }));
  granted(await rival.engine.agent.withdraw({ agent: "bot", writeId: id }));
  expect(await erase(scene)).toEqual({ writes: 1 });
});

test("OPS-6 a result that comes in after its customer was erased is recorded without its values", async () => {
  const shop = later<unknown>();
  const { scene, session, card } = await proposed();
  scene.handler = () => shop.promise;
  const confirming = confirm(scene, session, card);
  await scene.clock.advance(15_000);
  expect(granted(await confirming).card.state).toBe("running");
  await scene.clock.settle();
  const settle = { writeId: card.writeId, outcome: "not_applied", note: canary, operator: "Ben" } as const;
  granted(await scene.engine.operator.resolve(settle));
  expect(await erase(scene)).toEqual({ writes: 1 });
  shop.finish({ status: canary });
  await scene.clock.settle();
  const journal = granted(await scene.engine.operator.journal(card.writeId));
  expect(journal.events.at(-1)).toMatchObject({
    type: "contradicted",
    body: { attempt: 1, outcome: "applied" },
    commits: {},
  });
  expect(brokenLinks(journal)).toEqual([]);
  expect(JSON.stringify(journal)).not.toContain("canary");
  expect(granted(await scene.engine.operator.read(card.writeId))).toMatchObject({
    state: "not_applied",
    needsAttention: true,
  });
});

test("OPS-6 an answer that is still being read for an erased customer is not kept", async () => {
  const scene = makeScene();
  await signIn(scene);
  const shop = later<unknown>();
  scene.read = () => shop.promise;
  const reading = call(scene, "find_order", { orderId: "A-1" }, { idempotencyKey: "k-1" });
  await scene.clock.settle();
  expect(await erase(scene)).toEqual({ writes: 0 });
  shop.finish({ total: 7 });
  expect(await reading).toMatchObject({ kind: "result" });
  const scope = canonical(["bot", "c-1"]);
  expect(await scene.store.findKey(scope, "k-1", scene.clock.now())).toBeUndefined();
});

test("OPS-6 a read that claims its key right after the erasure of its customer is not made for them", async () => {
  const inner = memoryStore();
  const scene = makeScene({ store: inner });
  await signIn(scene);
  const claimKey: Store["claimKey"] = async (row, now) => {
    await erase(scene);
    return inner.claimKey(row, now);
  };
  const rival = makeScene({ store: { ...inner, claimKey } });
  const read = () => call(rival, "find_order", { orderId: "A-1" }, { idempotencyKey: "k-1" });
  expect(await read()).toEqual({ refused: "call_in_progress" });
  const scope = canonical(["bot", "c-1"]);
  expect(await inner.findKey(scope, "k-1", scene.clock.now())).toBeUndefined();
  expect(await read()).toMatchObject({ kind: "result", replayed: false });
});
