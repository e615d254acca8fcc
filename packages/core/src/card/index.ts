export type { Json, JsonObject } from "../base/json.ts";
export type { TextSegment } from "../base/marks.ts";
export { splitMarks } from "../base/marks.ts";
export { visible } from "../base/text.ts";
export type { Format, Option, Text } from "../tool/presentation.ts";
export { changesBetween } from "./changes.ts";
export { composeCard } from "./compose.ts";
export type { ShownValue, ValueFormat } from "./format.ts";
export { formatValue } from "./format.ts";
export type { CardTool } from "./frame.ts";
export { isLocale, isTimeZone, localise, pickLocale, settleLocale, settleTimeZone } from "./locale.ts";
export { mask } from "./mask.ts";
export type { Catalogue } from "./messages/catalogue.ts";
export { agentMessage, messageLocales, messagesFor, outcomeText } from "./messages.ts";
export type {
  Card,
  CardChange,
  CardDetail,
  CardEffect,
  CardField,
  FieldInput,
  FrozenCard,
  Receipt,
  WriteState,
} from "./model.ts";
export { currencyCode, minorDigits } from "./money.ts";
export type { CardPlan } from "./plan-card.ts";
export type { ReceiptSource } from "./receipt.ts";
export { composeReceipt } from "./receipt.ts";
export { undoArguments } from "./undo.ts";
