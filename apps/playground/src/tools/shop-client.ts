import type { Outcome, Target, WriteContext } from "@countersign/core";
import { applied, pending, rejected } from "@countersign/core";
import { z } from "zod";

/** What every tool of the shop has to know. */
export type ShopToolOptions = {
  /** Where the shop's service listens. */
  readonly shopUrl: string;
  /** How long a write may take before its outcome is unknown. */
  readonly timeoutSeconds: number;
};

/** What a handler needs of its context to reach the shop. */
export type ShopContext = Pick<WriteContext, "secrets" | "signal" | "customer" | "conversationId">;

const refusal = z.object({ code: z.string(), reason: z.string() });
const taken = z.object({ operationId: z.string() });
const done = z.object({ result: z.unknown() });
const known = z.object({
  operation: z.object({
    id: z.string(),
    status: z.enum(["accepted", "applied", "refused"]),
    result: z.unknown(),
    reason: z.string().nullable(),
  }),
});

/** The verified customer's id. The tools ask for a verified customer, so a missing one is a bug. */
export function customerOf(context: ShopContext): string {
  if (context.customer === null)
    throw new Error('A shop tool ran without a verified customer. Keep `customer: "verified"`.');
  return context.customer.customerId;
}

function headers(context: ShopContext): Record<string, string> {
  return {
    authorization: `Bearer ${context.secrets.get("SHOP_API_KEY")}`,
    "content-type": "application/json",
  };
}

/** Reads from the shop: the parsed answer, or null for something that is not there or not this customer's. */
export async function readShop<Value>(
  options: ShopToolOptions,
  context: ShopContext,
  path: string,
  schema: z.ZodType<Value>,
): Promise<Value | null> {
  const response = await fetch(`${options.shopUrl}${path}`, {
    headers: headers(context),
    signal: context.signal,
  });
  if (response.status === 404) return null;
  if (!response.ok)
    throw new Error(`The shop answered ${response.status} to a read. Look at the shop's log.`);
  return schema.parse(await response.json());
}

/** What a preview looks at of an order. */
export type ShopOrder = {
  readonly number: string;
  readonly status: "open" | "shipped" | "cancelled";
  readonly totalMinor: number;
  readonly currency: string;
  readonly street: string;
  readonly city: string;
  readonly postalCode: string;
  readonly version: number;
};

const order: z.ZodType<{ readonly order: ShopOrder }> = z.object({
  order: z.object({
    number: z.string(),
    status: z.enum(["open", "shipped", "cancelled"]),
    totalMinor: z.number().int(),
    currency: z.string(),
    street: z.string(),
    city: z.string(),
    postalCode: z.string(),
    version: z.number().int(),
  }),
});

/** The customer's order as it is now, with the target that it is for a preview; null where it is not theirs. */
export async function lookAtOrder(
  options: ShopToolOptions,
  context: ShopContext,
  number: string,
): Promise<(ShopOrder & { readonly target: Target }) | null> {
  const path = `/orders/${encodeURIComponent(number)}?customerId=${encodeURIComponent(customerOf(context))}`;
  const found = await readShop(options, context, path, order);
  if (found === null) return null;
  return { ...found.order, target: { type: "order", id: number, version: String(found.order.version) } };
}

/**
 * Asks the shop for a change under the write's key and says what the answer proves.
 *
 * A clear refusal is `rejected`; an answer that leaves doubt (a breakdown, a key conflict, no answer) throws, so that the
 * write becomes unknown.
 */
export async function changeShop<Value>(
  options: ShopToolOptions,
  context: WriteContext,
  path: string,
  change: { readonly [name: string]: unknown },
  schema: z.ZodType<Value>,
): Promise<Outcome<Value>> {
  const response = await fetch(`${options.shopUrl}${path}`, {
    method: "POST",
    headers: {
      ...headers(context),
      "idempotency-key": context.idempotencyKey,
      "behaviour-scope": context.conversationId,
      // What the customer was shown is what may be changed, and nothing that came in between.
      ...(context.plan?.targets[0] && { "if-match": context.plan.targets[0].version }),
    },
    body: JSON.stringify({ customerId: customerOf(context), ...change }),
    signal: context.signal,
  });
  const body: unknown = await response.json();
  if (response.status === 200) return applied(schema.parse(done.parse(body).result));
  if (response.status === 202)
    return pending(taken.parse(body).operationId, "The shop has taken it and will finish it.");
  const said = refusal.safeParse(body);
  const certain =
    [404, 409, 412, 422].includes(response.status) &&
    said.success &&
    said.data.code !== "idempotency_conflict";
  if (certain) return rejected(said.data.reason, { status: response.status, code: said.data.code });
  throw new Error(`The shop answered ${response.status}, which does not tell whether it made the change.`);
}

/** Asks the shop what became of the write's key. Throws while the shop cannot say. */
export async function askShop<Value>(
  options: ShopToolOptions,
  context: WriteContext,
  schema: z.ZodType<Value>,
): Promise<Outcome<Value>> {
  const answer = await readShop(
    options,
    context,
    `/operations?key=${encodeURIComponent(context.idempotencyKey)}`,
    known,
  );
  // A key the shop has not seen may still be on its way, so this is no proof that nothing happened.
  if (answer === null)
    throw new Error("The shop has not seen this key yet. An operator can settle the write.");
  const { id, status, result, reason } = answer.operation;
  if (status === "accepted") return pending(id, "The shop has taken it and will finish it.");
  return status === "applied" ? applied(schema.parse(result)) : rejected(reason ?? "The shop refused it.");
}
