export type { CardEvents, FollowOptions } from "./client/events.ts";
export {
  type CardClient,
  type CardClientOptions,
  createCardClient,
  type ReadAnswer,
} from "./client.ts";
export { type GateOptions, watchButtons } from "./gate.ts";
export { en } from "./messages/en.ts";
export type { Messages, Plural } from "./messages/messages.ts";
export type {
  AnswerIssue,
  CardAnswer,
  CardCommands,
  ConfirmRequest,
  EditRequest,
  EditValue,
  OkAnswer,
  RefusalAnswer,
  SessionEnd,
  UnreachableAnswer,
  VersionRequest,
} from "./model/answer.ts";
export type { Entries, Fault, Faults } from "./model/entries.ts";
export type { Press, Trusts } from "./model/press.ts";
export { pageTimers, type TimeLeft, type Timers } from "./model/timers.ts";
export type { CardView, Decision, Doubt, Note } from "./model/view.ts";
export type { Presence, Wait } from "./model/waits.ts";
export {
  type CardInputs,
  createReviewCardModel,
  type ReviewCardModel,
  type ReviewCardOptions,
} from "./model.ts";
export type { CardParts, RowProps } from "./parts/parts.tsx";
export { ReviewCard, type ReviewCardProps } from "./review-card.tsx";
export {
  type HeadlessReviewCard,
  type ReviewCardModelOptions,
  useReviewCardModel,
} from "./use-review-card-model.ts";
