import { z } from "zod";
import type { BotWrite, Problem } from "./countersign-api.ts";

/** An order as the find tool gives it. */
export type FoundOrder = {
  readonly number: string;
  readonly status: string;
  readonly items: readonly string[];
  readonly totalMinor: number;
  readonly refundedMinor: number;
  readonly currency: string;
  readonly street: string;
  readonly city: string;
  readonly postalCode: string;
};

const found: z.ZodType<{ readonly order: FoundOrder | null }> = z.object({
  order: z
    .object({
      number: z.string(),
      status: z.string(),
      items: z.array(z.string()),
      totalMinor: z.number(),
      refundedMinor: z.number(),
      currency: z.string(),
      street: z.string(),
      city: z.string(),
      postalCode: z.string(),
    })
    .nullable(),
});

/** The order of a find result, or undefined where there is none of this customer's. */
export function orderIn(result: unknown): FoundOrder | undefined {
  return found.parse(result).order ?? undefined;
}

/** An amount in minor units, in words for the chat. */
function moneyText(minor: number, currency: string): string {
  return new Intl.NumberFormat("en", { style: "currency", currency }).format(minor / 100);
}

/** One sentence or two about an order. */
export function orderText(order: FoundOrder): string {
  const refunded =
    order.refundedMinor === 0 ? "" : `, ${moneyText(order.refundedMinor, order.currency)} of it refunded`;
  return `Order ${order.number} is ${order.status}: ${order.items.join(", ")}, ${moneyText(order.totalMinor, order.currency)}${refunded}. It goes to ${order.street}, ${order.postalCode} ${order.city}.`;
}

const openFacts = z.object({ writeId: z.string(), state: z.string() });

function inProgressText(problem: Problem): string {
  const { writeId, state } = openFacts.parse(problem);
  if (state === "unknown") {
    return `I cannot start another change yet. It is still not known whether the last one went through. It is being checked; its reference is ${writeId}.`;
  }
  if (state === "proposed") {
    return "There is already a change waiting for your decision. Please decide on the card first, or tell me to withdraw it.";
  }
  return "The last change is still being worked on. I can start another one as soon as that has ended.";
}

/** Why a call was refused, in words for the customer. */
export function refusalText(problem: Problem): string {
  switch (problem.code) {
    case "write_in_progress":
      return inProgressText(problem);
    case "verification_required":
      return "Please sign in first. I can only do this for a customer I know.";
    case "recently_declined":
      return "You have just declined exactly this, so I will not ask again right away.";
    case "invalid_arguments": {
      const { issues } = z
        .object({ issues: z.array(z.object({ pointer: z.string(), message: z.string() })) })
        .parse(problem);
      return `I cannot propose this. ${issues.map(({ pointer, message }) => `${pointer.slice(1)}: ${message}`).join("; ")}.`;
    }
    case "rate_limited":
      return "That was a lot at once. Please wait a moment and ask again.";
    case "preview_failed":
      return `I cannot do this. ${z.object({ message: z.string() }).safeParse(problem).data?.message ?? problem.detail}`;
    case "tool_failed":
    case "tool_timed_out":
      return "The shop does not answer right now. Nothing was changed.";
    default:
      return `I could not do this. ${problem.detail}`;
  }
}

const cancelled = z.object({ orderNumber: z.string(), refundMinor: z.number(), currency: z.string() });
const moved = z.object({
  orderNumber: z.string(),
  street: z.string(),
  city: z.string(),
  postalCode: z.string(),
});
const refunded = z.object({ orderNumber: z.string(), amountMinor: z.number(), currency: z.string() });
const booked = z.object({ orderNumber: z.string(), date: z.string() });
const reduced = z.object({ orderNumber: z.string(), totalMinor: z.number(), currency: z.string() });
const noted = z.object({ orderNumber: z.string() });

const dayFormat = new Intl.DateTimeFormat("en", { dateStyle: "full", timeZone: "UTC" });

/** What an applied write's result says; undefined where the result was withheld. */
function resultText({ tool, result }: BotWrite): string | undefined {
  if (result === null || result === undefined) return undefined;
  switch (tool) {
    case "cancel_order": {
      const { orderNumber, refundMinor, currency } = cancelled.parse(result);
      return `Order ${orderNumber} is cancelled. You get ${moneyText(refundMinor, currency)} back.`;
    }
    case "change_address": {
      const { orderNumber, street, city, postalCode } = moved.parse(result);
      return `Order ${orderNumber} now goes to ${street}, ${postalCode} ${city}.`;
    }
    case "refund_order": {
      const { orderNumber, amountMinor, currency } = refunded.parse(result);
      return `${moneyText(amountMinor, currency)} is refunded for order ${orderNumber}.`;
    }
    case "book_slot": {
      const { orderNumber, date } = booked.parse(result);
      return `Order ${orderNumber} comes on ${dayFormat.format(new Date(`${date}T00:00:00Z`))}.`;
    }
    case "take_offer": {
      const { orderNumber, totalMinor, currency } = reduced.parse(result);
      return `Order ${orderNumber} now costs ${moneyText(totalMinor, currency)}.`;
    }
    case "add_note":
      return `The note is added to order ${noted.parse(result).orderNumber}.`;
    default:
      return undefined;
  }
}

// Countersign's own sentences speak to an agent about its customer; these are the same, said to the customer.
const toCustomer: { readonly [state: string]: string } = {
  proposed: "You have not decided yet. Nothing has changed.",
  awaiting_verification: "You confirmed, and have to sign in again first. Nothing has changed.",
  declined: "You decided against it. Nothing was changed.",
};

/** What became of a write, in words for the customer. */
export function writeText(write: BotWrite): string {
  if (write.state !== "applied") return toCustomer[write.state] ?? write.message;
  const changes = write.changedByCustomer.map(
    ({ label, from, to }) => `You changed ${label} from “${from ?? "—"}” to “${to ?? "—"}”.`,
  );
  return [resultText(write) ?? write.message, ...changes].join(" ");
}
