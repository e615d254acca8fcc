/** Why a customer cancels, as the tool wants it. */
export type CancelReason = "arrives_too_late" | "ordered_by_mistake" | "found_elsewhere" | "other";

/** What a sentence asks for. `order` is undefined where none was named. */
export type Intent =
  | { readonly wants: "find"; readonly order: string | undefined }
  | { readonly wants: "cancel"; readonly order: string | undefined; readonly reason: CancelReason }
  | {
      readonly wants: "address";
      readonly order: string | undefined;
      readonly address:
        | { readonly street: string; readonly city: string; readonly postalCode: string }
        | undefined;
    }
  | { readonly wants: "refund"; readonly order: string | undefined }
  | { readonly wants: "note"; readonly order: string | undefined; readonly text: string }
  | { readonly wants: "book"; readonly order: string | undefined; readonly date: string | undefined }
  | { readonly wants: "offer"; readonly order: string | undefined }
  | { readonly wants: "withdraw" }
  | { readonly wants: "consent" }
  | { readonly wants: "help" };

const reasons: readonly (readonly [RegExp, CancelReason])[] = [
  [/\blate\b|too long/i, "arrives_too_late"],
  [/mistake|accident/i, "ordered_by_mistake"],
  [/elsewhere|cheaper/i, "found_elsewhere"],
];

function reasonIn(text: string): CancelReason {
  return reasons.find(([pattern]) => pattern.test(text))?.[1] ?? "other";
}

function addressIn(text: string): Extract<Intent, { wants: "address" }>["address"] {
  const [street, city, postalCode, ...more] = (/\bto\s+(.+)$/is.exec(text)?.[1] ?? "")
    .split(",")
    .map((part) => part.trim());
  if (street === undefined || city === undefined || postalCode === undefined || more.length > 0)
    return undefined;
  return { street, city, postalCode };
}

/** Reads one sentence of a customer. It knows a handful of plain ones; anything else asks for help. */
export function understand(text: string): Intent {
  const said = text.trim();
  const order = /\b([A-Z]+-\d+)\b/i.exec(said)?.[1]?.toUpperCase();
  if (/^(yes|ok|okay|sure|confirm|do it|go ahead|👍)\b|^👍|^(yes|ok)[.!,]/iu.test(said))
    return { wants: "consent" };
  if (/^withdraw\b/i.test(said)) return { wants: "withdraw" };
  if (/^add (a )?note\b/i.test(said))
    return { wants: "note", order, text: /:\s*(.+)$/s.exec(said)?.[1]?.trim() ?? "" };
  if (/^cancel\b/i.test(said)) return { wants: "cancel", order, reason: reasonIn(said) };
  if (/\baddress\b/i.test(said)) return { wants: "address", order, address: addressIn(said) };
  if (/^refund\b/i.test(said)) return { wants: "refund", order };
  if (/^book\b/i.test(said)) return { wants: "book", order, date: /\b\d{4}-\d{2}-\d{2}\b/.exec(said)?.[0] };
  if (/\boffer\b/i.test(said)) return { wants: "offer", order };
  if (/^(find|show|where)\b/i.test(said)) return { wants: "find", order };
  return { wants: "help" };
}
