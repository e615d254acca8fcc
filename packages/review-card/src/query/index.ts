export {
  type ConnectionStatus,
  type UseReviewCardOptions,
  type UseReviewCardResult,
  useReviewCard,
} from "./use-review-card.ts";
