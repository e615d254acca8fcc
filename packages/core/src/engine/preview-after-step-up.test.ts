import { describe, expect, test } from "vitest";
import { rejected, stepUpRequired } from "../tool/outcome.ts";
import { cardOf, confirm, granted } from "./fixtures.ts";
import { order, plan, previewed } from "./preview-fixtures.ts";

describe("RUN-23 after a step-up", () => {
  async function waiting() {
    const looked = await previewed();
    looked.scene.handler = (_args, { attempt }) =>
      attempt === 1 ? stepUpRequired({ level: "high" }) : { status: "cancelled" };
    granted(await confirm(looked.scene, looked.session, looked.card));
    const verify = () =>
      looked.scene.engine.host.customerVerified({
        conversationId: "c-1",
        customerId: "cus_ana",
        level: "high",
        authenticatedAt: looked.scene.clock.now(),
      });
    return { ...looked, verify };
  }

  test("RUN-23 an unchanged write goes on under its key", async () => {
    const { scene, session, card, verify } = await waiting();
    expect(granted(await verify()).resumed).toEqual([card.writeId]);
    await scene.engine.stop();
    expect(await cardOf(scene, session)).toMatchObject({ state: "applied", version: 1 });
    expect(new Set(scene.calls.map(({ context }) => context.idempotencyKey)).size).toBe(1);
  });

  test("RUN-23 a changed one is shown anew and runs once it is confirmed afresh, under the same key", async () => {
    const { world, scene, session, verify } = await waiting();
    world.look = () => ({ ...plan, targets: [order("8")] });
    expect(granted(await verify()).resumed).toEqual([]);
    const next = await cardOf(scene, session);
    expect(next).toMatchObject({ state: "proposed", version: 2 });
    expect(scene.calls).toHaveLength(1);
    expect(granted(await confirm(scene, session, next)).card.state).toBe("applied");
    expect(scene.calls.map(({ context }) => context.attempt)).toEqual([1, 2]);
    expect(new Set(scene.calls.map(({ context }) => context.idempotencyKey)).size).toBe(1);
  });

  test("RUN-23 one that nobody can look at is shown again too", async () => {
    const { world, scene, session, verify } = await waiting();
    world.look = () => {
      throw new Error("down");
    };
    granted(await verify());
    expect(await cardOf(scene, session)).toMatchObject({ state: "proposed", version: 2, changes: [] });
    expect(scene.calls).toHaveLength(1);
  });

  test("RUN-23 one that has nothing left to do, or is refused now, ends with nothing changed", async () => {
    for (const look of [() => ({ noop: true }), () => rejected("Sent.")]) {
      const { world, scene, session, verify } = await waiting();
      world.look = look;
      granted(await verify());
      expect((await cardOf(scene, session)).state).toBe("not_applied");
      expect(scene.calls).toHaveLength(1);
    }
  });
});
