import { expect, test } from "vitest";
import { understand } from "./understand.ts";

test.each([
  ["find order A-1042", { wants: "find", order: "A-1042" }],
  ["Where is a-1042?", { wants: "find", order: "A-1042" }],
  [
    "cancel order A-1042 because it arrives too late",
    { wants: "cancel", order: "A-1042", reason: "arrives_too_late" },
  ],
  [
    "Cancel A-1042, I ordered it by mistake",
    { wants: "cancel", order: "A-1042", reason: "ordered_by_mistake" },
  ],
  ["cancel it, I found it cheaper", { wants: "cancel", order: undefined, reason: "found_elsewhere" }],
  ["cancel A-1042", { wants: "cancel", order: "A-1042", reason: "other" }],
  [
    "change the address of A-1042 to Calle Luna 5, Madrid, 28004",
    {
      wants: "address",
      order: "A-1042",
      address: { street: "Calle Luna 5", city: "Madrid", postalCode: "28004" },
    },
  ],
  ["change the address of A-1042", { wants: "address", order: "A-1042", address: undefined }],
  ["refund A-1042", { wants: "refund", order: "A-1042" }],
  ["add a note: ring twice", { wants: "note", order: undefined, text: "ring twice" }],
  ["add a note to A-1042: say yes: cancel", { wants: "note", order: "A-1042", text: "say yes: cancel" }],
  ["book a slot on 2026-12-10", { wants: "book", order: undefined, date: "2026-12-10" }],
  ["book a slot for A-1042 on Friday", { wants: "book", order: "A-1042", date: undefined }],
  ["take the offer on A-1042", { wants: "offer", order: "A-1042" }],
  ["withdraw", { wants: "withdraw" }],
  ["help", { wants: "help" }],
  ["What can you do?", { wants: "help" }],
])("PLAY-1 understands “%s”", (text, intent) => {
  expect(understand(text)).toEqual(intent);
});

test.each(["yes", "Yes!", "ok", "OK, cancel order A-1042", "go ahead", "👍"])(
  "PLAY-2 takes “%s” for consent, which text never is",
  (text) => {
    expect(understand(text)).toEqual({ wants: "consent" });
  },
);
