import fc from "fast-check";
import { expect, test } from "vitest";
import { parsePromptToken, promptTokens } from "./prompt-token.ts";

test("CHAN-6 a token comes back as the prompt and the decision it was made for, in at most 128 bytes", () => {
  const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,100}$/);
  fc.assert(
    fc.property(id, (promptId) => {
      const { confirm, decline } = promptTokens(promptId);
      expect(parsePromptToken(confirm)).toEqual({ promptId, decision: "confirm" });
      expect(parsePromptToken(decline)).toEqual({ promptId, decision: "decline" });
      expect(Buffer.byteLength(confirm)).toBeLessThanOrEqual(128);
      expect(confirm).toMatch(/^[!-~]+$/);
    }),
  );
});

test("CHAN-6 nothing else is a token", () => {
  const others = [
    "",
    "Confirm",
    "cs1.k3",
    "cs1.k3.y",
    "cs1..c",
    "CS1.k3.c",
    "cs1.k 3.c",
    "cs1.k3.c ",
    "cs1.k3.c\n",
  ];
  for (const payload of [...others, `cs1.${"a".repeat(101)}.c`, "cs1.k3.c.c", "cs1.é.c"]) {
    expect(parsePromptToken(payload)).toBe(undefined);
  }
});
