import { expect, test } from "vitest";
import { type DeliveryStatus, laterStatus } from "./delivery-status.ts";

const all: readonly DeliveryStatus[] = ["sent", "delivered", "read", "failed"];

test("CHAN-11 what is known of a message never goes back, and a failure is undone by nothing but a reading", () => {
  const table = Object.fromEntries(
    [null, ...all].map((known) => [String(known), all.map((said) => laterStatus(known, said))]),
  );
  expect(table).toEqual({
    null: ["sent", "delivered", "read", "failed"],
    sent: ["sent", "delivered", "read", "failed"],
    delivered: ["delivered", "delivered", "read", "delivered"],
    read: ["read", "read", "read", "read"],
    failed: ["failed", "failed", "read", "failed"],
  });
});
