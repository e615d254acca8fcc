import { expect, test } from "vitest";
import { type ConfirmedCall, confirmationSeal } from "./confirmation-token.ts";
import { operatorBen } from "./fixtures.ts";

const secret = "a".repeat(32);
const call: ConfirmedCall = {
  principal: operatorBen,
  method: "tools/call",
  tool: "cancel_order",
  arguments: { orderId: "A-1042", reason: "late" },
};
const confirmation = { writeId: "wr_1", version: 2, digest: "d".repeat(64) };
const seal = confirmationSeal([secret]);
const token = seal.seal(confirmation, call, 1000);

test("TOOL-12 a token confirms the call it was made for, whatever the order of its arguments", () => {
  const reordered = { ...call, arguments: { reason: "late", orderId: "A-1042" } };
  expect(seal.open(token, call, 999)).toEqual({ confirmation, expired: false });
  expect(seal.open(token, reordered, 999)).toEqual({ confirmation, expired: false });
});

test("TOOL-12 a token says when its time is over", () => {
  expect(seal.open(token, call, 1000)).toEqual({ confirmation, expired: true });
});

const others: readonly [string, ConfirmedCall][] = [
  ["tool", { ...call, tool: "refund_order" }],
  ["method", { ...call, method: "prompts/get" }],
  ["value", { ...call, arguments: { orderId: "A-1043", reason: "late" } }],
  ["argument", { ...call, arguments: { orderId: "A-1042" } }],
  ["actor", { ...call, principal: { ...operatorBen, actorId: "ana" } }],
  ["merchant", { ...call, principal: { ...operatorBen, merchantId: "other" } }],
  ["client application", { ...call, principal: { ...operatorBen, clientApplicationId: "phone" } }],
  ["role", { ...call, principal: { ...operatorBen, role: "viewer" } }],
  ["scopes", { ...call, principal: { ...operatorBen, scopes: [] } }],
  ["arguments without canonical form", { ...call, arguments: { orderId: "\ud800" } }],
];

test.each(others)("TOOL-12 with another %s it confirms nothing", (_what, other) => {
  expect(seal.open(token, other, 0)).toBeUndefined();
});

test("TOOL-12 a token with any character changed, cut or added confirms nothing", () => {
  const changed = (at: number): string[] =>
    ["A", "b", "0", "-", "."].map((one) => token.slice(0, at) + one + token.slice(at + 1));
  const tampered = [...token].flatMap((_, at) => [...changed(at), token.slice(0, at), token.slice(at)]);
  const genuine = tampered.filter((text) => text !== token && seal.open(text, call, 0) !== undefined);
  expect(genuine).toEqual([]);
  expect(seal.open(`${token}.`, call, 0)).toBeUndefined();
  expect(seal.open("x".repeat(10_000), call, 0)).toBeUndefined();
});

test("TOOL-12 tokens outlive a change of the secret while the old one is listed", () => {
  const newer = "b".repeat(32);
  expect(confirmationSeal([newer, secret]).open(token, call, 0)).toEqual({ confirmation, expired: false });
  expect(confirmationSeal([newer]).open(token, call, 0)).toBeUndefined();
});

test("TOOL-12 a token holds neither arguments nor who it is for", () => {
  const [, payload = ""] = token.split(".");
  const text = Buffer.from(payload, "base64url").toString("utf8");
  expect(["A-1042", "late", "ben", "owner", "desk"].filter((word) => text.includes(word))).toEqual([]);
});
