import { z } from "zod";

// Members of answers are described openly (a client must not mind more); those of requests are closed.

const anyJson = z.unknown();
const time = z.iso.datetime();
const text = z.string();
const nullableText = text.nullable();

/** What is wrong where. */
export const issueSchema: z.ZodType = z.object({ pointer: text, message: text });

/** How sure a sign-in is. */
export const levelSchema: z.ZodType<"low" | "standard" | "high"> = z.enum(["low", "standard", "high"]);

const states = [
  "proposed",
  "running",
  "awaiting_verification",
  "pending",
  "unknown",
  "applied",
  "not_applied",
  "declined",
  "expired",
  "withdrawn",
  "superseded",
] as const;

/** Where a write stands. */
export const stateSchema: z.ZodType<(typeof states)[number]> = z.enum(states);

const scalar = z.union([z.string(), z.number(), z.boolean()]);

const fieldInput = z.object({
  type: z.enum(["string", "number", "integer", "boolean"]),
  required: z.boolean(),
  minLength: z.number().nullable(),
  maxLength: z.number().nullable(),
  minimum: z.number().nullable(),
  maximum: z.number().nullable(),
  pattern: nullableText,
  options: z.array(z.object({ value: scalar, label: text })).nullable(),
});

const cardField = z.object({
  argument: text,
  label: text,
  format: text,
  value: anyJson.optional(),
  display: text,
  items: z.array(text).optional(),
  currency: text.optional(),
  minorDigits: z.number().optional(),
  help: text.optional(),
  editable: z.boolean(),
  input: fieldInput.optional(),
});

const frozen = {
  tool: text,
  risk: z.enum(["low", "standard", "high"]),
  locale: text,
  timeZone: text,
  title: text,
  description: nullableText,
  fields: z.array(cardField),
  details: z.array(z.object({ argument: text, label: text, display: nullableText, omitted: z.boolean() })),
  effects: z.array(
    z.object({ label: text, before: nullableText, after: nullableText, tolerance: text.optional() }),
  ),
  warnings: z.array(text),
  reversible: z.boolean().nullable(),
  confirmLabel: text,
  declineLabel: text,
};

/** What happened, as told to the customer. */
export const receiptSchema: z.ZodType = z.object({
  outcome: z.enum(["applied", "not_applied", "pending", "unknown", "declined"]),
  title: text,
  message: nullableText,
  fields: z.array(z.object({ label: text, display: text })),
  settledAt: time.nullable(),
  reference: text,
  undo: z.object({ label: text, note: nullableText }).nullable(),
});

/** What a customer sees of one write. */
export const cardSchema: z.ZodType = z.object({
  writeId: text,
  version: z.int(),
  seq: z.int(),
  digest: text,
  state: stateSchema,
  reason: nullableText,
  ...frozen,
  createdAt: time,
  expiresAt: time,
  canExtend: z.boolean(),
  decidedAt: time.nullable(),
  nextCheckAt: time.nullable(),
  stepUp: z
    .object({
      level: levelSchema.nullable(),
      maxAuthAgeSeconds: z.number().nullable(),
      until: time,
      verifyUrl: nullableText,
    })
    .optional(),
  changes: z.array(
    z.object({ label: text, from: nullableText, to: nullableText, by: z.enum(["customer", "drift"]) }),
  ),
  receipt: receiptSchema.nullable(),
});

const agentWrite = {
  id: text,
  conversationId: text,
  tool: text,
  state: stateSchema,
  version: z.int(),
  seq: z.int(),
  message: text,
  result: anyJson,
  changedByCustomer: z.array(z.object({ label: text, from: nullableText, to: nullableText })),
  undelivered: nullableText,
  createdAt: time,
  expiresAt: time,
  decidedAt: time.nullable(),
  settledAt: time.nullable(),
};

/** What an agent may see of a write. */
export const agentWriteSchema: z.ZodType = z.object(agentWrite);

/** What an operator sees of a write. */
export const operatorWriteSchema: z.ZodType = z.object({
  ...agentWrite,
  digest: text,
  surface: nullableText,
  attempts: z.int(),
  checks: z.int(),
  nextCheckAt: time.nullable(),
  needsAttention: z.boolean(),
  reason: nullableText,
  operationRef: nullableText,
  customerRef: nullableText,
});

/** A write's whole journal. */
export const journalSchema: z.ZodType = z.object({
  writeId: text,
  head: text,
  events: z.array(
    z.object({
      writeId: text,
      seq: z.int(),
      at: z.int(),
      type: text,
      v: z.int(),
      by: z.object({ kind: text, ref: nullableText }),
      body: z.record(text, anyJson),
      commits: z.record(text, text),
      prev: text,
      hash: text,
      plain: z
        .object({
          salt: text,
          args: anyJson.optional(),
          card: z.object(frozen).optional(),
          plan: anyJson.optional(),
          outcome: anyJson.optional(),
        })
        .optional(),
    }),
  ),
});
