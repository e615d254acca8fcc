import { expect, test } from "vitest";
import { sessionSeal } from "./session-token.ts";

const oldSecret = "an-old-secret-of-at-least-32-bytes";
const newSecret = "a-new-secret-of-at-least-32-bytes!";
const session = { conversationId: "c-1", epoch: 3, expiresAt: 1_796_000_000_000 };

test("HTTP-24 a token gives back the session it was made for", () => {
  const seal = sessionSeal([newSecret]);
  expect(seal.open(seal.seal(session))).toEqual(session);
});

test("HTTP-24 a token of the old secret counts as long as that secret is listed", () => {
  const token = sessionSeal([oldSecret]).seal(session);
  expect(sessionSeal([newSecret, oldSecret]).open(token)).toEqual(session);
  expect(sessionSeal([newSecret]).open(token)).toBeUndefined();
});

test("HTTP-24 new tokens are made with the first secret", () => {
  const token = sessionSeal([newSecret, oldSecret]).seal(session);
  expect(sessionSeal([newSecret]).open(token)).toEqual(session);
});

test("HTTP-24 a token with any one character changed, added or left out is refused", () => {
  const seal = sessionSeal([newSecret]);
  const token = seal.seal(session);
  for (let index = 0; index < token.length; index += 1) {
    for (const other of ["A", "B", "_", ".", "="]) {
      const changed = token.slice(0, index) + other + token.slice(index + 1);
      expect(changed === token ? undefined : seal.open(changed)).toBeUndefined();
    }
    expect(seal.open(token.slice(0, index) + token.slice(index + 1))).toBeUndefined();
    expect(seal.open(`${token.slice(0, index)}A${token.slice(index)}`)).toBeUndefined();
  }
  expect(seal.open(`${token}A`)).toBeUndefined();
});

test("HTTP-24 claims of one token under the seal of another are refused", () => {
  const seal = sessionSeal([newSecret]);
  const [head, , mac] = seal.seal(session).split(".");
  const [, claims] = seal.seal({ ...session, conversationId: "c-2" }).split(".");
  expect(seal.open([head, claims, mac].join("."))).toBeUndefined();
});

test.each(["", ".", "cs1..", "cs1.a.b.c", "x".repeat(5000), "cs2.e30.e30"])(
  "HTTP-24 %j is no token",
  (text) => {
    expect(sessionSeal([newSecret]).open(text)).toBeUndefined();
  },
);
