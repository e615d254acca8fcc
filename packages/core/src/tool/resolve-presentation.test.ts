import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ConfigurationError } from "../base/errors.ts";
import type { JsonSchema } from "../base/schema.ts";
import type { Presentation } from "./presentation.ts";
import { resolvePresentation } from "./resolve-presentation.ts";

const input: JsonSchema = {
  type: "object",
  properties: {
    orderId: { type: "string" },
    amount: { type: "integer" },
    currency: { type: "string" },
    on: { type: "string", format: "date" },
    at: { type: "string", format: "date-time" },
    mail: { type: ["string", "null"], format: "email" },
    link: { type: "string", format: "uri" },
    reason: { anyOf: [{ enum: ["late", "other"] }, { type: "null" }] },
    kind: { const: "order" },
    urgent: { type: "boolean" },
    tags: { type: "array", items: { $ref: "#/$defs/tag" } },
    lines: { type: "array", items: { type: "object", properties: { sku: { type: "string" } } } },
    address: { $ref: "#/$defs/address", description: "where to" },
  },
  required: ["orderId", "address"],
  $defs: {
    tag: { type: "string" },
    address: { type: "object", properties: { city: { type: "string", title: "Town" } }, required: ["city"] },
  },
};
const output: JsonSchema = {
  type: "object",
  properties: { status: { type: "string" }, total: { type: "number" } },
};
const tool = { name: "cancel_order", title: "Cancel an order" };
const resolve = (presentation: unknown) =>
  resolvePresentation(tool, presentation as Presentation, input, output);

function errorOf(presentation: unknown): string {
  try {
    resolve(presentation);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  return "no error";
}

const order = { argument: "orderId", label: "Order" };

describe("a presentation that holds together", () => {
  it("CARD-1 shows every argument by its schema where nothing is written", () => {
    const { fields, ...rest } = resolvePresentation(tool, undefined, input);
    expect(
      fields.map(({ argument, label, format, editable, required }) => [
        argument,
        label,
        format,
        editable,
        required,
      ]),
    ).toEqual([
      ["/orderId", "Order id", "text", false, true],
      ["/amount", "Amount", "number", false, false],
      ["/currency", "Currency", "text", false, false],
      ["/on", "On", "date", false, false],
      ["/at", "At", "datetime", false, false],
      ["/mail", "Mail", "email", false, false],
      ["/link", "Link", "url", false, false],
      ["/reason", "Reason", "enum", false, false],
      ["/kind", "Kind", "text", false, false],
      ["/urgent", "Urgent", "boolean", false, false],
      ["/tags", "Tags", "list", false, false],
      ["/lines", "Lines", "json", false, false],
      ["/address", "Address", "json", false, true],
    ]);
    expect(rest).toEqual({
      title: "Cancel an order",
      description: undefined,
      confirmLabel: undefined,
      declineLabel: undefined,
      omit: [],
      warnings: [],
      reversible: null,
      receipt: { title: undefined, fields: [], undo: undefined },
    });
  });

  it("CARD-18 resolves shorthand, references, items, nullable schemas and defaults", () => {
    const resolved = resolve({
      confirmLabel: "Cancel order",
      declineLabel: "Keep order",
      fields: [
        { argument: "address.city", label: "City", editable: true },
        { argument: "lines.0.sku", label: "First" },
        { argument: "reason", label: "Reason", editable: true },
        { argument: "amount", label: "Amount", format: "money", currency: "currency", unit: "major" },
      ],
      omit: ["kind"],
      receipt: {
        fields: [
          { result: "status", label: "Status" },
          { argument: "amount", label: "Amount" },
        ],
        undo: {
          tool: "reopen_order",
          arguments: { id: { argument: "orderId" }, total: { result: "total" }, why: "undo" },
          label: "Undo",
        },
      },
    });
    expect(
      resolved.fields.map(({ argument, format, required, currency }) => [
        argument,
        format,
        required,
        currency,
      ]),
    ).toEqual([
      ["/address/city", "text", true, undefined],
      ["/lines/0/sku", "text", false, undefined],
      ["/reason", "enum", false, undefined],
      ["/amount", "money", false, "/currency"],
    ]);
    expect([resolved.title, resolved.omit, resolved.receipt]).toEqual([
      "Cancel an order",
      ["/kind"],
      {
        title: undefined,
        fields: [
          { result: "/status", label: "Status", format: "text" },
          { argument: "/amount", label: "Amount", format: "money", currency: "/currency", unit: "major" },
        ],
        undo: {
          tool: "reopen_order",
          arguments: { id: { argument: "/orderId" }, total: { result: "/total" }, why: "undo" },
          label: "Undo",
        },
      },
    ]);
  });

  it("CARD-18 reads the JSON Schema that zod makes", () => {
    const schema = z.toJSONSchema(
      z.object({
        when: z.iso.date(),
        how: z.enum(["a", "b"]).nullable().optional(),
        to: z.union([z.object({ x: z.int() }), z.object({ y: z.email() })]),
      }),
    ) as JsonSchema;
    const { fields } = resolvePresentation(
      tool,
      {
        fields: [
          { argument: "when", label: "When" },
          { argument: "how", label: "How", editable: true },
          { argument: "to.y", label: "To" },
        ],
      },
      schema,
    );
    expect(fields.map(({ format }) => format)).toEqual(["date", "enum", "email"]);
  });
});

describe("a presentation that does not", () => {
  it.each<[string, unknown, string]>([
    [
      "a misspelt key",
      { titel: "x" },
      'Tool "cancel_order", presentation: "titel" is not known here. Did you mean "title"?',
    ],
    [
      "a misspelt key of a field",
      { fields: [{ ...order, lable: "x" }] },
      'Tool "cancel_order", presentation.fields[0]: "lable" is not known here. Did you mean "label"?',
    ],
    [
      "a misspelt key of a receipt",
      { receipt: { titles: "x" } },
      'Tool "cancel_order", presentation.receipt: "titles" is not known here. Did you mean "title"?',
    ],
    [
      "a misspelt pointer",
      { fields: [{ argument: "orderID2", label: "x" }] },
      'Tool "cancel_order", presentation.fields[0].argument: the schema has no "/orderID2". Did you mean "/orderId"?',
    ],
    [
      "a misspelt pointer below",
      { omit: ["/address/citty"] },
      'Tool "cancel_order", presentation.omit[0]: the schema has no "/address/citty". Did you mean "/address/city"?',
    ],
    [
      "a misspelt result",
      { receipt: { fields: [{ result: "statu", label: "x" }] } },
      'Tool "cancel_order", presentation.receipt.fields[0].result: the schema has no "/statu". Did you mean "/status"?',
    ],
    [
      "a duplicate",
      { fields: [order], omit: ["/orderId"] },
      'Tool "cancel_order", presentation.omit[0]: "/orderId" is already in fields[0].argument ("/orderId"); name each argument once.',
    ],
    [
      "a part of what is omitted",
      { fields: [{ argument: "address.city", label: "x" }], omit: ["address"] },
      'Tool "cancel_order", presentation.omit[0]: "/address" is already in fields[0].argument ("/address/city"); name each argument once.',
    ],
    [
      "a blank label",
      { fields: [{ argument: "orderId", label: " \u200b" }] },
      'Tool "cancel_order", presentation.fields[0].label: give words; a blank, a picture or a sign alone says nothing.',
    ],
    [
      "a missing label",
      { fields: [{ argument: "orderId" }] },
      'Tool "cancel_order", presentation.fields[0].label: give a text, or one text per locale such as { en: "…", es: "…" }.',
    ],
    [
      "a label of 61 units",
      { fields: [{ argument: "orderId", label: "x".repeat(61) }] },
      `Tool "cancel_order", presentation.fields[0].label: "${"x".repeat(61)}" has 61 UTF-16 units; shorten it to 60 or less.`,
    ],
    [
      "equal labels",
      { fields: [order, { argument: "amount", label: { en: "order ", es: "Importe" } }] },
      'Tool "cancel_order", presentation.fields[1].label: "order " is also fields[0].label in en; tell the two apart.',
    ],
    [
      "an unknown locale",
      { title: { english: "x" } },
      'Tool "cancel_order", presentation.title: "english" is no locale; use a tag such as "es" or "pt-BR".',
    ],
    [
      "a confirm label of 21 units",
      { confirmLabel: "x".repeat(21) },
      'Tool "cancel_order", presentation.confirmLabel: "xxxxxxxxxxxxxxxxxxxxx" has 21 UTF-16 units; shorten it to 20 or less.',
    ],
    [
      "an emoji for a label",
      { confirmLabel: "👍" },
      'Tool "cancel_order", presentation.confirmLabel: give words; a blank, a picture or a sign alone says nothing.',
    ],
    [
      "a hidden character in a label",
      { confirmLabel: "Go\u200b" },
      'Tool "cancel_order", presentation.confirmLabel: remove what cannot be seen: "Go⟦U+200B⟧".',
    ],
    [
      "equal buttons",
      { confirmLabel: "Go", declineLabel: { en: "Stop", es: "GO" } },
      'Tool "cancel_order", presentation.confirmLabel: both buttons read "Go" in es; say what each button does, such as "Cancel order" and "Keep order".',
    ],
    [
      "a confirm label like the default decline",
      { confirmLabel: "cancel" },
      'Tool "cancel_order", presentation.declineLabel: both buttons read "cancel" in en; set a declineLabel of its own, such as "Cancel order" and "Keep order".',
    ],
    [
      "an editable object",
      { fields: [{ argument: "address", label: "x", editable: true }] },
      'Tool "cancel_order", presentation.fields[0].editable: "/address" cannot be edited: it is no single text, number, true/false or enum. Remove editable.',
    ],
    [
      "an editable constant",
      { fields: [{ argument: "kind", label: "x", editable: true }] },
      'Tool "cancel_order", presentation.fields[0].editable: "/kind" cannot be edited: it is fixed by const. Remove editable.',
    ],
    [
      "a format that does not fit",
      { fields: [{ ...order, format: "boolean" }] },
      'Tool "cancel_order", presentation.fields[0].format: "boolean" is for boolean; the schema says otherwise.',
    ],
    [
      "an unknown format",
      { fields: [{ ...order, format: "mony" }] },
      'Tool "cancel_order", presentation.fields[0].format: "mony" is no format. Did you mean "money"?',
    ],
    [
      "money without currency",
      { fields: [{ argument: "amount", label: "x", format: "money" }] },
      'Tool "cancel_order", presentation.fields[0]: money needs a currency: an ISO 4217 code such as "EUR", or a pointer such as "/currency".',
    ],
    [
      "money with a currency that is nowhere",
      { fields: [{ argument: "amount", label: "x", format: "money", currency: "/curency" }] },
      'Tool "cancel_order", presentation.fields[0].currency: the schema has no "/curency". Did you mean "/currency"?',
    ],
    [
      "options that miss a value",
      { fields: [{ argument: "reason", label: "x", options: [{ value: "late", label: "Late" }] }] },
      'Tool "cancel_order", presentation.fields[0].options: add a label for "other".',
    ],
    [
      "an enum without choices",
      { fields: [{ ...order, format: "enum" }] },
      'Tool "cancel_order", presentation.fields[0]: format "enum" needs options, or an enum in the schema.',
    ],
    [
      "a receipt that unmasks",
      {
        fields: [{ ...order, format: "masked" }],
        receipt: { fields: [{ argument: "orderId", label: "x", format: "text" }] },
      },
      'Tool "cancel_order", presentation.receipt.fields[0]: "/orderId" is masked or omitted on the card; mask it here too, or remove it.',
    ],
    [
      "a field that is no object",
      { fields: ["orderId"] },
      'Tool "cancel_order", presentation.fields[0]: give an object with argument, label, format, currency, unit, options, emptyText, editable, help.',
    ],
    [
      "a bad undo",
      { receipt: { undo: { tool: "a b", arguments: {}, label: "Undo" } } },
      'Tool "cancel_order", presentation.receipt.undo.tool: give the name of a tool: 1 to 64 of A–Z a–z 0–9 _ -.',
    ],
  ])("TOOL-1 names %s, where it is and what to do", (_name, presentation, message) => {
    expect(errorOf(presentation)).toBe(message);
  });
});
