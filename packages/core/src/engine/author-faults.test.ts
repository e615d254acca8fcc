import { expect, test } from "vitest";
import { memoryStore } from "../memory/store.ts";
import { stepUpRequired } from "../tool/outcome.ts";
import { call, cardOf, confirm, granted, proposed, ran } from "./fixtures.ts";

/** A schema that throws on every value while `broken` says so. */
function fragileInput(state: { broken: boolean }): object {
  return {
    "~standard": {
      version: 1,
      vendor: "test",
      validate(value: unknown) {
        if (state.broken) throw new Error("MARK-SECRET");
        return { value };
      },
      jsonSchema: {
        input: () => ({
          type: "object",
          properties: {
            orderId: { type: "string" },
            reason: { type: "string", enum: ["late", "other"] },
            note: { type: "string" },
          },
          required: ["orderId", "reason"],
        }),
      },
    },
  };
}

test("TOOL-1 a way to verify that cannot be made leaves the card without one, and is reported", async () => {
  const reports: string[] = [];
  const { scene, session, card } = await ran(() => stepUpRequired({ level: "high" }), {
    verifyUrl: () => {
      throw new Error("no such page");
    },
    report: (error, during) => reports.push(`${String(error)} while ${during}`),
  });
  expect(card).toMatchObject({ state: "awaiting_verification", stepUp: { verifyUrl: null } });
  expect(await cardOf(scene, session)).toEqual(card);
  expect(new Set(reports)).toEqual(new Set([`Error while making the verifyUrl of write ${card.writeId}`]));
});

test("TOOL-1 a schema that throws is the tool's failure, of a call and of an edit", async () => {
  const state = { broken: false };
  const { scene, session, card } = await proposed({ tool: { input: fragileInput(state) }, report: () => {} });
  state.broken = true;
  expect(
    await scene.engine.customer.edit({
      session,
      writeId: card.writeId,
      version: 1,
      values: { "/note": "by the door" },
    }),
  ).toEqual({ refused: "tool_failed" });
  expect(await call(scene)).toEqual({ refused: "tool_failed" });
  state.broken = false;
  expect(await cardOf(scene, session)).toEqual(card);
});

test("RUN-2 a run whose tool could not even be called ends with nothing changed", async () => {
  const store = memoryStore();
  let broken = false;
  const failing = {
    ...store,
    findCustomerId: (ref: string) => (broken ? Promise.reject(new Error("disk")) : store.findCustomerId(ref)),
  };
  const { scene, session, card } = await proposed({ store: failing, report: () => {} });
  broken = true;
  expect(granted(await confirm(scene, session, card)).card.state).toBe("not_applied");
  expect(scene.calls).toEqual([]);
});
