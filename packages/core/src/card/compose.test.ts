import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonical } from "../base/canonical.ts";
import type { Json, JsonObject } from "../base/json.ts";
import { pointerOf } from "../base/pointer.ts";
import type { JsonSchema } from "../base/schema.ts";
import { checkPlan } from "../tool/check-plan.ts";
import type { CheckedPlan, Plan } from "../tool/plan.ts";
import type { Presentation } from "../tool/presentation.ts";
import { resolvePresentation } from "../tool/resolve-presentation.ts";
import { changesBetween } from "./changes.ts";
import { composeCard } from "./compose.ts";
import type { CardTool } from "./frame.ts";
import type { FrozenCard } from "./model.ts";

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    orderId: { type: "string" },
    amount: { type: "integer", minimum: 1, maximum: 50_000 },
    currency: { type: "string" },
    reason: { type: "string", enum: ["late", "other"] },
    note: { anyOf: [{ type: "string", maxLength: 200 }, { type: "null" }] },
    phone: { type: "string" },
    channel: { type: "string" },
    internal: { type: "string" },
    address: { $ref: "#/$defs/address" },
  },
  required: ["orderId", "amount", "currency"],
  $defs: {
    address: {
      type: "object",
      properties: { city: { type: "string" }, zip: { type: "string", title: "Postcode" } },
    },
  },
};

const presentation: Presentation = {
  title: { en: "Refund this order?", es: "¿Reembolsar este pedido?" },
  confirmLabel: { en: "Refund order", es: "Reembolsar" },
  declineLabel: { en: "Keep order", es: "No reembolsar" },
  fields: [
    {
      argument: "amount",
      label: { en: "Amount", es: "Importe" },
      format: "money",
      currency: "/currency",
      editable: true,
    },
    { argument: "orderId", label: "Order" },
    {
      argument: "reason",
      label: "Reason",
      editable: true,
      help: "Why it goes back.",
      options: [
        { value: "late", label: "Arrives too late" },
        { value: "other", label: "Another reason" },
      ],
    },
    { argument: "phone", label: "Phone", format: "masked" },
    { argument: "address.city", label: "City" },
  ],
  omit: ["internal"],
  warnings: ["Refunds take 5 days."],
  reversible: false,
};

const tool: CardTool = {
  name: "refund_order",
  risk: "high",
  presentation: resolvePresentation(
    { name: "refund_order", title: "Refund an order" },
    presentation,
    inputSchema,
  ),
  inputSchema,
};

const args: JsonObject = {
  orderId: "A-1042",
  amount: 2400,
  currency: "EUR",
  phone: "+1 555-0117",
  channel: "web",
  internal: "not for eyes",
  address: { city: "Exampleton", zip: "01234" },
};

const place = { locale: "en", timeZone: "Europe/Madrid" };

describe("composing a card", () => {
  it("CARD-1 shows the fields in order, all other arguments as details, and names what is omitted", () => {
    const card: FrozenCard = {
      tool: "refund_order",
      risk: "high",
      locale: "en",
      timeZone: "Europe/Madrid",
      title: "Refund this order?",
      description: null,
      fields: [
        {
          argument: "/amount",
          label: "Amount",
          format: "money",
          value: 2400,
          display: "€24.00",
          currency: "EUR",
          minorDigits: 2,
          editable: true,
          input: {
            type: "integer",
            required: true,
            minLength: null,
            maxLength: null,
            minimum: 1,
            maximum: 50_000,
            pattern: null,
            options: null,
          },
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
          argument: "/reason",
          label: "Reason",
          format: "enum",
          value: null,
          display: "—",
          help: "Why it goes back.",
          editable: true,
          input: {
            type: "string",
            required: false,
            minLength: null,
            maxLength: null,
            minimum: null,
            maximum: null,
            pattern: null,
            options: [
              { value: "late", label: "Arrives too late" },
              { value: "other", label: "Another reason" },
            ],
          },
        },
        { argument: "/phone", label: "Phone", format: "masked", display: "•••• 0117", editable: false },
        {
          argument: "/address/city",
          label: "City",
          format: "text",
          value: "Exampleton",
          display: "Exampleton",
          editable: false,
        },
      ],
      details: [
        { argument: "/currency", label: "Currency", display: "EUR", omitted: false },
        { argument: "/channel", label: "Channel", display: "web", omitted: false },
        { argument: "/address/zip", label: "Address › Postcode", display: "01234", omitted: false },
        { argument: "/internal", label: "Internal", display: null, omitted: true },
      ],
      effects: [],
      warnings: ["Refunds take 5 days."],
      reversible: false,
      confirmLabel: "Refund order",
      declineLabel: "Keep order",
    };
    expect(composeCard(tool, args, place)).toStrictEqual(card);
    expect(JSON.parse(canonical(composeCard(tool, args, place)))).toEqual(card);
  });

  it("CARD-2 speaks the customer's language, and says which place it was composed for", () => {
    const { title, confirmLabel, declineLabel, fields, locale } = composeCard(tool, args, {
      locale: "es-mx",
      timeZone: "UTC",
    });
    expect({ title, confirmLabel, declineLabel, label: fields[0]?.label, locale }).toEqual({
      title: "¿Reembolsar este pedido?",
      confirmLabel: "Reembolsar",
      declineLabel: "No reembolsar",
      label: "Importe",
      locale: "es-MX",
    });
    const nowhere = composeCard(tool, args, { locale: "no such", timeZone: "No/Where" });
    expect([nowhere.locale, nowhere.timeZone]).toEqual(["en", "UTC"]);
  });

  it("CARD-3 adds what the preview found to what the definition says", () => {
    const card = composeCard(
      tool,
      args,
      place,
      planOf({
        effects: [{ type: "status", label: "Status", before: "Open", after: "Refunded" }],
        warnings: ["Only once."],
        reversible: true,
      }),
    );
    expect([card.effects, card.warnings, card.reversible]).toEqual([
      [{ label: "Status", before: "Open", after: "Refunded" }],
      ["Refunds take 5 days.", "Only once."],
      true,
    ]);
  });

  it("CARD-1 shows every argument of a tool without presentation, with the localised buttons", () => {
    const bare: CardTool = {
      ...tool,
      presentation: resolvePresentation({ name: "x", title: "Refund" }, undefined, inputSchema),
    };
    const { title, fields, details, confirmLabel, declineLabel } = composeCard(bare, args, {
      locale: "de",
      timeZone: "UTC",
    });
    expect({ title, labels: fields.map(({ label }) => label), details, confirmLabel, declineLabel }).toEqual({
      title: "Refund",
      labels: ["Order id", "Amount", "Currency", "Reason", "Note", "Phone", "Channel", "Internal", "Address"],
      details: [],
      confirmLabel: "Bestätigen",
      declineLabel: "Abbrechen",
    });
  });

  it("CARD-4 keeps a name that the schema does not declare apart from labels, with its invisible characters visible", () => {
    const { details } = composeCard(tool, { ...args, "Amount: £1\u202e": { deep: [true] } }, place);
    expect(details.at(-2)).toEqual({
      argument: "/Amount: £1\u202e",
      label: "Amount: £1⟦U+202E⟧",
      display: '{\n  "deep": [\n    true\n  ]\n}',
      omitted: false,
    });
  });

  it("CARD-1 hides no argument, whatever is shown, omitted or undeclared", () => {
    const name = fc.constantFrom("a", "b", "c/d", "e~f", "", "constructor", "toString", "0");
    const leaf = fc.oneof(fc.string({ maxLength: 5 }), fc.integer(), fc.boolean(), fc.constant(null));
    const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.dictionary(name, tie("tree"), { maxKeys: 4 }),
        fc.array(tie("tree"), { maxLength: 3 }),
      ),
    }));
    const leavesOf = (value: Json, path: readonly (string | number)[] = []): string[] =>
      typeof value !== "object" || value === null || Object.keys(value).length === 0
        ? [pointerOf(path)]
        : Object.entries(value).flatMap(([key, member]) => leavesOf(member as Json, [...path, key]));
    fc.assert(
      fc.property(
        fc.dictionary(name, tree, { minKeys: 1, maxKeys: 5 }),
        fc.infiniteStream(fc.nat()),
        (root, picks) => {
          const leaves = leavesOf(root);
          const pick = (): string => leaves[(picks.next().value ?? 0) % leaves.length] ?? "/none";
          const [shown, kept] = [pick(), pick()];
          const field = {
            argument: shown,
            label: "Shown",
            format: "text",
            editable: false,
            required: false,
            schema: {},
          } as const;
          const bare = resolvePresentation({ name: "t", title: "T" }, undefined, {});
          const any: CardTool = {
            name: "t",
            risk: "low",
            inputSchema: {},
            presentation: { ...bare, fields: [field], omit: kept === shown ? [] : [kept] },
          };
          const card = composeCard(any, root, place);
          const rows = [...card.fields, ...card.details].map(({ argument }) => argument);
          const missing = leaves.filter((at) => !rows.some((row) => at === row || at.startsWith(`${row}/`)));
          expect(missing).toEqual([]);
          expect(new Set(rows).size).toBe(rows.length);
          expect(() => canonical(card)).not.toThrow();
          expect(card.details.filter(({ omitted }) => omitted).map(({ argument }) => argument)).toEqual(
            any.presentation.omit,
          );
        },
      ),
    );
  });
});

function planOf(parts: Plan): CheckedPlan {
  const plan = checkPlan("refund_order", parts, { madeAt: 0, validSeconds: 900 });
  if (plan === "noop") throw new Error("nothing to do");
  return plan;
}

describe("comparing two cards", () => {
  const fee = { type: "fee", label: "Fee", format: "money", currency: "EUR", after: 100 } as const;
  const before = composeCard(tool, args, place, planOf({ effects: [{ ...fee, before: 0 }] }));

  it("CARD-5 finds nothing between equal cards, also in another language", () => {
    const spanish = {
      ...before,
      ...composeCard(tool, args, { locale: "es", timeZone: "UTC" }),
      effects: before.effects,
    };
    expect(changesBetween(before, before, "drift")).toEqual([]);
    expect(changesBetween(before, spanish, "drift")).toEqual([]);
  });

  it("CARD-5 names what was edited, added, removed and what drifted with it", () => {
    const { channel: _channel, ...rest } = args;
    const plan = planOf({
      effects: [
        { ...fee, before: 50 },
        { type: "status", label: "Status", before: null, after: "Open" },
      ],
    });
    const after = composeCard(tool, { ...rest, amount: 2000, reason: "late" }, place, plan);
    expect(changesBetween(before, after, "customer")).toEqual([
      { label: "Amount", from: "€24.00", to: "€20.00", by: "customer" },
      { label: "Reason", from: null, to: "Arrives too late", by: "customer" },
      { label: "Channel", from: "web", to: null, by: "customer" },
      { label: "Fee", from: "€0.00 → €1.00", to: "€0.50 → €1.00", by: "customer" },
      { label: "Status", from: null, to: "Open", by: "customer" },
    ]);
  });

  it("CARD-5 names a change of currency, though the number stays", () => {
    expect(
      changesBetween(before, composeCard(tool, { ...args, currency: "JPY" }, place), "drift")[0],
    ).toEqual({
      label: "Amount",
      from: "€24.00",
      to: "¥2,400",
      by: "drift",
    });
  });
});
