import { expect, test } from "vitest";
import { orderText, refusalText, writeText } from "./words.ts";

const order = {
  number: "A-1042",
  status: "open",
  items: ["Tea glass, set of 4"],
  totalMinor: 2400,
  refundedMinor: 0,
  currency: "EUR",
  street: "Calle Mayor 12",
  city: "Madrid",
  postalCode: "28013",
};

test("PLAY-3 an order is told in one breath", () => {
  expect(orderText(order)).toBe(
    "Order A-1042 is open: Tea glass, set of 4, €24.00. It goes to Calle Mayor 12, 28013 Madrid.",
  );
  expect(orderText({ ...order, refundedMinor: 2400 })).toContain("€24.00, €24.00 of it refunded.");
});

test("PLAY-4 while an outcome is unknown nothing is said about success or failure", () => {
  const problem = { code: "write_in_progress", detail: "…", writeId: "wr_1", state: "unknown" };
  expect(refusalText(problem)).toBe(
    "I cannot start another change yet. It is still not known whether the last one went through. It is being checked; its reference is wr_1.",
  );
});

test("PLAY-3 a missing piece is named", () => {
  const problem = {
    code: "invalid_arguments",
    detail: "…",
    issues: [{ pointer: "/postalCode", message: "Too short" }],
  };
  expect(refusalText(problem)).toBe("I cannot propose this. postalCode: Too short.");
});

const applied = {
  id: "wr_1",
  tool: "cancel_order",
  state: "applied",
  message: "Done.",
  result: { orderNumber: "A-1042", status: "cancelled", refundMinor: 2400, currency: "EUR" },
  changedByCustomer: [{ label: "Reason", from: "Arrives too late", to: "Ordered by mistake" }],
};

test("PLAY-4 what the customer changed is said only once it was applied", () => {
  expect(writeText(applied)).toBe(
    "Order A-1042 is cancelled. You get €24.00 back. You changed Reason from “Arrives too late” to “Ordered by mistake”.",
  );
  expect(writeText({ ...applied, state: "unknown", message: "It is being checked." })).toBe(
    "It is being checked.",
  );
});

test("PLAY-4 without the result only the plain sentence is said", () => {
  expect(writeText({ ...applied, result: null, changedByCustomer: [] })).toBe("Done.");
});

test.each([
  [
    "change_address",
    { orderNumber: "A-1042", street: "Calle Luna 5", city: "Madrid", postalCode: "28004" },
    "Order A-1042 now goes to Calle Luna 5, 28004 Madrid.",
  ],
  [
    "refund_order",
    { orderNumber: "A-1042", amountMinor: 2400, currency: "EUR" },
    "€24.00 is refunded for order A-1042.",
  ],
  [
    "book_slot",
    { orderNumber: "A-1042", date: "2026-12-10" },
    "Order A-1042 comes on Thursday, December 10, 2026.",
  ],
  [
    "take_offer",
    { orderNumber: "A-1042", totalMinor: 2160, currency: "EUR" },
    "Order A-1042 now costs €21.60.",
  ],
  ["add_note", { orderNumber: "A-1042" }, "The note is added to order A-1042."],
])("PLAY-3 the result of %s is told in a sentence", (tool, result, sentence) => {
  expect(writeText({ ...applied, tool, result, changedByCustomer: [] })).toBe(sentence);
});
