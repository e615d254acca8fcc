import { expect, test } from "vitest";
import { z } from "zod";
import { bindContent } from "../flow/content.ts";
import type { OperatorPrincipal } from "../flow/principal.ts";
import { memoryStore } from "../memory/store.ts";
import type { Plan } from "../tool/plan.ts";
import {
  call,
  cardOf,
  confirm,
  granted,
  makeScene,
  operatorBen,
  type Scene,
  signIn,
  writeIn,
} from "./fixtures.ts";
import { fold } from "./handle.ts";

const plan = (version: string): Plan => ({ targets: [{ type: "order", id: "A-1042", version }] });

/** Ben previews with one engine and confirms with another one on the same store, made with `tool`. */
async function confirmWith(
  tool: { readonly [key: string]: unknown },
  principal: OperatorPrincipal = operatorBen,
) {
  const store = memoryStore();
  const before = makeScene({ store, tool: { preview: () => plan("7") } });
  const preview = {
    tool: "cancel_order",
    arguments: { orderId: "A-1042", reason: "late" },
    surface: "cli",
  } as const;
  const { card } = granted(await before.engine.principal(operatorBen).preview(preview)) as {
    card: Awaited<ReturnType<typeof cardOf>>;
  };
  const after = makeScene({ store, tool: { preview: () => plan("7"), ...tool } });
  const { writeId, version, digest } = card;
  const answer = await after.engine
    .principal(principal)
    .confirm({ writeId, version, digest, surface: "cli" });
  return { answer, calls: after.calls };
}

test("FLOW-32 with nothing changed the same confirmation runs in another process", async () => {
  const { answer, calls } = await confirmWith({});
  expect(answer).toMatchObject({ card: { state: "applied" }, write: { state: "applied" } });
  expect(calls).toHaveLength(1);
});

const others: readonly [string, { readonly [key: string]: unknown }, OperatorPrincipal, string][] = [
  ["another operator", {}, { ...operatorBen, actorId: "ana" }, "not_found"],
  ["another way of signing in", {}, { ...operatorBen, authMethod: "password" }, "not_found"],
  ["another client application", {}, { ...operatorBen, clientApplicationId: "phone" }, "not_found"],
  ["another merchant", {}, { ...operatorBen, merchantId: "other" }, "not_found"],
  ["another role", {}, { ...operatorBen, role: "admin" }, "not_found"],
  ["more scopes", {}, { ...operatorBen, scopes: ["mcp:write", "admin"] }, "not_found"],
  [
    "a tool that now asks for another role",
    { access: { roles: ["admin"], scopes: [] } },
    operatorBen,
    "unknown_tool",
  ],
  [
    "a tool that now asks for another scope",
    { access: { roles: ["owner"], scopes: ["refunds"] } },
    operatorBen,
    "unknown_tool",
  ],
  ["another version of the tool", { version: "2" }, operatorBen, "superseded"],
  [
    "a tool that is shown otherwise",
    { presentation: { title: "Really cancel?" } },
    operatorBen,
    "superseded",
  ],
  [
    "a tool that takes other arguments",
    {
      input: z.strictObject({ orderId: z.string(), reason: z.string(), by: z.string() }),
      presentation: undefined,
    },
    operatorBen,
    "superseded",
  ],
  ["a riskier tool", { risk: "high" }, operatorBen, "superseded"],
  ["another version of a target", { preview: () => plan("8") }, operatorBen, "drifted"],
];

test.each(others)("FLOW-32 with %s nothing runs", async (_what, tool, principal, refused) => {
  const { answer, calls } = await confirmWith(tool, principal);
  expect(answer).toMatchObject({ refused });
  expect(calls).toEqual([]);
});

const contentOf = (scene: Scene, rest: object): string => {
  void scene;
  const card = { tool: "cancel_order" } as never;
  const base = {
    tool: "cancel_order",
    toolVersion: "a",
    principal: operatorBen,
    plan: undefined,
    args: { orderId: "A-1042" },
    card,
    salt: "0".repeat(32),
  };
  return bindContent({ ...base, ...rest }).digest;
};

test("FLOW-32 every part that a decision is bound to makes another digest", () => {
  const scene = makeScene();
  const target = { type: "order", id: "A-1042", version: "7" };
  const digests = [
    {},
    { tool: "reopen_order" },
    { toolVersion: "b" },
    { principal: { ...operatorBen, scopes: [] } },
    { args: { orderId: "A-1043" } },
    { card: { tool: "cancel_order", title: "Other" } as never },
    { salt: "1".repeat(32) },
    { plan: { targets: [target] } as never },
    { plan: { targets: [{ ...target, version: "8" }] } as never },
  ].map((rest) => contentOf(scene, rest));
  expect(new Set(digests).size).toBe(digests.length);
});

test("FLOW-32 a card of a former epoch confirms nothing, though the same customer is back", async () => {
  const scene = makeScene();
  const session = await signIn(scene);
  writeIn(await call(scene));
  const card = await cardOf(scene, session);
  await scene.engine.host.customerSignedOut("c-1");
  await signIn(scene);
  expect(await confirm(scene, session, card)).toMatchObject({ refused: "session_ended" });
  expect(scene.calls).toEqual([]);
});

test("FLOW-32 a run whose stored arguments are not the confirmed ones is not started", async () => {
  const store = memoryStore();
  const changed = {
    ...store,
    async readWrite(writeId: string) {
      const stored = await store.readWrite(writeId);
      return (
        stored && {
          ...stored,
          plains: stored.plains.map((plain) => ({
            ...plain,
            args: plain.args?.replace("A-1042", "A-1043") ?? null,
          })),
        }
      );
    },
  };
  const scene = makeScene({ store, report: () => {} });
  const session = await signIn(scene);
  const { id } = writeIn(await call(scene));
  const card = await cardOf(scene, session);
  const other = makeScene({ store: changed, report: () => {} });
  const settled = granted(await confirm(other, session, card)).card;
  expect([settled.state, other.calls]).toEqual(["not_applied", []]);
  const stored = await store.readWrite(id);
  expect(stored && fold(stored).state).toBe("not_applied");
});
