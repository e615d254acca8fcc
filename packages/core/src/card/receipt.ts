import type { Json, JsonObject } from "../base/json.ts";
import { getAt } from "../base/pointer.ts";
import { visible } from "../base/text.ts";
import { formatOfValue } from "../tool/default-format.ts";
import type { ReceiptField, ResolvedPresentation } from "../tool/presentation.ts";
import { currencyOf } from "./compose.ts";
import { formatValue } from "./format.ts";
import { localise } from "./locale.ts";
import { messagesFor } from "./messages.ts";
import type { FrozenCard, Receipt } from "./model.ts";
import { undoArguments } from "./undo.ts";

/** What the journal knows of a write that a receipt is made of. */
export type ReceiptSource = {
  readonly writeId: string;
  readonly outcome: Receipt["outcome"];
  /** The card that was decided on. */
  readonly card: FrozenCard;
  readonly args: JsonObject;
  /** Undefined where there is none, or it was withheld. */
  readonly result: Json | undefined;
  /** What the handler said, as it said it. */
  readonly message: string | null;
  readonly settledAt: string | null;
};

type Row = Receipt["fields"][number];

function composeRow(field: ReceiptField, source: ReceiptSource): Row {
  const { args, card, result } = source;
  const value = "result" in field ? getAt(result, field.result) : getAt(args, field.argument);
  const format = field.format ?? formatOfValue(value);
  const roots = "result" in field ? [result, args] : [args];
  const currency = format === "money" ? currencyOf(field.currency, ...roots) : undefined;
  const shown = formatValue(value, { ...field, format, currency }, card.locale, card.timeZone);
  return { label: visible(localise(field.label, card.locale)), display: shown.display };
}

function composeRows(presentation: ResolvedPresentation | undefined, source: ReceiptSource): readonly Row[] {
  const fields = source.outcome === "applied" ? (presentation?.receipt.fields ?? []) : [];
  if (fields.length > 0) return fields.map((field) => composeRow(field, source));
  return source.card.fields.map(({ label, display }) => ({ label, display }));
}

function composeMessage(source: ReceiptSource): string | null {
  const { checking } = messagesFor(source.card.locale);
  // No handler's word can be trusted to keep open what is not known.
  if (source.outcome === "unknown") return checking;
  return source.message === null || source.message.trim() === "" ? null : visible(source.message.trim());
}

function composeUndo(presentation: ResolvedPresentation | undefined, source: ReceiptSource): Receipt["undo"] {
  const undo = presentation?.receipt.undo;
  if (source.outcome !== "applied" || !undo || undoArguments(undo, source) === undefined) return null;
  const { locale } = source.card;
  return {
    label: visible(localise(undo.label, locale)),
    note: undo.note === undefined ? null : visible(localise(undo.note, locale)),
  };
}

/**
 * What happened, in the card's language. Undefined presentation: the tool no longer exists.
 *
 * Only an applied write has the tool's own title, the result's rows and an undo; every other outcome has the card's
 * own words and the rows that were shown. An unknown one never repeats what a handler said.
 */
export function composeReceipt(
  presentation: ResolvedPresentation | undefined,
  source: ReceiptSource,
): Receipt {
  const { card, outcome } = source;
  const title = outcome === "applied" ? presentation?.receipt.title : undefined;
  return {
    outcome,
    title:
      title === undefined
        ? messagesFor(card.locale).receipts[outcome]
        : visible(localise(title, card.locale)),
    message: composeMessage(source),
    fields: composeRows(presentation, source),
    settledAt: source.settledAt,
    reference: source.writeId,
    undo: composeUndo(presentation, source),
  };
}
