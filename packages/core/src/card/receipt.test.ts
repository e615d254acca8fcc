import { describe, expect, it } from "vitest";
import type { JsonObject } from "../base/json.ts";
import type { Presentation } from "../tool/presentation.ts";
import { resolvePresentation } from "../tool/resolve-presentation.ts";
import { composeCard } from "./compose.ts";
import type { Receipt } from "./model.ts";
import { composeReceipt, type ReceiptSource } from "./receipt.ts";
import { undoArguments } from "./undo.ts";

const input = {
  type: "object",
  properties: { orderId: { type: "string" }, phone: { type: "string" }, currency: { type: "string" } },
  required: ["orderId"],
};

const written: Presentation = {
  title: "Cancel this order?",
  fields: [
    { argument: "orderId", label: "Order" },
    { argument: "phone", label: "Phone", format: "masked" },
  ],
  receipt: {
    title: { en: "Order cancelled", es: "Pedido cancelado" },
    fields: [
      { result: "/status", label: "Status" },
      { result: "/refund", label: "Refund", format: "money", currency: "/currency" },
      { argument: "phone", label: "Phone" },
    ],
    undo: {
      tool: "reopen_order",
      arguments: { orderId: { result: "id" }, quiet: true },
      label: "Reopen order",
      note: "Within a day.",
    },
  },
};

const presentation = resolvePresentation({ name: "cancel_order", title: "Cancel" }, written, input);
const args: JsonObject = { orderId: "A-1042", phone: "+1 555-0117", currency: "EUR" };

function source(
  outcome: Receipt["outcome"],
  more: Partial<ReceiptSource> & { readonly locale?: string } = {},
): ReceiptSource {
  const { locale = "en", ...rest } = more;
  const card = composeCard({ name: "cancel_order", risk: "low", presentation, inputSchema: input }, args, {
    locale,
    timeZone: "UTC",
  });
  return {
    writeId: "wr_1",
    outcome,
    card,
    args,
    result: undefined,
    message: null,
    settledAt: "2026-12-01T10:00:00.000Z",
    ...rest,
  };
}

const shownRows = [
  { label: "Order", display: "A-1042" },
  { label: "Phone", display: "•••• 0117" },
];

describe("composing a receipt", () => {
  it("CARD-16 shows of an applied write the tool's title, the rows of its result, and the undo", () => {
    const result = { id: "A-1042", status: "cancelled\u202e", refund: 2400 };
    expect(composeReceipt(presentation, source("applied", { result }))).toEqual({
      outcome: "applied",
      title: "Order cancelled",
      message: null,
      fields: [
        { label: "Status", display: "cancelled⟦U+202E⟧" },
        { label: "Refund", display: "€24.00" },
        { label: "Phone", display: "•••• 0117" },
      ],
      settledAt: "2026-12-01T10:00:00.000Z",
      reference: "wr_1",
      undo: { label: "Reopen order", note: "Within a day." },
    });
  });

  it("CARD-17 offers no undo whose arguments the result does not give", () => {
    expect(composeReceipt(presentation, source("applied", { result: null })).undo).toBeNull();
  });

  it("CARD-16 uses the card's rows and own words where the tool no longer exists", () => {
    const { title, fields, undo } = composeReceipt(
      undefined,
      source("applied", { result: { status: "x" }, locale: "es" }),
    );
    expect({ title, fields, undo }).toEqual({ title: "Hecho.", fields: shownRows, undo: null });
  });

  it.each([
    ["not_applied", "Not done. Nothing was changed."],
    ["declined", "You decided against it. Nothing was changed."],
    ["pending", "Accepted, and not finished yet."],
  ] as const)("CARD-16 says of %s what is known, then what the handler said", (outcome, title) => {
    expect(composeReceipt(presentation, source(outcome, { message: " Out of\nstock. " }))).toEqual({
      outcome,
      title,
      message: "Out of⟦↵⟧stock.",
      fields: shownRows,
      settledAt: "2026-12-01T10:00:00.000Z",
      reference: "wr_1",
      undo: null,
    });
  });

  it("CARD-15 keeps an unknown outcome open, whatever a handler said", () => {
    const { title, message, undo } = composeReceipt(
      presentation,
      source("unknown", { message: "It failed." }),
    );
    expect({ title, message, undo }).toEqual({
      title: "It may or may not have gone through.",
      message: "This is being checked.",
      undo: null,
    });
  });
});

describe("the arguments of an undo", () => {
  const undo = presentation.receipt.undo as NonNullable<typeof presentation.receipt.undo>;

  it("CARD-17 come from the result, the arguments and the definition", () => {
    expect(undoArguments(undo, { result: { id: "A-1042" }, args })).toEqual({
      orderId: "A-1042",
      quiet: true,
    });
  });

  it("CARD-17 are none where the result lacks one", () => {
    expect(undoArguments(undo, { result: {}, args })).toBeUndefined();
  });

  it("CARD-17 leave out an argument that was absent", () => {
    const optional = { ...undo, arguments: { note: { argument: "/note" } } };
    expect(undoArguments(optional, { result: null, args })).toEqual({});
  });
});
