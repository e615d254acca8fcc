import type { Card, FieldInput } from "@countersign/core/card";

const anyText: FieldInput = {
  type: "string",
  required: true,
  minLength: null,
  maxLength: null,
  minimum: null,
  maximum: null,
  pattern: null,
  options: null,
};

/** When the server of the examples speaks. */
export const exampleTime = "2026-11-30T21:33:00.000Z";

const shared = {
  risk: "standard",
  locale: "en-GB",
  timeZone: "Europe/Madrid",
  description: null,
  version: 1,
  seq: 1,
  digest: "d".repeat(64),
  state: "proposed",
  reason: null,
  createdAt: "2026-11-30T21:26:00.000Z",
  expiresAt: "2026-11-30T21:41:00.000Z",
  canExtend: true,
  decidedAt: null,
  nextCheckAt: null,
  changes: [],
  receipt: null,
} as const satisfies Partial<Card>;

/** Cancels an order: an editable choice, an omitted argument, two effects, irreversible. */
export function cancelOrder(part: Partial<Card> = {}): Card {
  return {
    ...shared,
    writeId: "wr_7Q4M2KXD",
    tool: "cancel_order",
    title: "Cancel this order?",
    fields: [
      {
        argument: "/orderId",
        label: "Order",
        format: "text",
        value: "A-1042",
        display: "A-1042",
        editable: false,
      },
      {
        argument: "/account",
        label: "Account",
        format: "masked",
        display: "Ana, a•••@mail.example",
        editable: false,
      },
      {
        argument: "/reason",
        label: "Reason",
        format: "enum",
        value: "late",
        display: "Arrives too late",
        editable: true,
        input: {
          ...anyText,
          options: [
            { value: "late", label: "Arrives too late" },
            { value: "mind", label: "Changed my mind" },
          ],
        },
      },
    ],
    details: [
      { argument: "/channel", label: "Channel", display: "web", omitted: false },
      { argument: "/note", label: "Internal note", display: null, omitted: true },
    ],
    effects: [
      { label: "Status", before: "Open", after: "Cancelled" },
      { label: "You pay", before: "€24.00", after: "€0.00" },
    ],
    warnings: ["Refunds take 5 days."],
    reversible: false,
    confirmLabel: "Cancel order",
    declineLabel: "Keep order",
    ...part,
  };
}

/** Refunds money: the amount counts cents and may be changed; a list of items. */
export function refund(part: Partial<Card> = {}): Card {
  return {
    ...shared,
    writeId: "wr_2F6R9CJP",
    tool: "refund",
    title: "Refund €24.00?",
    fields: [
      {
        argument: "/amount",
        label: "Refund to your card",
        format: "money",
        value: 2400,
        display: "€24.00",
        currency: "EUR",
        minorDigits: 2,
        editable: true,
        input: { ...anyText, type: "integer", minimum: 100, maximum: 2400 },
      },
      {
        argument: "/card",
        label: "Card",
        format: "masked",
        display: "Debit •••• 0123",
        editable: false,
      },
      {
        argument: "/orderId",
        label: "Order",
        format: "text",
        value: "A-1042",
        display: "A-1042",
        editable: false,
      },
      {
        argument: "/items",
        label: "Items",
        format: "list",
        value: ["Tea glass, set of 4", "Linen napkin, grey"],
        display: '"Tea glass, set of 4", "Linen napkin, grey"',
        items: ["Tea glass, set of 4", "Linen napkin, grey"],
        editable: false,
      },
    ],
    details: [],
    effects: [],
    warnings: ["Your bank may take up to 5 working days to show it."],
    reversible: null,
    confirmLabel: "Refund €24.00",
    declineLabel: "Do not refund",
    canExtend: false,
    ...part,
  };
}

/** Moves a delivery: a date and a free text, both editable, both with help. */
export function moveDelivery(part: Partial<Card> = {}): Card {
  return {
    ...shared,
    writeId: "wr_5H8T1NVB",
    tool: "move_delivery",
    title: "Move this delivery?",
    fields: [
      {
        argument: "/orderId",
        label: "Order",
        format: "text",
        value: "A-1042",
        display: "A-1042",
        editable: false,
      },
      {
        argument: "/date",
        label: "New date",
        format: "date",
        value: "2026-12-02",
        display: "Wed, 2 Dec 2026",
        help: "The courier delivers Monday to Saturday.",
        editable: true,
        input: anyText,
      },
      {
        argument: "/note",
        label: "Note",
        format: "multiline",
        value: "Ring twice.\nBen is at home.",
        display: "Ring twice.\nBen is at home.",
        editable: true,
        input: { ...anyText, required: false, maxLength: 80 },
      },
    ],
    details: [],
    effects: [{ label: "Delivery", before: "Tue, 1 Dec", after: "Wed, 2 Dec" }],
    warnings: [],
    reversible: true,
    confirmLabel: "Move delivery",
    declineLabel: "Keep Tue, 1 Dec",
    ...part,
  };
}

/** Closes an account: high risk, nothing editable, irreversible. */
export function closeAccount(part: Partial<Card> = {}): Card {
  return {
    ...shared,
    writeId: "wr_3C6V9LQS",
    tool: "close_account",
    risk: "high",
    title: "Close this account?",
    fields: [
      {
        argument: "/account",
        label: "Account",
        format: "masked",
        display: "Ben, b•••@mail.example",
        editable: false,
      },
      { argument: "/phone", label: "Phone", format: "masked", display: "•••• 0117", editable: false },
    ],
    details: [],
    effects: [],
    warnings: ["Orders, invoices and €12.40 of credit are deleted."],
    reversible: false,
    confirmLabel: "Close account",
    declineLabel: "Keep account",
    canExtend: false,
    ...part,
  };
}

const longNote =
  "Hello, this is Ana. I will be away from Tuesday to Friday, so please leave the parcel with Ben in the flat below " +
  "and ring twice, since the bell is quiet and sometimes fails. If nobody answers, the bicycle shop next door takes " +
  "parcels until seven in the evening and knows about it. Please do not leave it on the stairs, because things have " +
  "gone missing there before. You can reach me at 555-0142 in the morning, or send a message and I will answer as " +
  "soon as I can. Thank you!";

/** Sends a note that is longer than what a card shows at once. */
export function sendNote(part: Partial<Card> = {}, note: string = longNote): Card {
  return {
    ...shared,
    writeId: "wr_6D2W8KTA",
    tool: "send_note",
    title: "Send this note to the courier?",
    fields: [
      {
        argument: "/orderId",
        label: "Order",
        format: "text",
        value: "A-1042",
        display: "A-1042",
        editable: false,
      },
      {
        argument: "/note",
        label: "Note",
        format: "multiline",
        value: note,
        display: note,
        editable: true,
        input: anyText,
      },
    ],
    details: [],
    effects: [],
    warnings: [],
    reversible: true,
    confirmLabel: "Send note",
    declineLabel: "Do not send",
    ...part,
  };
}
