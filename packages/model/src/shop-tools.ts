import { defineTool, type Tool, type WriteTool } from "@countersign/core";
import { z } from "zod";

/** What the model knows of a tool by its author's word, apart from what the engine makes of the definition. */
export type Known = {
  readonly tool: WriteTool;
  readonly title: string;
  readonly confirmLabel: string;
  readonly declineLabel: string;
  readonly labels: { readonly [argument: string]: string };
  readonly editable: string | null;
  readonly recovery: "status" | "same_key" | "operator";
  readonly confirmation: "required" | "none";
  readonly blocksWhilePending: boolean;
  /** It looks first, and the price that it finds may differ by {@link tolerance}. */
  readonly looks: boolean;
  /** It marks where it begins to write. */
  readonly marks: boolean;
};

/** By how much a price may differ from the one that was shown. */
export const tolerance = 5;

const input = z.strictObject({
  orderId: z.string().min(1),
  note: z.string().optional(),
  amount: z.int().min(0),
});
const output = z.object({ done: z.string() });

const labels = { "/orderId": "Order", "/note": "Note", "/amount": "Amount" };

// The handlers of these definitions are never called: each process of a run puts its own in their place.
const nowhere = (): never => {
  throw new Error("this handler is replaced by each process");
};

type Draft = Partial<Omit<Known, "tool">> & {
  readonly name: string;
  readonly customer?: "any";
  readonly extend?: { readonly seconds: number; readonly times: number };
};

function know(draft: Draft): Known {
  const { name, recovery = "status", confirmation = "required", editable = null } = draft;
  const { blocksWhilePending = false, looks = false, marks = false, customer, extend } = draft;
  const title = `${name} now?`;
  const confirmLabel = `Do ${name}`.slice(0, 20);
  const declineLabel = "Keep it";
  const tool = defineTool({
    name,
    title: name,
    description: `Does ${name}.`,
    effect: "write",
    recovery,
    confirmation,
    ...(confirmation === "none" && { risk: "low" as const }),
    ...(customer && { customer }),
    ...(extend && { extend }),
    timeoutSeconds: 15,
    whilePending: blocksWhilePending ? "block" : "allow",
    input,
    output,
    presentation: {
      title,
      confirmLabel,
      declineLabel,
      fields: Object.entries(labels).map(([argument, label]) => ({
        argument,
        label,
        editable: argument === editable,
      })),
      receipt: {
        fields: [{ result: "done", label: "Result" }],
        ...(extend && {
          undo: {
            tool: "refund",
            arguments: { orderId: { argument: "/orderId" }, amount: { argument: "/amount" } },
            label: "Take it back",
          },
        }),
      },
    },
    handler: nowhere,
    ...(looks && { preview: nowhere }),
    ...(recovery === "status" && { status: nowhere }),
  });
  return {
    tool: { ...tool, marksWriting: marks },
    looks,
    marks,
    title,
    confirmLabel,
    declineLabel,
    labels,
    editable,
    recovery,
    confirmation,
    blocksWhilePending,
  };
}

/** The write tools of every run, in order of the commands' numbers. */
export const writeTools: readonly [Known, ...Known[]] = [
  know({ name: "cancel_order", editable: "/note", extend: { seconds: 300, times: 2 } }),
  know({ name: "book_courier", blocksWhilePending: true, customer: "any" }),
  know({ name: "refund", recovery: "operator", editable: "/amount" }),
  know({ name: "add_note", recovery: "operator", confirmation: "none", customer: "any" }),
  know({ name: "change_plan", looks: true, editable: "/note" }),
  know({ name: "send_gift", recovery: "operator", marks: true }),
  know({ name: "set_address", recovery: "same_key", customer: "any", editable: "/note" }),
];

export const knownByName: ReadonlyMap<string, Known> = new Map(
  writeTools.map((known) => [known.tool.name, known]),
);

export const findOrder: Tool = defineTool({
  name: "find_order",
  title: "Find order",
  description: "Looks an order up.",
  effect: "read",
  customer: "any",
  input: z.object({ orderId: z.string() }),
  output: z.object({ total: z.number() }),
  handler: nowhere,
});
