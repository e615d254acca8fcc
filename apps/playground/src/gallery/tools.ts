import { defineTool, type Outcome, type Tool } from "@countersign/core";
import { z } from "zod";
import { words } from "./words.ts";

type Refunded = { readonly refundMinor: number };

/** What the shop behind the gallery's tools says now. */
export type GalleryShop = {
  /** In cents; another amount than the customer saw is a drift. */
  refundMinor: number;
  answer: () => Refunded | Outcome<Refunded> | Promise<never>;
};

const noteFields = Array.from({ length: 24 }, (_, at) => `line${at + 1}`);

const numbered = (number: number): { readonly [locale: string]: string } =>
  Object.fromEntries(Object.entries(words.line).map(([locale, word]) => [locale, `${word} ${number}`]));

const done = z.object({ done: z.boolean() });

function cancelOrder(shop: GalleryShop): Tool {
  return defineTool({
    name: "cancel_order",
    title: "Cancel order",
    description: "Cancels an order.",
    effect: "write",
    recovery: "status",
    extend: { seconds: 900, times: 2 },
    input: z.strictObject({ order: z.string(), reason: z.enum(["late", "other"]) }),
    output: z.object({ refundMinor: z.number() }),
    presentation: {
      title: words.cancelTitle,
      confirmLabel: words.cancel,
      declineLabel: words.keep,
      fields: [
        { argument: "order", label: words.order },
        {
          argument: "reason",
          label: words.reason,
          format: "enum",
          editable: true,
          options: [
            { value: "late", label: words.late },
            { value: "other", label: words.other },
          ],
        },
      ],
      warnings: [words.refundDays],
      reversible: true,
      receipt: {
        title: words.cancelDone,
        fields: [
          { argument: "order", label: words.order },
          { result: "refundMinor", label: words.refund, format: "money", currency: "EUR" },
        ],
        undo: {
          tool: "reopen_order",
          arguments: { order: { argument: "order" } },
          label: words.reopen,
          note: words.reopenNote,
        },
      },
    },
    preview: ({ order }, { conversationId: locale }) => ({
      targets: [{ type: "order", id: order, version: String(shop.refundMinor) }],
      effects: [
        {
          type: "status",
          target: order,
          label: words.status,
          before: words.open[locale] ?? "",
          after: words.cancelled[locale] ?? "",
        },
        {
          type: "refund",
          label: words.refund,
          before: null,
          after: shop.refundMinor,
          format: "money",
          currency: "EUR",
        },
      ],
    }),
    handler: () => shop.answer(),
    status: () => {
      throw new Error("The gallery's shop does not know yet.");
    },
  });
}

const reopenOrder: Tool = defineTool({
  name: "reopen_order",
  title: "Reopen order",
  description: "Takes a cancellation back.",
  effect: "write",
  recovery: "operator",
  input: z.strictObject({ order: z.string() }),
  output: done,
  presentation: { title: words.reopen, fields: [{ argument: "order", label: words.order }] },
  handler: () => ({ done: true }),
});

const closeAccount: Tool = defineTool({
  name: "close_account",
  title: "Close account",
  description: "Closes an account for good.",
  effect: "write",
  risk: "high",
  recovery: "operator",
  input: z.strictObject({ account: z.string(), phone: z.string() }),
  output: done,
  presentation: {
    title: words.closeTitle,
    confirmLabel: words.close,
    declineLabel: words.keepAccount,
    fields: [
      { argument: "account", label: words.account, format: "masked" },
      { argument: "phone", label: words.phone, format: "phone" },
    ],
    warnings: [words.credit],
    reversible: false,
  },
  handler: () => ({ done: true }),
});

const sendNote: Tool = defineTool({
  name: "send_note",
  title: "Send note",
  description: "Sends a note to the courier.",
  effect: "write",
  recovery: "operator",
  input: z.strictObject({ order: z.string(), note: z.string() }),
  output: done,
  presentation: {
    title: words.sendTitle,
    confirmLabel: words.send,
    declineLabel: words.doNotSend,
    fields: [
      { argument: "order", label: words.order },
      { argument: "note", label: words.note, format: "multiline", editable: true },
    ],
  },
  handler: () => ({ done: true }),
});

const sendLines: Tool = defineTool({
  name: "send_lines",
  title: "Send lines",
  description: "Sends many lines to the courier.",
  effect: "write",
  recovery: "operator",
  input: z.strictObject(Object.fromEntries(noteFields.map((name) => [name, z.string()]))),
  output: done,
  presentation: {
    title: words.sendTitle,
    confirmLabel: words.send,
    declineLabel: words.doNotSend,
    fields: noteFields.map((argument, at) => ({ argument, label: numbered(at + 1), editable: at % 3 === 0 })),
  },
  handler: () => ({ done: true }),
});

/** The tools that the gallery's cards are proposed with; their conversation is named by the locale. */
export function galleryTools(shop: GalleryShop): readonly Tool[] {
  return [cancelOrder(shop), reopenOrder, closeAccount, sendNote, sendLines];
}
