export type { CardEvents, FollowOptions } from "./client/events.ts";
export {
  type CardClient,
  type CardClientOptions,
  createCardClient,
  type ReadAnswer,
} from "./client.ts";
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
export { pageTimers, type TimeLeft, type Timers } from "./model/timers.ts";
export type { CardView, Decision, Doubt, Note } from "./model/view.ts";
export {
  type CardInputs,
  createReviewCardModel,
  type ReviewCardModel,
  type ReviewCardOptions,
} from "./model.ts";
export { ReviewCard, type ReviewCardProps } from "./review-card.tsx";
