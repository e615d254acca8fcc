import { expect, test } from "vitest";
import type { OperatorPrincipal } from "../flow/principal.ts";
import { rejected } from "../tool/outcome.ts";
import { cancelA1042, granted, makeScene, type Scene } from "./fixtures.ts";

const ben: OperatorPrincipal = {
  kind: "operator",
  actorId: "ben",
  authMethod: "oauth",
  clientApplicationId: "desk",
  merchantId: "m-1",
  role: "admin",
  scopes: ["mcp:write"],
};

async function previewed(scene: Scene, args: unknown = cancelA1042) {
  const previewed = granted(
    await scene.engine.principal(ben).preview({ tool: "cancel_order", arguments: args, surface: "mcp" }),
  );
  if (!("card" in previewed)) throw new Error("nothing to do");
  const { writeId, version, digest } = previewed.card;
  return { card: previewed.card, decision: { writeId, version, digest, surface: "mcp" as const } };
}

test("FLOW-26 an operator previews, confirms and is told the outcome; a repeat is the same", async () => {
  const scene = makeScene();
  const { card, decision } = await previewed(scene);
  expect(card).toMatchObject({
    state: "proposed",
    version: 1,
    expiresAt: "2026-11-30T00:05:00.000Z",
    title: "Cancel this order?",
  });
  expect(scene.calls).toEqual([]);
  const done = granted(await scene.engine.principal(ben).confirm(decision));
  expect({ state: done.card.state, result: done.write.result }).toEqual({
    state: "applied",
    result: { status: "cancelled" },
  });
  await scene.clock.advance(86_400_000);
  expect(await scene.engine.principal({ ...ben }).confirm(decision)).toEqual(done);
  expect(scene.calls.map(({ args, context }) => [args, context.customer])).toEqual([[cancelA1042, null]]);
});

test.each<[string, Partial<OperatorPrincipal>]>([
  ["actor", { actorId: "eve" }],
  ["way of signing in", { authMethod: "password" }],
  ["application", { clientApplicationId: "other" }],
  ["merchant", { merchantId: "m-2" }],
  ["role", { role: "viewer" }],
  ["set of scopes", { scopes: ["mcp:write", "mcp:read"] }],
  ["smaller set of scopes", { scopes: [] }],
])("FLOW-26 with another %s the preview does not exist", async (_name, different) => {
  const scene = makeScene();
  const { decision } = await previewed(scene);
  const other = scene.engine.principal({ ...ben, ...different });
  expect(await other.confirm(decision)).toEqual({ refused: "not_found" });
  expect(await other.decline(decision)).toEqual({ refused: "not_found" });
  expect(scene.calls).toEqual([]);
});

test("FLOW-26 a preview can be confirmed for five minutes", async () => {
  const scene = makeScene();
  const first = await previewed(scene);
  const second = await previewed(scene, { orderId: "A-2", reason: "late" });
  await scene.clock.advance(299_999);
  expect(granted(await scene.engine.principal(ben).confirm(first.decision)).card.state).toBe("applied");
  await scene.clock.advance(1);
  expect(await scene.engine.principal(ben).confirm(second.decision)).toEqual({
    refused: "expired",
    card: { ...second.card, state: "expired", seq: 2 },
  });
  expect(scene.calls.length).toBe(1);
});

test("FLOW-26 one preview never blocks the next, not even the same one", async () => {
  const scene = makeScene();
  const [one, two] = await Promise.all([previewed(scene), previewed(scene)]);
  expect(one.card.writeId).not.toBe(two.card.writeId);
  expect(granted(await scene.engine.principal(ben).decline(one.decision)).write.state).toBe("declined");
  expect(await scene.engine.principal(ben).confirm(one.decision)).toMatchObject({
    refused: "already_decided",
    card: { state: "declined" },
  });
  scene.handler = () => rejected("It has shipped.");
  expect(granted(await scene.engine.principal(ben).confirm(two.decision)).write).toMatchObject({
    state: "not_applied",
  });
});

test("FLOW-26 a preview of what is no write, or with wrong arguments, is refused", async () => {
  const { engine } = makeScene();
  const preview = (tool: string, args: unknown) =>
    engine.principal(ben).preview({ tool, arguments: args, surface: "cli" });
  expect(await preview("find_order", { orderId: "A-1" })).toEqual({ refused: "unknown_tool" });
  expect(await preview("nothing", {})).toEqual({ refused: "unknown_tool" });
  expect(await preview("cancel_order", { orderId: "" })).toMatchObject({ refused: "invalid_arguments" });
});

test("FLOW-26 a tool that needs no confirmation of a customer is still only previewed", async () => {
  const scene = makeScene();
  const answer = granted(
    await scene.engine.principal(ben).preview({ tool: "add_note", arguments: cancelA1042, surface: "cli" }),
  );
  expect(answer).toMatchObject({ card: { state: "proposed" } });
  expect(scene.calls).toEqual([]);
});

test("FLOW-26 a confirm for another digest is refused with the card", async () => {
  const scene = makeScene();
  const { card, decision } = await previewed(scene);
  expect(await scene.engine.principal(ben).confirm({ ...decision, digest: "0".repeat(64) })).toEqual({
    refused: "stale_version",
    card,
  });
});

test("ID-9 an operator's write is nothing to agents and customers", async () => {
  const scene = makeScene();
  const { decision } = await previewed(scene);
  const { writeId, version, digest } = decision;
  const { conversationId } = granted(await scene.engine.operator.read(writeId));
  const session = await scene.engine.host.startSession({ conversationId });
  expect(await scene.engine.customer.card(session)).toEqual({ card: null, others: [] });
  expect(await scene.engine.customer.confirm({ session, writeId, version, digest })).toEqual({
    refused: "not_found",
  });
  expect(await scene.engine.agent.read({ agent: "ben", writeId })).toEqual({ refused: "not_found" });
  expect(scene.calls).toEqual([]);
});

test.each([
  ["the role", { role: "viewer" }, {}, "mcp"],
  ["a scope", { scopes: ["mcp:read"] }, {}, "mcp"],
  ["every scope", { scopes: [] }, {}, "cli"],
  ["a low enough risk for this surface", {}, { risk: "high" }, "mcp"],
] as const)(
  "TOOL-9 for an operator without %s the tool does not exist",
  async (_, different, tool, surface) => {
    const scene = makeScene({ tool });
    const principal = scene.engine.principal({ ...ben, ...different });
    expect(await principal.preview({ tool: "cancel_order", arguments: cancelA1042, surface })).toEqual({
      refused: "unknown_tool",
    });
    const { rows } = await scene.store.listWrites({ limit: 10 });
    expect(rows).toEqual([]);
  },
);

test("TOOL-9 a high-risk tool may be used at the command line", async () => {
  const scene = makeScene({ tool: { risk: "high" } });
  const preview = { tool: "cancel_order", arguments: cancelA1042, surface: "cli" } as const;
  expect(granted(await scene.engine.principal(ben).preview(preview))).toMatchObject({
    card: { risk: "high" },
  });
});
