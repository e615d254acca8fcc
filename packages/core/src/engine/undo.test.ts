import { expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../tool/define-tool.ts";
import { rejected } from "../tool/outcome.ts";
import { createEngine } from "./create.ts";
import {
  call,
  cardOf,
  confirm,
  granted,
  makeScene,
  quietLogger,
  type Scene,
  signIn,
  writeIn,
} from "./fixtures.ts";

type World = { reopened: unknown[]; preview: () => unknown };

/** A scene whose receipt offers to reopen the order, under the number the shop gave the cancellation. */
function undoable(): Scene & { world: World } {
  const world: World = { reopened: [], preview: () => ({}) };
  const base = makeScene();
  const reopen = defineTool({
    name: "reopen_order",
    title: "Reopen order",
    description: "Takes a cancellation back.",
    effect: "write",
    recovery: "operator",
    input: z.strictObject({ orderId: z.string(), cancellation: z.string() }),
    output: z.object({ status: z.string() }),
    presentation: { title: "Reopen this order?", fields: [{ argument: "orderId", label: "Order" }] },
    preview: () => world.preview() as object,
    handler: (args) => {
      world.reopened.push(args);
      return { status: "open" };
    },
  });
  const cancel = defineTool({
    name: "cancel_order",
    title: "Cancel order",
    description: "Cancels an open order.",
    effect: "write",
    recovery: "operator",
    input: z.strictObject({ orderId: z.string(), reason: z.string() }),
    output: z.object({ cancellation: z.string().optional() }),
    presentation: {
      fields: [{ argument: "orderId", label: "Order" }],
      omit: ["reason"],
      receipt: {
        undo: {
          tool: "reopen_order",
          arguments: { orderId: { argument: "orderId" }, cancellation: { result: "/cancellation" } },
          label: { en: "Reopen order", es: "Reabrir pedido" },
        },
      },
    },
    handler: (args, context) => base.handler(args as never, context) as { cancellation: string },
  });
  base.handler = () => ({ cancellation: "x-7" });
  const engine = createEngine({
    tools: [cancel, reopen],
    clock: base.clock,
    store: base.store,
    logger: quietLogger,
  });
  return Object.assign(base, { engine, world });
}

async function cancelled(scene = undoable()) {
  const session = await signIn(scene);
  writeIn(await call(scene));
  const { card } = granted(await confirm(scene, session, await cardOf(scene, session)));
  return { scene, session, card };
}

test("FLOW-33 an undo is a new write with a card of its own, and runs once it is confirmed", async () => {
  const { scene, session, card } = await cancelled();
  expect(card.receipt?.undo).toEqual({ label: "Reopen order", note: null });
  const undone = granted(await scene.engine.customer.undo({ session, writeId: card.writeId })).card;
  expect(undone).toMatchObject({ tool: "reopen_order", state: "proposed", title: "Reopen this order?" });
  expect(undone.writeId).not.toBe(card.writeId);
  expect(scene.world.reopened).toEqual([]);
  expect(granted(await confirm(scene, session, undone)).card.state).toBe("applied");
  expect(scene.world.reopened).toEqual([{ orderId: "A-1042", cancellation: "x-7" }]);
});

test("FLOW-33 asking twice for the undo that waits already gives the same write", async () => {
  const { scene, session, card } = await cancelled();
  const [one, other] = await Promise.all(
    [1, 2].map(() => scene.engine.customer.undo({ session, writeId: card.writeId })),
  );
  expect(granted(one as never)).toEqual(granted(other as never));
});

test("FLOW-33 an undo is refused while another write is open, and names it", async () => {
  const { scene, session, card } = await cancelled();
  const other = writeIn(await call(scene, "cancel_order", { orderId: "A-2", reason: "late" }));
  expect(await scene.engine.customer.undo({ session, writeId: card.writeId })).toEqual({
    refused: "write_in_progress",
    writeId: other.id,
    state: "proposed",
  });
});

test("FLOW-33 a write that was not applied, offers none or lacks what it needs cannot be undone", async () => {
  const scene = undoable();
  const session = await signIn(scene);
  const { id } = writeIn(await call(scene));
  expect(await scene.engine.customer.undo({ session, writeId: id })).toEqual({ refused: "not_undoable" });
  scene.handler = () => ({});
  const { card } = granted(await confirm(scene, session, await cardOf(scene, session)));
  expect(card).toMatchObject({ state: "applied", receipt: { undo: null } });
  expect(await scene.engine.customer.undo({ session, writeId: id })).toEqual({ refused: "not_undoable" });
  expect(await scene.engine.customer.undo({ session, writeId: "wr_none" })).toEqual({ refused: "not_found" });
});

test("FLOW-33 an undo that has nothing to do, or that is refused, stores nothing", async () => {
  const { scene, session, card } = await cancelled();
  const undo = () => scene.engine.customer.undo({ session, writeId: card.writeId });
  scene.world.preview = () => ({ noop: true });
  expect(await undo()).toEqual({ refused: "not_undoable" });
  scene.world.preview = () => rejected("Too late.");
  expect(await undo()).toEqual({ refused: "preview_failed", message: "Too late." });
  scene.world.preview = () => {
    throw new Error("down");
  };
  expect(await undo()).toEqual({ refused: "preview_unavailable" });
  expect((await scene.engine.operator.list({})).writes).toHaveLength(1);
});

test("FLOW-33 another customer finds nothing to undo", async () => {
  const { scene, session, card } = await cancelled();
  const ben = await signIn(scene, "cus_ben");
  expect(await scene.engine.customer.undo({ session: ben, writeId: card.writeId })).toEqual({
    refused: "not_found",
  });
  expect(await scene.engine.customer.undo({ session, writeId: card.writeId })).toMatchObject({
    refused: "session_ended",
  });
});

test("FLOW-33 an agent does not see the undo that the customer asked for, only that it is in the way", async () => {
  const { scene, session, card } = await cancelled();
  const undone = granted(await scene.engine.customer.undo({ session, writeId: card.writeId })).card;
  expect(await scene.engine.agent.read({ agent: "bot", writeId: undone.writeId })).toEqual({
    refused: "not_found",
  });
  expect(await call(scene, "reopen_order", { orderId: "A-1042", cancellation: "x-7" })).toMatchObject({
    refused: "write_in_progress",
  });
});
