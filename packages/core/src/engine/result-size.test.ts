import { expect, test } from "vitest";
import { z } from "zod";
import { applied } from "../tool/outcome.ts";
import { granted, ran } from "./fixtures.ts";

const most = 256 * 1024;

/** A result whose canonical text has `bytes` bytes; of the character `"é"`, two each. */
function resultOf(bytes: number, character = "x"): { readonly text: string } {
  const left = bytes - '{"text":""}'.length;
  return { text: character.repeat(left / Buffer.byteLength(character)) };
}

const tool = { output: z.object({ text: z.string() }), presentation: undefined };

test.each([
  ["exactly 256 KiB", resultOf(most), true],
  ["a byte more", resultOf(most + 1), false],
  ["fewer characters, but more bytes", resultOf(most + 3, "é"), false],
])("RUN-3 a result of %s is kept or withheld, and the write is applied", async (_name, result, kept) => {
  const { scene, card } = await ran(() => result, { tool });
  expect(granted(await scene.engine.operator.read(card.writeId))).toMatchObject({
    state: "applied",
    result: kept ? result : null,
    needsAttention: !kept,
  });
});

test("RUN-3 too large a result that a check brings is withheld just so", async () => {
  const lost = (): never => {
    throw new Error("lost");
  };
  const { scene, card } = await ran(lost, { tool });
  scene.status = () => applied(resultOf(most + 1));
  await scene.clock.advance(6000);
  await scene.engine.runDue();
  expect(granted(await scene.engine.operator.read(card.writeId))).toMatchObject({
    state: "applied",
    result: null,
    needsAttention: true,
  });
});
