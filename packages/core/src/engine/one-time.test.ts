import { expect, test } from "vitest";
import { z } from "zod";
import { ConfigurationError } from "../base/errors.ts";
import { cardOf, confirm, granted, makeScene, operatorBen, proposed } from "./fixtures.ts";

const canary = "sk_live_canary";
const output = z.object({
  status: z.string(),
  secret: z.string().optional(),
  keys: z.object({ a: z.string() }).optional(),
});
const tool = { output, oneTime: ["secret", "/keys/a"], presentation: undefined, confirmation: "required" };
const result = { status: "made", secret: canary, keys: { a: `${canary}_a` } };

test("RUN-22 the operator who confirmed is handed the values once; a repeat has the rest only", async () => {
  const scene = makeScene({ tool });
  scene.handler = () => result;
  const view = scene.engine.principal(operatorBen);
  const made = granted(
    await view.preview({
      tool: "cancel_order",
      arguments: { orderId: "A-1", reason: "late" },
      surface: "cli",
    }),
  );
  if (!("card" in made)) throw new Error("nothing to do");
  const decision = {
    writeId: made.card.writeId,
    version: made.card.version,
    digest: made.card.digest,
    surface: "cli",
  } as const;
  const first = granted(await view.confirm(decision));
  expect(first.oneTime).toEqual({ "/secret": canary, "/keys/a": `${canary}_a` });
  expect(first.write.result).toEqual({ status: "made", keys: {} });
  const again = granted(await view.confirm(decision));
  expect(again).toEqual({ ...first, oneTime: null });
  const stored = [
    await scene.store.readWrite(decision.writeId),
    granted(await scene.engine.operator.journal(decision.writeId)),
  ];
  expect(JSON.stringify(stored)).not.toContain(canary);
});

test("RUN-22 a customer's card, the agent and the journal are never told", async () => {
  const { scene, session, card } = await proposed({ tool });
  scene.handler = () => result;
  const told = [
    granted(await confirm(scene, session, card)),
    await cardOf(scene, session),
    await scene.engine.agent.read({ agent: "bot", writeId: card.writeId }),
    await scene.engine.operator.journal(card.writeId),
  ];
  expect(JSON.stringify(told)).not.toContain(canary);
});

test("RUN-22 a receipt cannot show what is never stored, and only places of the result can be named", () => {
  const receipt = { fields: [{ result: "secret", label: "Secret" }] };
  expect(() => makeScene({ tool: { ...tool, presentation: { omit: ["note"], receipt } } })).toThrow(
    ConfigurationError,
  );
  expect(() => makeScene({ tool: { ...tool, oneTime: ["secrets"] } })).toThrow('Did you mean "/secret"?');
});
