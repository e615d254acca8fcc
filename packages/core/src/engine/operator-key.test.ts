import { expect, test } from "vitest";
import { granted, later, makeScene, operatorBen, type Scene } from "./fixtures.ts";

const day = 24 * 60 * 60 * 1000;

async function previewed(scene: Scene, orderId = "A-1", principal = operatorBen) {
  const view = scene.engine.principal(principal);
  const answer = granted(
    await view.preview({ tool: "cancel_order", arguments: { orderId, reason: "late" }, surface: "cli" }),
  );
  if (!("card" in answer)) throw new Error("nothing to do");
  const { writeId, version, digest } = answer.card;
  return (idempotencyKey?: string, waitMs?: number) =>
    view.confirm({
      writeId,
      version,
      digest,
      surface: "cli",
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      ...(waitMs !== undefined && { waitMs }),
    });
}

test("FLOW-34 the same key gives the first result again, for a day, also after the time to decide", async () => {
  const scene = makeScene();
  const confirm = await previewed(scene);
  const first = granted(await confirm("k-1"));
  expect(first).toMatchObject({ write: { state: "applied" }, replayed: false });
  await scene.clock.advance(day - 1);
  expect(await confirm("k-1")).toEqual({ ...first, replayed: true });
  expect(scene.calls).toHaveLength(1);
});

test("FLOW-34 a fresh preview of the same, confirmed under the same key, runs nothing", async () => {
  const scene = makeScene();
  const first = granted(await (await previewed(scene))("k-1"));
  const again = granted(await (await previewed(scene))("k-1"));
  expect(again).toEqual({ ...first, replayed: true });
  expect(scene.calls).toHaveLength(1);
});

test("FLOW-34 once its day is over a key may be a new intention", async () => {
  const scene = makeScene();
  const first = granted(await (await previewed(scene))("k-1"));
  await scene.clock.advance(day);
  const next = granted(await (await previewed(scene))("k-1"));
  expect([next.replayed, next.write.id === first.write.id, scene.calls.length]).toEqual([false, false, 2]);
  expect(new Set(scene.calls.map(({ context }) => context.idempotencyKey)).size).toBe(2);
});

test("FLOW-34 another call under a key is refused, and so is another key for what has run", async () => {
  const scene = makeScene();
  const confirm = await previewed(scene);
  granted(await confirm("k-1"));
  expect(await (await previewed(scene, "A-2"))("k-1")).toEqual({ refused: "idempotency_key_reused" });
  expect(await confirm("k-2")).toMatchObject({ refused: "already_decided", card: { state: "applied" } });
  expect(scene.calls).toHaveLength(1);
});

test("FLOW-34 another operator's key is another key", async () => {
  const scene = makeScene();
  granted(await (await previewed(scene))("k-1"));
  const ana = { ...operatorBen, actorId: "ana" };
  expect(granted(await (await previewed(scene, "A-1", ana))("k-1")).replayed).toBe(false);
  expect(scene.calls).toHaveLength(2);
});

test("FLOW-34 many confirms under one key, of two previews, run once and hear one result", async () => {
  const scene = makeScene();
  const confirms = [await previewed(scene), await previewed(scene)];
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => (confirms[index % 2] as (typeof confirms)[0])("k-1")),
  );
  expect(scene.calls).toHaveLength(1);
  expect(new Set(answers.map((answer) => granted(answer).write.id)).size).toBe(1);
  expect(answers.filter((answer) => !granted(answer).replayed)).toHaveLength(1);
});

test("FLOW-34 while the first still runs, a repeat waits for it, and says so when that takes too long", async () => {
  const scene = makeScene();
  const shop = later<unknown>();
  const started = later<void>();
  scene.handler = () => {
    started.finish();
    return shop.promise;
  };
  const confirm = await previewed(scene);
  const first = confirm("k-1");
  await started.promise;
  expect(await confirm("k-1", 0)).toEqual({ refused: "call_in_progress" });
  const repeat = confirm("k-1");
  shop.finish({ status: "cancelled" });
  expect(granted(await repeat)).toEqual({ ...granted(await first), replayed: true });
});

test("FLOW-34 a confirm that finds the world changed leaves its key free", async () => {
  const world = { version: "7" };
  const preview = () => ({ targets: [{ type: "order", id: "A-1", version: world.version }] });
  const scene = makeScene({ tool: { preview } });
  const confirm = await previewed(scene);
  world.version = "8";
  const drifted = await confirm("k-1");
  expect(drifted).toMatchObject({ refused: "drifted", card: { version: 2 } });
  const { card } = drifted as { card: { writeId: string; version: number; digest: string } };
  const { writeId, version, digest } = card;
  const view = scene.engine.principal(operatorBen);
  const next = await view.confirm({ writeId, version, digest, surface: "cli", idempotencyKey: "k-1" });
  expect(granted(next)).toMatchObject({ write: { state: "applied" }, replayed: false });
});

test.each(["", "x".repeat(201), "a\tb", "é"])("FLOW-34 %j is no key, and nothing is stored", async (key) => {
  const scene = makeScene();
  const confirm = await previewed(scene);
  expect(await confirm(key)).toEqual({
    refused: "invalid_arguments",
    issues: [{ pointer: "/idempotencyKey", message: "is not 1 to 200 printable ASCII characters" }],
  });
  expect(scene.calls).toEqual([]);
});
